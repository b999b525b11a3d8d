"""Decks of faces that were cut out of photographs (`faces.py`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cards import FACES
from invented import rounded

# A deck of fewer photographed faces than this would mostly be another's.
LEAST = 26


def decks(folder: Path, dice: np.random.Generator, count: int) -> list[dict[str, np.ndarray]]:
    """`count` decks of every set that was gathered, each of one photograph a face; what a set lacks is another's."""
    sets = []
    for file in sorted(folder.glob("*.npz")):
        with np.load(file) as stored:
            sets.append({name: stored[name] for name in stored.files})
    made = []
    for faces in sets:
        for _ in range(count if len(faces) >= LEAST else 0):
            pools = {name: [one[name] for one in (faces, *sets) if name in one] for name in FACES}
            if all(pools.values()):
                made.append({name: rounded(pool[0][dice.integers(len(pool[0]))]) for name, pool in pools.items()})
    return made
