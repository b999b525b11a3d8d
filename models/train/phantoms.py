"""What a finder takes for cards and is none: the reader learns most from saying no to those.

    python phantoms.py --models .. --shards runs/stills-shards --out runs/phantoms
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import detect
import lessons
import shards
from cards import rectify, width

MOST = 4


def phantoms(finder: detect.Network, picture: np.ndarray, tile: lessons.Tile) -> list[lessons.Crop]:
    """Frames of one tile that are near no card of which enough shows, the surest first."""
    logits = np.stack([np.where(tile.classes == number, 8.0, -8.0) for number in range(3)])
    votes = tile.votes.astype(np.float32)
    truth = detect.decode(logits, votes[:2], votes[2:], least=0.02)
    outputs = finder(np.moveaxis(picture, -1, 0)[None].astype(np.float32))
    made = []
    for one in detect.decode(outputs[0][0], outputs[1][0], outputs[2][0], least=0.06):
        if len(made) == MOST:
            break
        known = _cells(tile.classes, one.quad)
        doubtful = not known.size or (known == lessons.IGNORE).any() or not 20 < width(one.quad) < 260
        if not doubtful and not any(_near(one.quad, other.quad) for other in truth):
            nothing = np.full(8, np.nan, np.float32)
            made.append(lessons.Crop(rectify(picture, one.quad)[0], -1, -1, lessons.NONE_STATE, nothing))
    return made


def _near(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether the reader could still be led from one frame to the other: then it is a card, badly framed."""
    apart = np.linalg.norm(one.mean(axis=0) - other.mean(axis=0))
    return bool(lessons.same(one, other) or apart < 0.5 * width(other))


def _cells(classes: np.ndarray, quad: np.ndarray) -> np.ndarray:
    x0, y0 = (quad.min(axis=0) / lessons.STRIDE).astype(int).clip(0)
    x1, y1 = (quad.max(axis=0) / lessons.STRIDE).astype(int).clip(0)
    return classes[y0:y1, x0:x1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", required=True, help="where finder.onnx is")
    parser.add_argument("--shards", type=Path, action="append", required=True)
    parser.add_argument("--every", type=int, default=1, help="look at one tile in so many")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    finder = detect.network(f"{arguments.models}/finder.onnx")
    for number, root in enumerate(arguments.shards):
        crops = []
        for folder in sorted(root.glob("shard-*")):
            if not (folder / "picture.npy").is_file():
                continue
            pictures, *targets = (np.load(folder / f"{name}.npy", mmap_mode="r") for name in shards.TILE_ARRAYS)
            for place in range(0, len(pictures), arguments.every):
                crops += phantoms(finder, np.array(pictures[place]), lessons.Tile(*(array[place] for array in targets)))
        shards.write(arguments.out / f"shard-{number:03}", [], crops)
        print(f"{root}: {len(crops)} phantoms", flush=True)


if __name__ == "__main__":
    main()
