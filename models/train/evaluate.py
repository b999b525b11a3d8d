"""Counts what the two networks together find and read right in labelled pictures, and draws the errors.

    python evaluate.py --models .. --set DIR [--split valid] [--limit 50] [--draw OUT]

A card is right when a frame overlaps its box (or quad) by at least 0.3 and rank and suit are right. The working scale is
looked for: of a few scales, the one with the most to see at the size of cards the finder was trained for.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np

import detect
from cards import RANKS, SUITS, overlap, width

BEST_WIDTH = 85.0
FIRST_SIDE = 768


def box_of(quad: np.ndarray) -> np.ndarray:
    return np.concatenate([quad.min(axis=0), quad.max(axis=0)])


def look(finder: detect.Network, reader: detect.Network, picture: np.ndarray) -> list[detect.Found]:
    """All cards in a picture: search it whole, then again at the scale its cards ask for."""
    scale = FIRST_SIDE / max(picture.shape[:2])
    best: list[detect.Found] = []
    tried = []
    for _ in range(3):
        tried.append(scale)
        found = detect.read(reader, picture, detect.search(finder, picture, scale))
        if len(found) > len(best):
            best = found
        if not found:
            scale *= 1.6 if len(tried) == 1 else 0.3
            continue
        wanted = BEST_WIDTH / float(np.median([width(one.quad) for one in found]))
        wanted = float(np.clip(wanted, 0.15, 3.0))
        if min(abs(np.log(wanted / old)) for old in tried) < 0.35 or wanted * max(picture.shape[:2]) > 2600:
            break
        scale = wanted
    return best


def name(one: detect.Found) -> str:
    if one.down:
        return "BACK"
    return RANKS[int(one.rank.argmax())] + SUITS[int(one.suit.argmax())]


def judge(found: list[detect.Found], boxes: list[dict]) -> tuple[list[tuple[dict, detect.Found | None]], list[detect.Found]]:
    """Each labelled card with the frame that shows it, and the frames left over. A right reading goes first."""
    pairs = []
    for row, truth in enumerate(boxes):
        for column, one in enumerate(found):
            shared = overlap(np.float64(truth["bbox"]), box_of(one.quad))
            if shared >= 0.3:
                pairs.append((-(shared + (name(one) == truth["card"])), row, column))
    mine: dict[int, int] = {}
    for _, row, column in sorted(pairs):
        if row not in mine and column not in mine.values():
            mine[row] = column
    matched = [(truth, found[mine[row]] if row in mine else None) for row, truth in enumerate(boxes)]
    return matched, [one for column, one in enumerate(found) if column not in mine.values()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="..", help="where finder.onnx and reader.onnx are")
    parser.add_argument("--set", type=Path, required=True, help="a folder with labels.json")
    parser.add_argument("--split")
    parser.add_argument("--limit", type=int, default=10**9)
    parser.add_argument("--visible", type=float, default=0.0, help="leave out cards of which less shows, where that is told")
    parser.add_argument("--draw", type=Path, help="a folder for pictures with errors")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    finder, reader = detect.networks(arguments.models)
    labels = json.loads((arguments.set / "labels.json").read_text())
    images = [image for image in labels["images"] if image["boxes"] and arguments.split in (None, image.get("split"))]
    images = images[:: max(1, len(images) // arguments.limit)][: arguments.limit]
    count = dict.fromkeys(("cards", "found", "right", "rank", "suit", "wrong", "false", "down", "down_right"), 0)
    for image in images:
        file = arguments.set / "images" / image["image"]
        picture = cv2.imread(str(file if file.is_file() else arguments.set / image["image"]))[..., ::-1]
        found = look(finder, reader, np.ascontiguousarray(picture))
        matched, extra = judge(found, image["boxes"])
        errors = []
        for truth, one in matched:
            if truth.get("visible", 1.0) < arguments.visible:
                continue
            good = one is not None and name(one) == truth["card"]
            if truth["card"] == "BACK":
                count["down"] += 1
                count["down_right"] += good
                errors += [] if good else [(truth, one)]
                continue
            count["cards"] += 1
            if not good:
                errors.append((truth, one))
            if one is not None:
                read = name(one)
                count["found"] += 1
                count["right"] += good
                count["rank"] += read[:-1] == truth["card"][:-1]
                count["suit"] += read[-1] == truth["card"][-1]
                count["wrong"] += not good
        count["false"] += len(extra)
        if arguments.draw and (errors or extra):
            arguments.draw.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(arguments.draw / image["image"]), drawn(picture, errors, extra, matched)[..., ::-1])
    if arguments.json:
        print(json.dumps(count))
        return
    cards = max(1, count["cards"])
    print(f"{len(images)} pictures, {count['cards']} cards face up: found {100 * count['found'] / cards:.1f} %, "
          f"right {100 * count['right'] / cards:.1f} %, rank right {100 * count['rank'] / cards:.1f} %, "
          f"suit right {100 * count['suit'] / cards:.1f} %, wrong {100 * count['wrong'] / cards:.1f} %; "
          f"{count['false']} false; face down {count['down_right']} of {count['down']}")


def drawn(picture: np.ndarray, errors: list, extra: list, matched: list) -> np.ndarray:
    """The picture with right frames in green, wrong ones in red, missed cards in blue and false ones in yellow."""
    canvas = np.ascontiguousarray(picture).copy()

    def frame(quad: np.ndarray, colour: tuple[int, int, int], text: str) -> None:
        cv2.polylines(canvas, [quad.astype(np.int32)], True, colour, 2, cv2.LINE_AA)
        cv2.putText(canvas, text, tuple(int(v) for v in quad.mean(axis=0)), cv2.FONT_HERSHEY_SIMPLEX, 0.6, colour, 2, cv2.LINE_AA)

    for truth, one in matched:
        if one is not None:
            frame(one.quad, (0, 200, 0), name(one))
    for truth, one in errors:
        x0, y0, x1, y1 = truth["bbox"]
        box = np.float32([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
        frame(box, (60, 90, 255), truth["card"]) if one is None else frame(one.quad, (255, 0, 0), f"{name(one)} not {truth['card']}")
    for one in extra:
        frame(one.quad, (255, 220, 0), name(one))
    return canvas


if __name__ == "__main__":
    main()
