"""Tables as dealers and players leave them: hands, fans, piles and clutter under some camera, with the truth about each card."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

import art
import invented
import pictured
import things
from cards import FACES, NUMBER, carry

BACK, JOKER = -1, -2
# Owners of a pixel that are no card: the table, and nobody knows.
TABLE, UNKNOWN = -1, -2


@dataclass
class Deck:
    """Faces as RGBA, backs, and where the corner index is."""

    faces: dict[str, np.ndarray]
    backs: list[np.ndarray]
    index: np.ndarray
    aspect: float


@dataclass
class Card:
    """One card of a scene: what it is (`BACK` and `JOKER` are below zero) and the corners of all of it."""

    number: int
    quad: np.ndarray
    visible: float = 0.0
    index_visible: float = 0.0


@dataclass
class Scene:
    """A picture, its cards from the lowest up, which of them owns each pixel, and where indices show if that is known."""

    picture: np.ndarray
    cards: list[Card]
    owner: np.ndarray
    index: np.ndarray | None
    # The width of a card near the middle, in pixels.
    unit: float = 80.0


@dataclass
class Props:
    """Everything scenes are made of."""

    decks: list[Deck]
    photos: list[np.ndarray] = field(default_factory=list)


def index_mask(faces: dict[str, np.ndarray]) -> np.ndarray:
    """Where the indices are on a deck's faces."""
    high, wide = faces["2S"].shape[:2]
    w, h = art.index_box(faces)
    mask = np.zeros((high, wide), np.uint8)
    mask[: int(h * high), : int(w * wide)] = 255
    if art.four_cornered(faces):
        mask |= mask[:, ::-1]
    return mask | mask[::-1, ::-1]


def props(cache: art.Path, packages: art.Path, seed: int, count: int, held_out: bool = False,
          photographed: tuple[art.Path, int] | None = None) -> Props:
    """Decks of art, `count` invented ones, and so many photographed ones of each set in a folder. Held-out props share nothing with
    the others but the grounds."""
    drawn = art.decks(cache, packages)
    own = {name: deck for name, deck in drawn.items() if (name in art.HELD_OUT) == held_out}
    courts = [deck[rank + suit][45:-45, 42:-42] for deck in own.values() for rank in "JQK" for suit in "CDHS"]
    decks = []
    dice = np.random.default_rng((seed, 77))
    for number in range(count):
        faces = invented.deck(seed * 100_000 + number, courts)
        decks.append(_deck(faces, [invented.back(dice) for _ in range(2)]))
    # A drawn deck counts for several invented ones: it was made by somebody who makes decks.
    for faces in own.values():
        backs = [invented.back(dice) for _ in range(2)] + ([faces["BACK"]] if "BACK" in faces else [])
        decks += [_deck(faces, backs)] * max(1, count // 25)
    for faces in pictured.decks(photographed[0], dice, photographed[1]) if photographed else []:
        decks.append(_deck(faces, [invented.back(dice) for _ in range(2)]))
    return Props(decks, things.photographs())


def _deck(faces: dict[str, np.ndarray], backs: list[np.ndarray]) -> Deck:
    high, wide = faces["2S"].shape[:2]
    return Deck(faces, backs, index_mask(faces), wide / high)


def camera(dice: np.random.Generator, size: int, card_width: float) -> np.ndarray:
    """A homography from the table (in card widths, the middle of the picture at the origin) to pixels."""
    tilt = np.radians(dice.choice([dice.uniform(0, 12), dice.uniform(10, 50), dice.uniform(45, 76)], p=[0.32, 0.4, 0.28]))
    focal = dice.uniform(0.9, 3.5) * size
    turn, azimuth = dice.uniform(0, 2 * np.pi, 2)
    # Tilting shrinks a card's area by the cosine; come nearer to keep its width.
    distance = focal / (card_width / np.sqrt(np.cos(tilt)))
    around = np.float64([(np.cos(azimuth), -np.sin(azimuth)), (np.sin(azimuth), np.cos(azimuth))])
    lean = np.float64([(1, 0), (0, np.cos(tilt)), (0, np.sin(tilt))])
    plane = lean @ around
    matrix = np.float64([(focal, 0, size / 2), (0, focal, size / 2), (0, 0, 1)]) @ np.column_stack([plane, (0, 0, distance)])
    roll = np.float64([(np.cos(turn), -np.sin(turn), 0), (np.sin(turn), np.cos(turn), 0), (0, 0, 1)])
    middle = np.float64([(1, 0, size / 2), (0, 1, size / 2), (0, 0, 1)])
    if dice.random() < 0.6:
        roll = np.eye(3)
    return middle @ roll @ np.linalg.inv(middle) @ matrix


def hands(dice: np.random.Generator, reach: float) -> list[tuple[np.ndarray, float, bool]]:
    """Where cards lie on the table, from the lowest up: middle, angle, and whether its face is up."""
    laid = []
    if dice.random() < 0.35:
        return _boxes(dice, reach)
    for _ in range(int(dice.integers(1, 6))):
        at = dice.uniform(-reach, reach, 2)
        angle = dice.normal(0, 0.4) if dice.random() < 0.6 else dice.uniform(0, 2 * np.pi)
        kind = str(dice.choice(list(MANNERS), p=list(MANNERS.values())))
        laid += hand(dice, kind, at, angle)
    return laid


# The ways in which cards are laid, and how often each is.
MANNERS = {"one": 0.2, "hand": 0.31, "column": 0.13, "fan": 0.09, "pile": 0.07, "row": 0.1, "dealer": 0.1}


def _boxes(dice: np.random.Generator, reach: float) -> list[tuple[np.ndarray, float, bool]]:
    """Hands side by side before their boxes, all laid in one dealer's manner, on a line or an arc."""
    kind = str(dice.choice(["hand", "column", "fan", "dealer"], p=[0.6, 0.25, 0.08, 0.07]))
    steps = steps_of(dice, kind)
    count, apart = int(dice.integers(2, 7)), dice.uniform(1.15, 2.4)
    radius = dice.choice([1e3, dice.uniform(3, 9)])
    middle, turned = dice.uniform(-0.6 * reach, 0.6 * reach, 2), dice.choice([dice.normal(0, 0.3), dice.uniform(0, 2 * np.pi)])
    c, s = np.cos(turned), np.sin(turned)
    laid = []
    for place in dice.permutation(count):
        turn = (place - (count - 1) / 2) * apart / radius
        at = radius * np.float64([np.sin(turn), 1 - np.cos(turn)]) + dice.normal(0, 0.06, 2)
        at = middle + np.float64([c * at[0] - s * at[1], s * at[0] + c * at[1]])
        laid += hand(dice, kind, at, turned + turn, steps + dice.normal(0, 0.02, 2))
    return laid


def steps_of(dice: np.random.Generator, kind: str) -> np.ndarray:
    """From one card of a hand to the next, in card widths."""
    if kind == "column":
        # One below the other, as hands of a split box are laid: a strip of each shows, with its index.
        return np.float64([dice.normal(0, 0.03), dice.uniform(0.2, 0.45) * dice.choice([-1, 1])])
    if kind in ("row", "dealer"):
        step = np.float64([dice.uniform(0.75, 1.3), dice.normal(0, 0.05)])
        return step * dice.uniform(0.1, 0.5) if kind == "dealer" and dice.random() < 0.5 else step
    step = np.float64([dice.uniform(0.15, 0.4), dice.uniform(0.15, 0.45)]) * dice.choice([-1, 1], 2)
    if dice.random() < 0.25:
        step[dice.integers(2)] *= 0.15
    return step


def hand(dice: np.random.Generator, kind: str, at: np.ndarray, angle: float, step: np.ndarray | None = None
         ) -> list[tuple[np.ndarray, float, bool]]:
    """One hand, laid in a manner."""
    count = 1 if kind == "one" else int(dice.integers(2, 4 if kind == "dealer" else 7))
    step = steps_of(dice, kind) if step is None else step
    spread = dice.uniform(0.08, 0.3) * dice.choice([-1, 1])
    laid = []
    for number in range(count):
        turn = angle + dice.normal(0, 0.05)
        offset = step * number + dice.normal(0, 0.03, 2)
        if kind == "fan":
            turn = angle + spread * number
            offset = np.float64([np.sin(spread * number), 1 - np.cos(spread * number)]) * dice.uniform(1.2, 1.6)
        elif kind == "pile":
            turn, offset = angle + dice.normal(0, 0.6), dice.normal(0, 0.35, 2)
        elif kind in ("hand", "column") and number == count - 1 and number > 1 and dice.random() < 0.3:
            turn += np.pi / 2
        moved = np.float64([np.cos(angle) * offset[0] - np.sin(angle) * offset[1],
                            np.sin(angle) * offset[0] + np.cos(angle) * offset[1]])
        up = dice.random() < (0.55 if kind == "dealer" else 0.88)
        laid.append((at + moved, turn, up))
    return laid


class Painter:
    """Lays flat things on a table under a camera, and keeps account of what covers what."""

    def __init__(self, picture: np.ndarray, to_picture: np.ndarray) -> None:
        self.picture = picture
        self.to_picture = to_picture
        self.owner = np.full(picture.shape[:2], TABLE, np.int16)
        self.index = np.zeros(picture.shape[:2], np.uint8)
        self.cards: list[Card] = []
        self.areas: list[tuple[float, float]] = []

    def lay(self, thing: np.ndarray, at: np.ndarray, angle: float, wide: float, high: float, number: int | None = None,
            index: np.ndarray | None = None, shade: float = 0.0) -> None:
        """Paints a thing (RGBA). With a number it is a card, and `index` is where its indices are."""
        c, s = np.cos(angle), np.sin(angle)
        flat = np.float64([(-wide, -high), (wide, -high), (wide, high), (-wide, high)]) / 2
        quad = carry(self.to_picture, flat @ np.float64([(c, s), (-s, c)]) + at)
        size = self.picture.shape[0]
        low = np.floor(quad.min(axis=0)).astype(int) - 2
        high_corner = np.ceil(quad.max(axis=0)).astype(int) + 3
        left, top = np.clip(low, 0, size)
        right, bottom = np.clip(high_corner, 0, size)
        if right - left < 2 or bottom - top < 2 or (high_corner - low).max() > 6 * size:
            return
        rows, columns = thing.shape[:2]
        source = np.float32([(0, 0), (columns, 0), (columns, rows), (0, rows)])
        warp = cv2.getPerspectiveTransform(source, np.float32(quad - (left, top)))
        shape = (int(right - left), int(bottom - top))
        shrink = columns / max(1.0, np.linalg.norm(quad[1] - quad[0]))
        if shrink > 1.7:
            thing = cv2.GaussianBlur(thing, (0, 0), 0.35 * shrink)
        drawn = cv2.warpPerspective(thing, warp, shape, flags=cv2.INTER_LINEAR)
        alpha = drawn[..., 3:].astype(np.float32) / 255
        place = self.picture[top:bottom, left:right]
        if shade:
            shadow = cv2.GaussianBlur(alpha, (0, 0), max(0.8, 0.03 * shape[0]))
            place *= 1 - shade * shadow[..., None]
        place += (drawn[..., :3] - place) * alpha
        solid = alpha[..., 0] > 0.5
        owner, indices = self.owner[top:bottom, left:right], self.index[top:bottom, left:right]
        indices[solid] = 0
        owner[solid] = TABLE
        if number is not None:
            owner[solid] = len(self.cards)
            here = np.zeros_like(solid)
            if index is not None:
                here = (cv2.warpPerspective(index, warp, shape) > 127) & solid
                indices[here] = 255
            self.cards.append(Card(number, quad.astype(np.float32)))
            x, y = quad[:, 0], quad[:, 1]
            area = abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
            self.areas.append((area, float(here.sum()) / 2))

    def cover(self, picture: np.ndarray, mask: np.ndarray) -> None:
        """Paints something that stands in the way of the camera."""
        alpha = cv2.GaussianBlur(mask, (0, 0), 1.2)[..., None].astype(np.float32) / 255
        self.picture += (picture - self.picture) * alpha
        self.owner[mask > 127] = TABLE
        self.index[mask > 127] = 0

    def scene(self) -> Scene:
        """What has been painted. How much shows of an index is counted in indices: one of two is 1."""
        for number, (card, (area, index_area)) in enumerate(zip(self.cards, self.areas)):
            mine = self.owner == number
            card.visible = float(mine.sum()) / max(area, 1.0)
            card.index_visible = float((self.index[mine] > 0).sum()) / max(index_area, 1.0)
        return Scene(np.clip(self.picture, 0, 255).astype(np.uint8), self.cards, self.owner, self.index)


def compose(dice: np.random.Generator, store: Props, size: int, narrow: float = 42.0, wide: float = 165.0) -> Scene:
    """A scene with cards between `narrow` and `wide` pixels across."""
    card_width = float(np.exp(dice.uniform(np.log(narrow), np.log(wide))))
    to_picture = camera(dice, size, card_width)
    reach = 0.55 * size / card_width
    painter = Painter(_table(dice, store, size, card_width, to_picture), to_picture)
    deck = store.decks[dice.integers(len(store.decks))]
    back = deck.backs[dice.integers(len(deck.backs))]
    shade = dice.uniform(0, 0.5)
    for _ in range(int(dice.integers(0, 4))):
        _litter(dice, painter, reach)
    for at, angle, up in [] if dice.random() < 0.08 else hands(dice, reach):
        if dice.random() < 0.03:
            deck = store.decks[dice.integers(len(store.decks))]
        number = int(dice.integers(52)) if up else BACK
        if up and "JOKER" in deck.faces and dice.random() < 0.015:
            number = JOKER
        face = back if number == BACK else deck.faces["JOKER" if number == JOKER else FACES[number]]
        painter.lay(face, at, angle, 1.0, 1.0 / deck.aspect, number, deck.index if number >= 0 else None, shade)
    for _ in range(int(dice.integers(0, 3))):
        _litter(dice, painter, reach, over=True)
    if dice.random() < 0.25:
        painter.cover(*things.arm(dice, size))
    scene = painter.scene()
    scene.unit = card_width
    return scene


def _table(dice: np.random.Generator, store: Props, size: int, unit: float, to_picture: np.ndarray) -> np.ndarray:
    surface = things.ground(dice, size, store.photos)
    if dice.random() < 0.5:
        things.layout(dice, surface, unit)
    if dice.random() < 0.5:
        # The cloth leans away with the table it lies on.
        corners = carry(np.linalg.inv(to_picture), np.float32([(0, 0), (size, 0), (size, size), (0, size)]))
        spread = np.abs(corners).max()
        if np.isfinite(spread) and spread * unit < 6 * size:
            scale = size / (2 * spread)
            flat = np.float64([(scale, 0, size / 2), (0, scale, size / 2), (0, 0, 1)])
            surface = cv2.warpPerspective(surface, to_picture @ np.linalg.inv(flat), (size, size), borderMode=cv2.BORDER_REFLECT)
    return surface


def _litter(dice: np.random.Generator, painter: Painter, reach: float, over: bool = False) -> None:
    at, angle = dice.uniform(-reach, reach, 2), dice.uniform(0, 2 * np.pi)
    if not over and dice.random() < 0.12:
        face, wide, high = things.tray(dice)
        painter.lay(face, at, angle, wide, high, shade=0.3)
        return
    if over or dice.random() < 0.6:
        wide = dice.uniform(0.5, 0.75)
        face = things.chip(dice)
        for layer in range(int(dice.integers(1, 7))):
            painter.lay(face, at + (0.02 * layer, -0.03 * layer), angle + dice.uniform(0, 6), wide, wide, shade=0.3)
    else:
        face, wide, high = things.paper(dice)
        painter.lay(face, at, angle, wide, high, shade=0.3)


assert NUMBER["AC"] == 0
