"""Cuts the faces of whole cards out of labelled photographs, so that scenes can be laid with cards as cameras see them.

    python faces.py --set DIR --out runs/faces [--models ..]

Photographs show few hands, and seldom say what lies where in them. Their faces, laid anew as dealers lay them, do.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Iterator

import cv2
import numpy as np

import detect
import evaluate
import labelled
import outline
from art import HEIGHT
from cards import FACES, overlap, width

# Faces are cut to this size; cards are 63 by 88 millimetres.
SIZE = (round(HEIGHT * 63 / 88), HEIGHT)
# Cards narrower than this in a photograph have no print to speak of.
NARROW = 60.0
# A card on which another's frame lies by more than this is not whole.
FREE = 0.03
# How sure a network must be of a face that a label bears out.
SURE = 0.9
# Frames stray by a pixel or two: so much is left off on all sides, or the table would come along.
INSET = 0.012
# Paper is made so bright, where that takes no more than so many times as much light.
PAPER, MOST_LIGHT = 240.0, 1.7


def whole(picture: np.ndarray, boxes: list[dict], on_index: bool, found: list[detect.Found]) -> Iterator[tuple[str, np.ndarray]]:
    """Names and corners of the cards in a photograph on which nothing lies."""
    quads = [one.quad for one in found]
    for number, one in enumerate(found):
        if one.up and _sure(one) and _named(one, boxes, on_index) and _free(one.quad, quads[:number] + quads[number + 1 :]):
            yield evaluate.name(one), one.quad
    for box in [] if on_index else boxes:
        apart = all(other is box or overlap(np.float64(box["bbox"]), np.float64(other["bbox"])) == 0.0 for other in boxes)
        quad = outline.in_box(picture, np.float64(box["bbox"])) if apart and box["card"] in FACES else None
        if quad is not None and not any(labelled.lessons.same(quad, other) for other in quads):
            yield box["card"], quad


def _sure(one: detect.Found) -> bool:
    return min(detect.softmax(logits / 2).max() for logits in (one.rank, one.suit, one.state)) > SURE


def _named(one: detect.Found, boxes: list[dict], on_index: bool) -> bool:
    """Whether labels say what the network says."""
    if not on_index:
        return any(box["card"] == evaluate.name(one) and overlap(evaluate.box_of(one.quad), np.float64(box["bbox"])) > labelled.BORNE_OUT
                   for box in boxes)
    return {box["card"] for box in boxes if outline.at_index(one.quad, np.float64(box["bbox"]))} == {evaluate.name(one)}


def _free(quad: np.ndarray, others: list[np.ndarray]) -> bool:
    area = cv2.contourArea(quad)
    shared = (cv2.intersectConvexConvex(cv2.convexHull(quad), cv2.convexHull(other))[0] for other in others)
    return area > 0 and all(part < FREE * area for part in shared)


def cut(picture: np.ndarray, quad: np.ndarray) -> np.ndarray | None:
    """A card's face in the light of day, or none if there are too few pixels of it or some are beyond the picture."""
    high, wide = picture.shape[:2]
    if width(quad) < NARROW or (quad < 0).any() or (quad > (wide, high)).any():
        return None
    w, h = SIZE
    x, y = INSET * w, INSET * h
    to_face = cv2.getPerspectiveTransform(np.float32(quad), np.float32([(-x, -y), (w + x, -y), (w + x, h + y), (-x, h + y)]))
    face = cv2.warpPerspective(picture, to_face, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    paper = np.percentile(face.reshape(-1, 3), 85, axis=0)
    light = float(np.clip(PAPER / max(paper.max(), 1.0), 1 / MOST_LIGHT, MOST_LIGHT))
    return np.clip(face * light, 0, 255).astype(np.uint8)


def gather(folder: Path, look: labelled.Look) -> dict[str, np.ndarray]:
    """All whole faces of a set, by name, each as often as it was photographed."""
    labels = json.loads((folder / "labels.json").read_text())
    on_index = "corner-index" in labels["note"]
    faces: dict[str, list[np.ndarray]] = {}
    for image in labels["images"]:
        if image.get("split") in labelled.HELD_SPLITS or not image["boxes"]:
            continue
        picture = np.ascontiguousarray(cv2.imread(str(folder / "images" / image["image"]))[..., ::-1])
        for name, quad in whole(picture, image["boxes"], on_index, look(picture)):
            face = cut(picture, quad)
            if face is not None:
                faces.setdefault(name, []).append(face)
    return {name: np.stack(several) for name, several in faces.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--models", help="a folder with networks that may say where the cards of photographs are")
    arguments = parser.parse_args()
    look = labelled.looking(arguments.models)
    # Whole or not at all: whoever begins again takes a folder for done.
    part = arguments.out.with_suffix(".part")
    part.mkdir(parents=True, exist_ok=True)
    for file in sorted(arguments.set.glob("*/labels.json")):
        if file.parent.name not in labelled.HELD_SETS:
            faces = gather(file.parent, look)
            np.savez(part / f"{file.parent.name}.npz", **faces)
            print(f"{file.parent.name}: {sum(map(len, faces.values()))} faces of {len(faces)} cards", flush=True)
    part.rename(arguments.out)


if __name__ == "__main__":
    main()
