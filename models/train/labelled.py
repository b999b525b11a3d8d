"""Lessons from labelled pictures: the simulator's stills, and photographs.

    python labelled.py stills --set runs/stills --out runs/stills-shards
    python labelled.py real --set DIR --out runs/real-shards [--models ..]

Stills say where a card's corners are. Photographs may say only which box a card, or its corner index, is in; there the
card's outline has to tell, or networks trained before: where a card they found and its label bear each other out, the
network gives the corners and the label the name.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Callable

import cv2
import numpy as np

import detect
import evaluate
import lessons
import outline
import shards
from cards import NUMBER, carry, overlap, width
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


def tiles_and_crops(dice: np.random.Generator, scene: Scene, each: int, anywhere: int = 0) -> tuple[list, list]:
    """Tiles around some cards of a scene and, where all of it is known, anywhere; and crops of what is in them."""
    tiles, crops = [], []
    for number in range(each + anywhere):
        if not scene.cards:
            break
        card = scene.cards[dice.integers(len(scene.cards))]
        around = card.quad.mean(axis=0) if number < each else dice.uniform(0, 1, 2) * scene.picture.shape[1::-1]
        tile = cut(dice, scene, around, width(card.quad))
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
        # Trays, chips and print are all over a table and are no cards: half of the tiles are of wherever.
        scene = scene_of(np.ascontiguousarray(picture), cards, [])
        made = tiles_and_crops(np.random.default_rng((seed, place)), scene, each, each)
        tiles += made[0]
        crops += made[1]
    shards.write(out / "shard-000", tiles, crops)
    print(f"{out}: {len(tiles)} tiles, {len(crops)} crops")


# Cards that networks found in a picture; none, where there are no networks yet.
Look = Callable[[np.ndarray], list[detect.Found]]
# A found card and a label's box that share so much are the same card.
BORNE_OUT = 0.85


def looking(models: str | None) -> Look:
    """What the networks in a folder see; nothing, if there is none."""
    eyes = detect.networks(models) if models else None
    return (lambda picture: evaluate.look(*eyes, picture)) if eyes else (lambda picture: [])


def photograph(dice: np.random.Generator, picture: np.ndarray, boxes: list[dict], on_index: bool, each: int,
               look: Look) -> tuple[list, list]:
    """Lessons from one photograph whose boxes hold cards, or only their indices."""
    found = look(picture)
    if on_index:
        return _indexed(dice, picture, boxes, each, found)
    cards, unknown = [], []
    for box in boxes:
        quad = np.float32(box["quad"]) if "quad" in box else outline.in_box(picture, np.float64(box["bbox"]))
        if quad is None:
            quad = _found_in(found, box)
        if quad is None:
            unknown.append(np.float64(box["bbox"]))
        else:
            cards.append((number_of(box["card"]), quad, None))
    return tiles_and_crops(dice, scene_of(picture, cards, unknown), each)


def _found_in(found: list[detect.Found], box: dict) -> np.ndarray | None:
    """The corners of a found card that reads as the box says and fills it."""
    for one in found:
        if evaluate.name(one) == box["card"] and overlap(evaluate.box_of(one.quad), np.float64(box["bbox"])) > BORNE_OUT:
            return one.quad
    return None


def _indexed(dice: np.random.Generator, picture: np.ndarray, boxes: list[dict], each: int,
             found: list[detect.Found]) -> tuple[list, list]:
    """Lessons from the cards whose outlines hold labelled indices, all of one name.

    Tiles only where those are all the indices there are and no card lies on another: nothing is known about the rest.
    """
    cards: list[tuple[int, np.ndarray, float | None]] = []
    told: set[int] = set()
    for quad in [*outline.candidates(picture, 0.01), *(one.quad for one in found if not one.down)]:
        here = [place for place, box in enumerate(boxes) if outline.at_index(quad, np.float64(box["bbox"]))]
        names = {boxes[place]["card"] for place in here}
        if len(names) == 1 and not any(lessons.same(quad, other) for _, other, _ in cards):
            cards.append((number_of(names.pop()), np.float32(quad), None))
            told.update(here)
    apart = all(overlap(evaluate.box_of(one), evaluate.box_of(other)) == 0.0
                for place, (_, one, _) in enumerate(cards) for _, other, _ in cards[:place])
    if cards and apart and len(told) == len(boxes):
        return tiles_and_crops(dice, scene_of(picture, cards, []), each)
    crops = []
    for number, quad, _ in cards:
        if number >= 0:
            answer = (*lessons.rank_and_suit(number), lessons.UP_STATE)
            crops += [lessons.framed(dice, picture, quad, answer) for _ in range(each)]
    return [], crops


def real(folder: Path, out: Path, seed: int, each: int, look: Look) -> None:
    """Shards from every set of photographs under a folder, but those that are kept for judging."""
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
            made = photograph(np.random.default_rng((seed, number, place)), picture, image["boxes"], on_index, each, look)
            tiles += made[0]
            crops += made[1]
        shards.write(out / f"shard-{number:03}", tiles, crops)
        print(f"{file.parent.name}: {len(tiles)} tiles, {len(crops)} crops", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["stills", "real"])
    parser.add_argument("--set", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--each", type=int, default=4, help="tiles from a picture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--models", help="a folder with networks that may say where the cards of photographs are")
    arguments = parser.parse_args()
    if arguments.kind == "stills":
        stills(arguments.set, arguments.out, arguments.seed, arguments.each)
    else:
        real(arguments.set, arguments.out, arguments.seed, arguments.each, looking(arguments.models))


if __name__ == "__main__":
    main()
