"""Finding and reading as the program does it, plainly: the reference that training is judged by.

The program's own way (in the room `recognizer`) looks only where something changed and has more to go by; this one looks at
one whole picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import cv2
import numpy as np

from cards import CROP_HEIGHT, CROP_WIDTH, NOMINAL, STRIDE, corners, rectify
from lessons import same

Arrays = list[np.ndarray]
Network = Callable[[np.ndarray], Arrays]
PEAK = 5
FRAMES = 120


@dataclass
class Found:
    """A card in a picture: its corners, how sure we are that it is one, and what it reads."""

    quad: np.ndarray
    sure: float
    rank: np.ndarray | None = None
    suit: np.ndarray | None = None
    state: np.ndarray | None = None

    @property
    def up(self) -> bool:
        return self.state is not None and int(self.state.argmax()) == 0

    @property
    def down(self) -> bool:
        return self.state is not None and int(self.state.argmax()) == 1


def softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def decode(classes: np.ndarray, centre: np.ndarray, axes: np.ndarray, least: float = 0.03) -> list[Found]:
    """Cards from the finder's maps: cells vote for centres, peaks of the votes are cards, their voters say how they lie."""
    belief = softmax(np.moveaxis(classes, 0, -1))
    card = 1 - belief[..., 0]
    rows, columns = np.nonzero(card > 0.4)
    if not rows.size:
        return []
    weight = card[rows, columns]
    x = columns * STRIDE + STRIDE / 2 + centre[0, rows, columns]
    y = rows * STRIDE + STRIDE / 2 + centre[1, rows, columns]
    tensors = axes[:, rows, columns]
    long, short = tensors[0] + tensors[2], tensors[3] + tensors[5]
    area = np.maximum(4 * long * short / STRIDE**2, 4.0)
    # Votes land in a room wider than the picture: centres may lie outside it.
    margin = 32
    high, wide = classes.shape[1] + 2 * margin, classes.shape[2] + 2 * margin
    u, v = x / STRIDE + margin, y / STRIDE + margin
    inside = (u > 1) & (v > 1) & (u < wide - 2) & (v < high - 2)
    room = np.zeros((high, wide), np.float32)
    np.add.at(room, (v[inside].astype(int), u[inside].astype(int)), weight[inside] / area[inside])
    room = cv2.GaussianBlur(room, (0, 0), 1.0)
    peaks = (room == cv2.dilate(room, np.ones((PEAK, PEAK)))) & (room > least / 12)
    found = []
    peak_rows, peak_columns = np.nonzero(peaks)
    if not peak_rows.size:
        return []
    # In a fan centres are close together: a voter belongs to the nearest, and to none if that is far.
    away = np.hypot(u[:, None] - peak_columns - 0.5, v[:, None] - peak_rows - 0.5)
    nearest = away.argmin(axis=1)
    close = away.min(axis=1) < 3.0
    for place in range(len(peak_rows)):
        near = close & (nearest == place)
        if near.sum() < 3:
            continue
        w = weight[near]
        sure = float((w / area[near]).sum())
        if sure < least:
            continue
        mean = np.average(tensors[:, near], axis=1, weights=w)
        middle = np.float64([np.average(x[near], weights=w), np.average(y[near], weights=w)])
        a, b = axis(mean[:3]), axis(mean[3:])
        if np.linalg.norm(a) < 4 or np.linalg.norm(b) < 3 or abs(a[0] * b[1] - a[1] * b[0]) < 20:
            continue
        # Clockwise from the top left: the short axis must lie a quarter turn before the long one.
        if b[0] * a[1] - b[1] * a[0] < 0:
            b = -b
        found.append(Found(corners(middle, a, b), min(1.0, sure)))
    found.sort(key=lambda one: -one.sure)
    return found[:FRAMES]


def axis(tensor: np.ndarray) -> np.ndarray:
    """A half-axis from aaᵀ/|a|: length from the trace, direction from the main eigenvector."""
    xx, xy, yy = tensor
    turn = 0.5 * np.arctan2(2 * xy, xx - yy)
    return (xx + yy) * np.float64([np.cos(turn), np.sin(turn)])


def search(finder: Network, picture: np.ndarray, scale: float) -> list[Found]:
    """Frames in a picture, searched at a scale."""
    high, wide = picture.shape[:2]
    size = (max(32, round(wide * scale)), max(32, round(high * scale)))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = cv2.copyMakeBorder(small, 0, -size[1] % 32, 0, -size[0] % 32, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    outputs = finder(np.moveaxis(padded, -1, 0)[None].astype(np.float32))
    found = decode(outputs[0][0], outputs[1][0], outputs[2][0])
    for one in found:
        one.quad = (one.quad / (size[0] / wide, size[1] / high)).astype(np.float32)
    return found


def read(reader: Network, picture: np.ndarray, found: list[Found], rounds: int = 2) -> list[Found]:
    """Reads frames both ways round, correcting their corners in between, and drops what is no card or read twice."""
    for turn in range(rounds):
        if not found:
            return []
        crops = [rectify(picture, quad)[0] for one in found for quad in (one.quad, np.roll(one.quad, 2, axis=0))]
        batch = np.moveaxis(np.stack(crops), -1, 1).astype(np.float32)
        rank, suit, state, offsets = reader(batch)
        kept = []
        for place, one in enumerate(found):
            pair = slice(2 * place, 2 * place + 2)
            one.rank, one.suit, one.state = (head[pair].sum(axis=0) for head in (rank, suit, state))
            one.quad = _correct(one.quad, offsets[pair])
            none = softmax(one.state / 2)[2]
            if none < (0.97 if turn + 1 < rounds else 0.5):
                kept.append(one)
        found = kept
    return _unique(found)


def _correct(quad: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """The quad with its corners moved as the reader says; both ways round have their say."""
    back = cv2.getPerspectiveTransform(NOMINAL, np.float32(quad))
    turned = np.float32([CROP_WIDTH, CROP_HEIGHT]) - (NOMINAL + offsets[1].reshape(4, 2))
    where = (NOMINAL + offsets[0].reshape(4, 2) + np.roll(turned, 2, axis=0)) / 2
    return cv2.perspectiveTransform(np.float32(where)[None], back)[0]


def _unique(found: list[Found]) -> list[Found]:
    """One of each: of frames that hold the same card, the one that reads most surely."""
    def surety(one: Found) -> float:
        return float(softmax(one.state / 2)[:2].max()) * (0.5 + min(one.sure, 0.5))
    kept: list[Found] = []
    for one in sorted(found, key=surety, reverse=True):
        if not any(_twice(one, other) for other in kept):
            kept.append(one)
    return kept


def _twice(one: Found, other: Found) -> bool:
    apart = float(np.linalg.norm(one.quad.mean(axis=0) - other.quad.mean(axis=0)))
    across = float(np.linalg.norm(one.quad[1] - one.quad[0]))
    if apart < 0.12 * across:
        return True
    alike = one.rank.argmax() == other.rank.argmax() and one.suit.argmax() == other.suit.argmax()
    return same(one.quad, other.quad) and (alike or one.down or other.down)


def network(file: str) -> Network:
    """A network under ONNX Runtime, on one thread."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    return lambda batch: session.run(None, {session.get_inputs()[0].name: batch})


def networks(folder: str) -> tuple[Network, Network]:
    """The finder and the reader in a folder."""
    return network(f"{folder}/finder.onnx"), network(f"{folder}/reader.onnx")
