"""Turns scenes into what the networks learn from: tiles with a target for every cell, and crops with their answers."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from cards import NOMINAL, STRIDE, carry, corners, parallelogram, rank_and_suit, rectify, width
from scenes import BACK, JOKER, UNKNOWN, Card, Scene

BACKGROUND, FACE, DOWN, IGNORE = 0, 1, 2, 255
UP_STATE, DOWN_STATE, NONE_STATE = 0, 1, 2
# Parts of a card, or of one index, from which an eye can read it, and below which nobody could.
READ_INDEX, READ_FACE, BLIND_INDEX, BLIND_FACE = 0.75, 0.65, 0.3, 0.35
# A tile's edge cuts many more cards than a camera's does; of those so many are taught.
CUT_OFF = 0.25


@dataclass
class Tile:
    """The finder's targets at stride 4: class, votes (centre and axes) and whether an index shows."""

    classes: np.ndarray
    votes: np.ndarray
    index: np.ndarray


@dataclass
class Crop:
    """A reader's lesson. Rank, suit or state below zero, and corners that are not numbers, teach nothing."""

    picture: np.ndarray
    rank: int
    suit: int
    state: int
    corners: np.ndarray


def axis_tensor(axis: np.ndarray) -> np.ndarray:
    """A half-axis without its sign: aaᵀ/|a| as xx, xy, yy."""
    x, y = axis
    return np.float32([x * x, x * y, y * y]) / max(float(np.hypot(x, y)), 1e-6)


def tile(scene: Scene) -> Tile:
    """The finder's lesson in a scene."""
    middle = STRIDE // 2
    owner = scene.owner[middle::STRIDE, middle::STRIDE]
    rows, columns = owner.shape
    classes = np.full((rows, columns), BACKGROUND, np.uint8)
    votes = np.zeros((8, rows, columns), np.float32)
    y, x = np.mgrid[0:rows, 0:columns].astype(np.float32) * STRIDE + middle
    for number, card in enumerate(scene.cards):
        mine = owner == number
        if not mine.any():
            continue
        centre, a, b = parallelogram(card.quad)
        classes[mine] = DOWN if card.number == BACK else FACE
        votes[0][mine] = centre[0] - x[mine]
        votes[1][mine] = centre[1] - y[mine]
        votes[2:, mine] = np.concatenate([axis_tensor(a), axis_tensor(b)])[:, None]
    classes[owner == UNKNOWN] = IGNORE
    index = np.full((rows, columns), IGNORE, np.uint8)
    if scene.index is not None:
        index = (cv2.resize(scene.index, (columns, rows), interpolation=cv2.INTER_AREA) > 127).astype(np.uint8)
    return Tile(classes, votes.astype(np.float16), index)


def crops(dice: np.random.Generator, scene: Scene, picture: np.ndarray, most: int = 6) -> list[Crop]:
    """The reader's lessons in a scene: cards as a finder would frame them, near misses, and what is no card at all."""
    made = []
    seen = [card for card in scene.cards if card.visible > 0.08]
    seen = [card for card in seen if within(card.quad, picture) or dice.random() < CUT_OFF]
    for place in dice.permutation(len(seen))[:most]:
        card = seen[place]
        answer = _answer(card)
        if answer[2] >= 0:
            made.append(framed(dice, picture, card.quad, answer, _room(card, scene.cards)))
    size = picture.shape[0]
    for _ in range(1 + int(not seen)):
        quad = _miss(dice, seen, size)
        if not any(same(quad, card.quad) for card in scene.cards) and not _doubtful(scene, quad):
            crop, _ = rectify(picture, quad)
            made.append(Crop(crop, -1, -1, NONE_STATE, np.full(8, np.nan, np.float32)))
    return made


def within(quad: np.ndarray, picture: np.ndarray) -> bool:
    """Whether all of a card is in a picture, or all but its very edge."""
    edge = 0.05 * width(quad)
    return bool((quad > -edge).all() and (quad < edge + np.float32(picture.shape[1::-1])).all())


def _answer(card: Card) -> tuple[int, int, int]:
    """Rank, suit and state of a card as much of it as shows."""
    if card.number == BACK:
        return -1, -1, DOWN_STATE if card.visible > 0.3 else -1
    if card.number == JOKER:
        return -1, -1, NONE_STATE
    if card.index_visible >= READ_INDEX or card.visible >= READ_FACE:
        return *rank_and_suit(card.number), UP_STATE
    blind = card.index_visible < BLIND_INDEX and card.visible < BLIND_FACE
    return -1, -1, NONE_STATE if blind else -1


def _room(card: Card, others: list[Card]) -> float:
    """How far, in card widths, a frame may stray before it shows the neighbour rather than the card."""
    centre = card.quad.mean(axis=0)
    near = [np.linalg.norm(other.quad.mean(axis=0) - centre) for other in others if other is not card]
    return min([0.3, *(0.4 * distance / width(card.quad) for distance in near)])


def framed(dice: np.random.Generator, picture: np.ndarray, quad: np.ndarray, answer: tuple[int, int, int],
           room: float = 0.3) -> Crop:
    """A card cropped with a finder's errors, either way up."""
    centre, a, b = parallelogram(quad)
    error = float(dice.choice([0.015, 0.05, 0.1]))
    shift = np.clip(dice.normal(0, error * 1.2, 2), -room, room) * width(quad)
    turn = dice.normal(0, error)
    grow = np.exp(dice.normal(0, error, 2))
    skew = dice.normal(0, error * 0.7)
    spin = np.float64([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    a, b = spin @ a * grow[0], spin @ b * grow[1] + skew * a * 0.5
    truth = quad
    if dice.random() < 0.5:
        a, b, truth = -a, -b, np.roll(quad, 2, axis=0)
    crop, to_crop = rectify(picture, corners(centre + shift, a, b))
    offsets = (carry(to_crop, truth) - NOMINAL).ravel()
    if np.abs(offsets).max() > 48:
        offsets = np.full(8, np.nan, np.float32)
    return Crop(crop, *answer, offsets.astype(np.float32))


def _miss(dice: np.random.Generator, cards: list[Card], size: int) -> np.ndarray:
    """A frame that shows no card: anywhere, or beside, across or far too near or wide of one."""
    if not cards or dice.random() < 0.45:
        half = np.exp(dice.uniform(np.log(22), np.log(80)))
        turn = dice.uniform(0, np.pi)
        b = half * np.float64([np.cos(turn), np.sin(turn)])
        a = 1.4 * dice.uniform(0.5, 1.1) * half * np.float64([-np.sin(turn), np.cos(turn)])
        return corners(dice.uniform(0, size, 2), a, b)
    centre, a, b = parallelogram(cards[dice.integers(len(cards))].quad)
    kind = dice.integers(3)
    if kind == 0:
        away = dice.uniform(0.5, 1.2, 2) * dice.choice([-1, 1], 2) * dice.permutation([1.0, dice.uniform(0, 1)])
        centre = centre + away[0] * a + away[1] * 1.4 * b
    elif kind == 1:
        a, b = b * 1.4, a / 1.4
    else:
        scale = float(dice.choice([dice.uniform(0.35, 0.55), dice.uniform(1.9, 2.6)]))
        a, b = a * scale, b * scale
        centre = centre + dice.normal(0, 0.3) * a + dice.normal(0, 0.3) * b
    return corners(centre, a, b)


def _doubtful(scene: Scene, quad: np.ndarray) -> bool:
    """Whether a frame shows something nobody told about."""
    x0, y0 = np.floor(quad.min(axis=0)).astype(int).clip(0)
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int).clip(0)
    return bool((scene.owner[y0:y1, x0:x1] == UNKNOWN).any())


def same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two frames are near enough that a reader could be corrected from one to the other."""
    (c1, a1, b1), (c2, a2, b2) = parallelogram(one), parallelogram(other)
    lengths = [np.linalg.norm(v) for v in (a1, b1, a2, b2)]
    if min(lengths) < 1e-3:
        return False
    near = np.linalg.norm(c1 - c2) < 0.45 * 2 * min(lengths[1], lengths[3])
    aligned = abs(np.dot(a1, a2)) / (lengths[0] * lengths[2]) > 0.8
    alike = 0.6 < lengths[0] / lengths[2] < 1.7 and 0.6 < lengths[1] / lengths[3] < 1.7
    return bool(near and aligned and alike)
