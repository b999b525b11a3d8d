"""Lessons from labelled pictures: the simulator's stills, and photographs.

    python labelled.py stills --set runs/stills --out runs/stills-shards
    python labelled.py real --set DIR --models .. --out runs/real-shards

Stills say where a card's corners are. Photographs say only which box a card, or its corner index, is in; there the networks
so far propose the corners, and a proposal that fits a box takes the box's name. So photographs teach a second round.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

import detect
import lessons
import shards
from cards import NOMINAL, NUMBER, carry, parallelogram, rectify, width
from evaluate import BEST_WIDTH, box_of, overlap
from nets import CROP_HEIGHT, CROP_MARGIN, CROP_WIDTH
from scenes import BACK, JOKER, TABLE, UNKNOWN, Card, Scene

# Where an index is on most cards, as parts of width and height; labels of stills do not say.
INDEX = (0.2, 0.28)
# Judging is what these are for.
HELD_SETS, HELD_SPLITS = ("felt",), ("valid", "val", "test")


def number_of(name: str) -> int:
    """A labelled name as a face's number."""
    return NUMBER.get(name, BACK if name == "BACK" else JOKER)


def scene_of(picture: np.ndarray, cards: list[tuple[int, np.ndarray, float | None]], unknown: list[np.ndarray]) -> Scene:
    """A scene from quads, the lowest first, each with the part of it that shows if that is known; and boxes not to judge."""
    owner = np.full(picture.shape[:2], TABLE, np.int16)
    index = np.zeros(picture.shape[:2], np.uint8)
    made = []
    w, h = INDEX
    for number, quad, _ in cards:
        cv2.fillConvexPoly(owner, quad.round().astype(np.int32), len(made))
        cv2.fillConvexPoly(index, quad.round().astype(np.int32), 0)
        unit = cv2.getPerspectiveTransform(np.float32([(0, 0), (1, 0), (1, 1), (0, 1)]), np.float32(quad))
        for box in ([(0, 0), (w, 0), (w, h), (0, h)], [(1, 1), (1 - w, 1), (1 - w, 1 - h), (1, 1 - h)]):
            cv2.fillConvexPoly(index, carry(unit, np.float32(box)).round().astype(np.int32), 255 if number >= 0 else 0)
        made.append(Card(number, np.float32(quad)))
    for place, (card, (_, _, told)) in enumerate(zip(made, cards)):
        mine = owner == place
        area = max(1.0, 1.4 * width(card.quad) ** 2)
        card.visible = float(mine.sum()) / area
        card.index_visible = float((index[mine] > 0).sum()) / (w * h * area)
        if told is not None and told < 0.9 * card.visible:
            # Something that has no label is in the way, somewhere on it.
            owner[mine] = UNKNOWN
            card.index_visible, card.visible = 0.5, min(told, 0.5)
    for box in unknown:
        x0, y0, x1, y1 = box.round().astype(int).clip(0)
        part = owner[y0:y1, x0:x1]
        part[part == TABLE] = UNKNOWN
    return Scene(picture, made, owner, None)


def cut(dice: np.random.Generator, scene: Scene, around: np.ndarray, card_width: float) -> Scene:
    """A tile of a scene around a point, scaled so that cards there are a wanted width."""
    wanted = float(np.exp(dice.uniform(np.log(45), np.log(150))))
    scale = wanted / card_width
    size = shards.TILE
    shift = size * dice.uniform(0.3, 0.7, 2) - around * scale
    move = np.float64([(scale, 0, shift[0]), (0, scale, shift[1])])
    picture = scene.picture
    if scale < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale)
    tile = cv2.warpAffine(picture, move, (size, size), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    owner = cv2.warpAffine(scene.owner, move, (size, size), flags=cv2.INTER_NEAREST, borderValue=TABLE)
    cards = [Card(card.number, np.float32(card.quad * scale + shift), card.visible, card.index_visible) for card in scene.cards]
    return Scene(tile, cards, owner, None)


def inside(quad: np.ndarray, size: int) -> bool:
    """Whether most of a card is in the tile."""
    return bool((np.clip(quad, 0, size) == quad).all(axis=1).sum() >= 3)


def tiles_and_crops(dice: np.random.Generator, scene: Scene, each: int) -> tuple[list, list]:
    """Tiles around some cards of a scene, and crops of cards in them."""
    tiles, crops = [], []
    for _ in range(each):
        if not scene.cards:
            break
        card = scene.cards[dice.integers(len(scene.cards))]
        tile = cut(dice, scene, card.quad.mean(axis=0), width(card.quad))
        tiles.append((tile.picture, lessons.tile(tile)))
        tile.cards = [one for one in tile.cards if inside(one.quad, shards.TILE)]
        crops += lessons.crops(dice, tile, tile.picture)
    return tiles, crops


def stills(folder: Path, out: Path, seed: int, each: int) -> None:
    """Shards from the simulator's stills."""
    labels = json.loads((folder / "labels.json").read_text())
    tiles, crops = [], []
    for place, image in enumerate(labels["images"]):
        if image.get("split") in HELD_SPLITS:
            continue
        picture = cv2.imread(str(folder / image["image"]))[..., ::-1]
        cards = [(number_of(box["card"]), np.float32(box["quad"]), box["visible"]) for box in image["boxes"]]
        made = tiles_and_crops(np.random.default_rng((seed, place)), scene_of(np.ascontiguousarray(picture), cards, []), each)
        tiles += made[0]
        crops += made[1]
    shards.write(out / "shard-000", tiles, crops)
    print(f"{out}: {len(tiles)} tiles, {len(crops)} crops")


def propose(finder: detect.Network, reader: detect.Network, picture: np.ndarray, scales: list[float]) -> list[detect.Found]:
    """Frames for everything that may be a card, with corrected corners, none dropped."""
    found = [one for scale in scales for one in detect.search(finder, picture, scale)]
    for _ in range(2):
        if not found:
            break
        crops = np.stack([rectify(picture, quad)[0] for one in found for quad in (one.quad, np.roll(one.quad, 2, axis=0))])
        rank, suit, state, offsets = reader(np.moveaxis(crops, -1, 1).astype(np.float32))
        for place, one in enumerate(found):
            pair = slice(2 * place, 2 * place + 2)
            one.rank, one.suit, one.state = (head[pair].sum(axis=0) for head in (rank, suit, state))
            one.quad = detect._correct(one.quad, offsets[pair])
    return found


def belief(one: detect.Found, name: str) -> float:
    """How likely a frame is the card of that name, to the reader."""
    if name not in NUMBER:
        return 0.0
    rank, suit = lessons.rank_and_suit(NUMBER[name])
    return float(detect.softmax(one.rank / 2)[rank] * detect.softmax(one.suit / 2)[suit])


def fit(one: detect.Found, box: dict, on_index: bool) -> float:
    """How well a frame fits a labelled box, from 0 to 1."""
    x0, y0, x1, y1 = box["bbox"]
    if not on_index:
        return overlap(np.float64(box["bbox"]), box_of(one.quad))
    to_crop = cv2.getPerspectiveTransform(np.float32(one.quad), NOMINAL)
    x, y = carry(to_crop, np.float32([((x0 + x1) / 2, (y0 + y1) / 2)]))[0]
    part_x, part_y = (x - CROP_MARGIN) / (CROP_WIDTH - 2 * CROP_MARGIN), (y - CROP_MARGIN) / (CROP_HEIGHT - 2 * CROP_MARGIN)
    at_corner = min(abs(part_x - 0.11), abs(part_x - 0.89)) < 0.1 and min(abs(part_y - 0.14), abs(part_y - 0.86)) < 0.1
    size = np.sqrt((x1 - x0) * (y1 - y0)) / width(one.quad)
    return 0.9 if at_corner and 0.12 < size < 0.5 else 0.0


def photograph(dice: np.random.Generator, networks: tuple, picture: np.ndarray, boxes: list[dict], on_index: bool,
               each: int) -> tuple[list, list]:
    """Lessons from one photograph whose boxes hold cards, or only their indices."""
    sizes = [np.sqrt((b["bbox"][2] - b["bbox"][0]) * (b["bbox"][3] - b["bbox"][1])) for b in boxes]
    usual = np.median(sizes) * (4.2 if on_index else 0.75)
    found = propose(*networks, picture, [BEST_WIDTH / usual, 0.7 * BEST_WIDTH / usual])
    cards, unknown, taken = [], [], set()
    for box in boxes:
        rated = [(fit(one, box, on_index) + 0.3 * belief(one, box["card"]), place) for place, one in enumerate(found) if place not in taken]
        score, place = max(rated, default=(0.0, -1))
        if score > 0.72 and (not on_index or belief(found[place], box["card"]) > 0.05 or box["card"] not in NUMBER):
            taken.add(place)
            cards.append((number_of(box["card"]), found[place].quad, None))
        else:
            unknown.append(np.float64(box["bbox"]) + (np.float64([-3, -3, 3, 3]) * (sizes[0] if on_index else 0)))
    scene = scene_of(picture, cards, unknown)
    tiles, crops = tiles_and_crops(dice, scene, each)
    # Two of our frames over one card, or a box that no frame fits: where the truth is unsure, the finder learns nothing.
    if on_index:
        tiles = []
    crops = [crop for crop in crops if not on_index or crop.state != lessons.NONE_STATE]
    if not on_index:
        crops += _false_votes(found, boxes, picture)
    return tiles, crops


def _false_votes(found: list[detect.Found], boxes: list[dict], picture: np.ndarray) -> list[lessons.Crop]:
    """What the finder took for cards and is none."""
    made = []
    for one in found:
        centre, a, b = parallelogram(one.quad)
        if all(overlap(np.float64(box["bbox"]), box_of(one.quad)) < 0.08 for box in boxes) and min(np.linalg.norm(a), np.linalg.norm(b)) > 6:
            made.append(lessons.Crop(rectify(picture, one.quad)[0], -1, -1, lessons.NONE_STATE, np.full(8, np.nan, np.float32)))
    return made[:4]


def real(folder: Path, models: str, out: Path, seed: int, each: int) -> None:
    """Shards from every set of photographs under a folder, but those that are kept for judging."""
    networks = detect.networks(models)
    for number, file in enumerate(sorted(folder.glob("*/labels.json"))):
        if file.parent.name in HELD_SETS:
            continue
        labels = json.loads(file.read_text())
        on_index = "corner-index" in labels["note"]
        tiles, crops = [], []
        for place, image in enumerate(labels["images"]):
            if image.get("split") in HELD_SPLITS or not image["boxes"]:
                continue
            picture = np.ascontiguousarray(cv2.imread(str(file.parent / "images" / image["image"]))[..., ::-1])
            made = photograph(np.random.default_rng((seed, number, place)), networks, picture, image["boxes"], on_index, each)
            tiles += made[0]
            crops += made[1]
        shards.write(out / f"shard-{number:03}", tiles, crops)
        print(f"{file.parent.name}: {len(tiles)} tiles, {len(crops)} crops", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["stills", "real"])
    parser.add_argument("--set", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", default="..", help="the networks that propose corners in photographs")
    parser.add_argument("--each", type=int, default=4, help="tiles from a picture")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.kind == "stills":
        stills(arguments.set, arguments.out, arguments.seed, arguments.each)
    else:
        real(arguments.set, arguments.models, arguments.out, arguments.seed, arguments.each)


if __name__ == "__main__":
    main()
