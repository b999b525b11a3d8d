"""Cards as data sets write them, and the geometry of a card in a picture."""

from __future__ import annotations

import cv2
import numpy as np

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
# The reader's crop, and how much of it is left around the card.
CROP_HEIGHT, CROP_WIDTH, CROP_MARGIN = 128, 96, 8
# Pixels to a cell of the finder's answers.
STRIDE = 4
FACES = tuple(rank + suit for suit in SUITS for rank in RANKS)
NUMBER = {name: number for number, name in enumerate(FACES)}
# The corners of the whole card in a reader's crop: top left, top right, bottom right, bottom left.
NOMINAL = np.float32([
    (CROP_MARGIN, CROP_MARGIN),
    (CROP_WIDTH - CROP_MARGIN, CROP_MARGIN),
    (CROP_WIDTH - CROP_MARGIN, CROP_HEIGHT - CROP_MARGIN),
    (CROP_MARGIN, CROP_HEIGHT - CROP_MARGIN),
])


def rank_and_suit(number: int) -> tuple[int, int]:
    """The places of a face's rank and suit in the reader's outputs."""
    return number % len(RANKS), number // len(RANKS)


def parallelogram(quad: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Centre, long half-axis and short half-axis of the parallelogram nearest to a card's corners."""
    a = (quad[2] + quad[3] - quad[0] - quad[1]) / 4
    b = (quad[1] + quad[2] - quad[0] - quad[3]) / 4
    return quad.mean(axis=0), a, b


def corners(centre: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The corners of a parallelogram, clockwise from the top left of a card whose long axis is `a`."""
    return np.float32([centre - a - b, centre - a + b, centre + a + b, centre + a - b])


def width(quad: np.ndarray) -> float:
    """How wide a card of this area would be if it lay flat under the camera."""
    x, y = quad[:, 0], quad[:, 1]
    area = abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
    return float(np.sqrt(area / 1.4))


def rectify(picture: np.ndarray, quad: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The reader's crop of a quad, and the map from the picture into it."""
    to_crop = cv2.getPerspectiveTransform(np.float32(quad), NOMINAL)
    # A card much larger than the crop is first blurred, or its print would break up into dots.
    shrink = width(quad) / (CROP_WIDTH - 2 * CROP_MARGIN)
    if shrink > 1.6:
        low = np.floor(quad.min(axis=0) - 0.3 * shrink * 80).astype(int).clip(0)
        high = np.ceil(quad.max(axis=0) + 0.3 * shrink * 80).astype(int)
        patch = picture[low[1] : high[1], low[0] : high[0]]
        if patch.size:
            patch = cv2.GaussianBlur(patch, (0, 0), 0.4 * shrink)
            moved = to_crop @ np.float64([(1, 0, low[0]), (0, 1, low[1]), (0, 0, 1)])
            return cv2.warpPerspective(patch, moved, (CROP_WIDTH, CROP_HEIGHT), borderMode=cv2.BORDER_REPLICATE), to_crop
    return cv2.warpPerspective(picture, to_crop, (CROP_WIDTH, CROP_HEIGHT), borderMode=cv2.BORDER_REPLICATE), to_crop


def carry(homography: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Points taken through a homography."""
    return cv2.perspectiveTransform(np.float32(points).reshape(1, -1, 2), homography)[0]


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    """Intersection over union of two upright boxes."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    both = np.prod(np.clip(high - low, 0, None))
    return float(both / max(np.prod(one[2:] - one[:2]) + np.prod(other[2:] - other[:2]) - both, 1e-6))
