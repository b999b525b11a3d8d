"""Makes lessons ahead of training and keeps them on disk, shard after shard, each from a seed of its own.

    python shards.py --out runs/shards --shards 12 --seed 1
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import numpy as np

import lens
import lessons
import scenes

TILE = 384
TILE_ARRAYS = ("picture", "classes", "votes", "index")
CROP_ARRAYS = ("crop", "label", "corners")


def write(folder: Path, tiles: list[tuple[np.ndarray, lessons.Tile]], crops: list[lessons.Crop]) -> None:
    """Stores a shard whole or not at all: training may be waiting for it."""
    parts = folder.with_suffix(".part")
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir(parents=True)
    if tiles:
        np.save(parts / "picture.npy", np.stack([picture for picture, _ in tiles]))
        for name in TILE_ARRAYS[1:]:
            np.save(parts / f"{name}.npy", np.stack([getattr(tile, name) for _, tile in tiles]))
    # A shard without crops has no such files; training passes it by.
    if crops:
        np.save(parts / "crop.npy", np.stack([crop.picture for crop in crops]))
        np.save(parts / "label.npy", np.int16([(crop.rank, crop.suit, crop.state) for crop in crops]))
        np.save(parts / "corners.npy", np.stack([crop.corners for crop in crops]).astype(np.float16))
    parts.rename(folder)


def make(store: scenes.Props, folder: Path, seed: int, count: int, with_tiles: bool) -> None:
    """One shard of `count` scenes. Tiles are large; the reader has no use for them."""
    tiles, crops = [], []
    for number in range(count):
        dice = np.random.default_rng((seed, number))
        scene = scenes.compose(dice, store, TILE)
        picture = lens.photograph(dice, scene.picture, scene.unit)
        if with_tiles:
            tiles.append((picture, lessons.tile(scene)))
        crops += lessons.crops(dice, scene, picture)
    write(folder, tiles, crops)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--shards", type=int, default=12)
    parser.add_argument("--scenes", type=int, default=400, help="scenes in a shard")
    parser.add_argument("--decks", type=int, default=100, help="invented decks")
    parser.add_argument("--renew", type=int, default=8, help="shards after which all decks are invented anew")
    parser.add_argument("--tiles", type=int, help="shards that hold tiles for the finder; all unless told, the others only crops")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--packages", type=Path, default=Path(".deps/train"), help="where npm put deck art")
    parser.add_argument("--cache", type=Path, help="where drawn decks are kept; beside the shards unless told")
    parser.add_argument("--faces", type=Path, help="a folder of faces cut out of photographs, to make decks of as well")
    parser.add_argument("--pictured", type=int, default=30, help="decks of such faces from each set of photographs")
    parser.add_argument("--held-out", action="store_true", help="with decks no network is trained on")
    arguments = parser.parse_args()
    cache = arguments.cache or arguments.out.parent / "art"
    photographed = (arguments.faces, arguments.pictured) if arguments.faces else None
    missing = [number for number in range(arguments.shards) if not _folder(arguments.out, number).is_dir()]
    store, drawn = None, -1
    for number in missing:
        if store is None or number // arguments.renew != drawn:
            drawn = number // arguments.renew
            store = scenes.props(cache, arguments.packages, arguments.seed + 50 * drawn, arguments.decks, arguments.held_out, photographed)
        folder = _folder(arguments.out, number)
        make(store, folder, arguments.seed * 1000 + number, arguments.scenes, arguments.tiles is None or number < arguments.tiles)
        print(f"{folder}: {arguments.scenes} scenes", flush=True)


def _folder(out: Path, number: int) -> Path:
    return out / f"shard-{number:03}"


if __name__ == "__main__":
    main()
