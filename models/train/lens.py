"""What light, lens, sensor and encoder do to a picture before anybody sees it."""

from __future__ import annotations

import cv2
import numpy as np

from things import clouds


def photograph(dice: np.random.Generator, picture: np.ndarray, unit: float = 80.0) -> np.ndarray:
    """The picture as a camera would have brought it; its geometry is unchanged. Cards are about `unit` pixels wide."""
    size = picture.shape[0]
    seen = picture.astype(np.float32)
    if dice.random() < 0.7:
        seen *= (1 + dice.uniform(0.05, 0.35) * clouds(dice, size, size))[..., None]
    if dice.random() < 0.3:
        _shadow(dice, seen)
    if dice.random() < 0.3:
        _glare(dice, seen)
    seen *= dice.uniform(0.75, 1.2) * (1 + dice.normal(0, 0.09, 3)).astype(np.float32)
    if dice.random() < 0.15:
        seen *= dice.uniform(0.3, 0.7)
    if dice.random() < 0.12:
        seen += (seen.mean(axis=2, keepdims=True) - seen) * dice.uniform(0.5, 1.0)
    seen = 255 * np.clip(seen / 255, 0, 1) ** dice.uniform(0.75, 1.35)
    seen = _focus(dice, seen, float(np.clip(unit / 80, 0.55, 1.6)))
    if dice.random() < 0.7:
        seen += dice.normal(0, dice.uniform(1, 11), seen.shape).astype(np.float32)
    seen = np.clip(seen, 0, 255).astype(np.uint8)
    if dice.random() < 0.2:
        seen = np.clip(seen * 1.6 - cv2.GaussianBlur(seen, (0, 0), 1.5) * 0.6, 0, 255).astype(np.uint8)
    if dice.random() < 0.75:
        quality = int(dice.integers(25, 95))
        seen = cv2.imdecode(cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return seen


def _focus(dice: np.random.Generator, seen: np.ndarray, fine: float) -> np.ndarray:
    """Out of focus, in motion, or simply with fewer pixels; less so where cards are small, or nobody could read them."""
    size = seen.shape[0]
    kind = dice.random()
    if kind < 0.4:
        return cv2.GaussianBlur(seen, (0, 0), dice.uniform(0.4, 1.6) * fine)
    if kind < 0.52:
        length = 2 + max(1, int(dice.integers(1, 6) * fine))
        kernel = np.zeros((length, length), np.float32)
        angle = dice.uniform(0, np.pi)
        reach = np.float64([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
        middle = np.full(2, (length - 1) / 2)
        cv2.line(kernel, tuple((middle - reach).round().astype(int)), tuple((middle + reach).round().astype(int)), 1)
        return cv2.filter2D(seen, -1, kernel / kernel.sum())
    if kind < 0.75:
        small = int(size / (1 + dice.uniform(0.2, 1.0) * fine))
        shrunk = cv2.resize(seen, (small, small), interpolation=cv2.INTER_AREA)
        return cv2.resize(shrunk, (size, size), interpolation=cv2.INTER_LINEAR)
    return seen


def _shadow(dice: np.random.Generator, seen: np.ndarray) -> None:
    size = seen.shape[0]
    mask = np.zeros((size, size), np.float32)
    cv2.fillPoly(mask, [dice.uniform(-0.3, 1.3, (4, 2)).__mul__(size).astype(np.int32)], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), dice.uniform(1, 20))
    seen *= (1 - dice.uniform(0.2, 0.6) * mask)[..., None]


def _glare(dice: np.random.Generator, seen: np.ndarray) -> None:
    size = seen.shape[0]
    mask = np.zeros((size, size), np.float32)
    middle = tuple((dice.uniform(0, 1, 2) * size).astype(int))
    axes = tuple((dice.uniform(0.03, 0.25, 2) * size).astype(int))
    cv2.ellipse(mask, middle, axes, dice.uniform(0, 360), 0, 360, 1.0, -1)
    mask = cv2.GaussianBlur(mask, (0, 0), dice.uniform(3, 25))
    seen += (dice.uniform(60, 220) * mask)[..., None]
