"""Finds a card's corners in a photograph by its outline, where a label says only in which box it, or its index, is.

Only outlines beyond doubt are taken: four straight sides, nothing in front, the box filled. The rest teaches nothing.
"""

from __future__ import annotations

from typing import Iterator

import cv2
import numpy as np

from cards import CROP_HEIGHT, CROP_MARGIN, CROP_WIDTH, NOMINAL, carry, overlap

# Of a card seen flatter than this, nobody can tell the long side from the short one by its outline.
LONGER = 1.12
FILLED = 0.94


def in_box(picture: np.ndarray, box: np.ndarray) -> np.ndarray | None:
    """The corners of the one card that fills a box."""
    x0, y0, x1, y1 = box
    room = 0.07 * max(x1 - x0, y1 - y0)
    low = np.floor((x0 - room, y0 - room)).astype(int).clip(0)
    high = np.ceil((x1 + room, y1 + room)).astype(int)
    best, best_fit = None, 0.88
    for quad in candidates(picture[low[1] : high[1], low[0] : high[0]], 0.2):
        quad = quad + low
        fit = overlap(np.concatenate([quad.min(axis=0), quad.max(axis=0)]), np.float64(box))
        if fit > best_fit:
            best, best_fit = quad, fit
    return best


def candidates(picture: np.ndarray, least: float) -> Iterator[np.ndarray]:
    """Everything in a picture that has a card's outline and at least a part `least` of its area."""
    if min(picture.shape[:2]) < 24:
        return
    soft = cv2.GaussianBlur(picture, (0, 0), 1.0)
    whiteness = soft.min(axis=2)
    levels = [cv2.threshold(whiteness, 0, 255, cv2.THRESH_OTSU)[0]]
    levels += [level for level in (90, 120, 150, 180) if abs(level - levels[0]) > 12]
    for level in levels:
        mask = (whiteness > level).astype(np.uint8)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3)))
        for contour in cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]:
            if cv2.contourArea(contour) > least * mask.size:
                quad = four_sides(contour)
                if quad is not None:
                    yield quad


def four_sides(contour: np.ndarray) -> np.ndarray | None:
    """The corners of a contour with four straight sides, as of a card with its long side down."""
    hull = cv2.convexHull(contour)
    area = cv2.contourArea(hull)
    if cv2.contourArea(contour) < FILLED * area:
        return None
    length = cv2.arcLength(hull, True)
    for part in (0.015, 0.025, 0.035, 0.05):
        corners = cv2.approxPolyDP(hull, part * length, True)
        if len(corners) <= 4:
            break
    if len(corners) != 4:
        return None
    quad = _meeting_sides(hull[:, 0].astype(np.float64), corners[:, 0].astype(np.float64))
    if quad is None or not 0.97 < area / max(1.0, cv2.contourArea(np.float32(quad))) < 1.03:
        return None
    if cv2.contourArea(np.float32(quad), oriented=True) < 0:
        quad = quad[::-1]
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    across, down = sides[0] + sides[2], sides[1] + sides[3]
    if across > down:
        quad, across, down = np.roll(quad, -1, axis=0), down, across
    return np.float32(quad) if LONGER < down / max(across, 1.0) < 2.3 else None


def _meeting_sides(hull: np.ndarray, rough: np.ndarray) -> np.ndarray | None:
    """Corners where the sides would meet: a card's own are rounded off."""
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0)):
        along = end - start
        length = float(np.linalg.norm(along))
        if length < 12:
            return None
        places = (hull - start) @ along / length**2
        off = np.abs((hull - start) @ np.float64([-along[1], along[0]])) / length
        on_side = hull[(places > 0.06) & (places < 0.94) & (off < 0.03 * length + 1)]
        points = np.concatenate([on_side, [start + 0.1 * along, end - 0.1 * along]]) if len(on_side) < 2 else on_side
        x, y, at_x, at_y = cv2.fitLine(np.float32(points), cv2.DIST_L2, 0, 0.01, 0.01).ravel()
        lines.append((y, -x, y * at_x - x * at_y))
    corners = []
    for one, other in zip([lines[-1], *lines[:-1]], lines):
        matrix = np.float64([one[:2], other[:2]])
        if abs(np.linalg.det(matrix)) < 0.15:
            return None
        corners.append(np.linalg.solve(matrix, np.float64([one[2], other[2]])))
    quad = np.float64(corners)
    return quad if np.abs(quad - rough).max() < 0.2 * np.abs(np.ptp(rough, axis=0)).max() else None


def at_index(quad: np.ndarray, box: np.ndarray) -> bool:
    """Whether a box is where the corner index of such a card would be."""
    middle = np.float32([((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)])
    x, y = carry(cv2.getPerspectiveTransform(np.float32(quad), NOMINAL), middle)[0]
    x, y = (x - CROP_MARGIN) / (CROP_WIDTH - 2 * CROP_MARGIN), (y - CROP_MARGIN) / (CROP_HEIGHT - 2 * CROP_MARGIN)
    return bool(min(abs(x - 0.12), abs(x - 0.88)) < 0.1 and min(abs(y - 0.15), abs(y - 0.85)) < 0.1)

