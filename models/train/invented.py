"""Decks nobody sells: random type, pips, colours and index sizes, so that the reader learns signs and not one deck."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from art import HEIGHT
from cards import FACES, RANKS, rank_and_suit

FONT_FOLDER = Path("/usr/share/fonts")
NO_LETTERS = ("D050000L", "Symbols", "Initials", "Keyboard", "dingbat", "MathTeX", "LinLibertine_I")
# Nobody prints cards with these: they could not be read across a table.
TOO_FINE = ("Thin", "ExtraLight", "Extralight")
# Rows and columns of the pips, in parts of the card's middle; a standard older than any of its printers.
LEFT, MIDDLE, RIGHT = 0.0, 0.5, 1.0
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    2: ((MIDDLE, 0), (MIDDLE, 1)),
    3: ((MIDDLE, 0), (MIDDLE, 0.5), (MIDDLE, 1)),
    4: ((LEFT, 0), (RIGHT, 0), (LEFT, 1), (RIGHT, 1)),
    5: ((LEFT, 0), (RIGHT, 0), (MIDDLE, 0.5), (LEFT, 1), (RIGHT, 1)),
    6: ((LEFT, 0), (RIGHT, 0), (LEFT, 0.5), (RIGHT, 0.5), (LEFT, 1), (RIGHT, 1)),
    7: ((LEFT, 0), (RIGHT, 0), (LEFT, 0.5), (RIGHT, 0.5), (LEFT, 1), (RIGHT, 1), (MIDDLE, 0.25)),
    8: ((LEFT, 0), (RIGHT, 0), (LEFT, 0.5), (RIGHT, 0.5), (LEFT, 1), (RIGHT, 1), (MIDDLE, 0.25), (MIDDLE, 0.75)),
    9: ((LEFT, 0), (RIGHT, 0), (LEFT, 1 / 3), (RIGHT, 1 / 3), (MIDDLE, 0.5), (LEFT, 2 / 3), (RIGHT, 2 / 3), (LEFT, 1),
        (RIGHT, 1)),
    10: ((LEFT, 0), (RIGHT, 0), (LEFT, 1 / 3), (RIGHT, 1 / 3), (LEFT, 2 / 3), (RIGHT, 2 / 3), (LEFT, 1), (RIGHT, 1),
         (MIDDLE, 1 / 6), (MIDDLE, 5 / 6)),
}
SIGN = 160


@lru_cache
def fonts() -> tuple[str, ...]:
    """Every installed font that has letters."""
    files = [*FONT_FOLDER.rglob("*.ttf"), *FONT_FOLDER.rglob("*.otf")]
    found = sorted(str(file) for file in files if not any(word in file.name for word in NO_LETTERS + TOO_FINE))
    if not found:
        raise FileNotFoundError(f"no fonts under {FONT_FOLDER}")
    return tuple(found)


def sign(dice: np.random.Generator, suit: int) -> np.ndarray:
    """A suit's sign as a mask, of a random but decent shape; suits count clubs, diamonds, hearts, spades."""
    big = 4 * SIGN
    mask = np.zeros((big, big), np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(x * big), round(y * big)

    def stem(top: float, spread: float) -> None:
        shape = [at(0.5, top), at(0.5 + spread, 0.97), at(0.5 - spread, 0.97)]
        cv2.fillPoly(mask, [np.int32(shape)], 255)

    if suit == 0:
        r = dice.uniform(0.19, 0.235)
        low = dice.uniform(0.56, 0.63)
        for x, y in ((0.5, 0.04 + r), (0.04 + r, low), (0.96 - r, low)):
            cv2.circle(mask, at(x, y), round(r * big), 255, -1)
        cv2.circle(mask, at(0.5, 0.5), round(dice.uniform(0.06, 0.14) * big), 255, -1)
        stem(0.45, dice.uniform(0.12, 0.24))
    elif suit == 1:
        wide, bulge = dice.uniform(0.32, 0.46), dice.uniform(-0.35, 0.12)
        turn = np.linspace(0, 2 * np.pi, 240)
        x, y = np.cos(turn), np.sin(turn)
        radius = 1 / (np.abs(x) + np.abs(y)) * (1 + bulge * np.abs(np.sin(2 * turn)) * 0.6)
        points = np.stack([(0.5 + wide * radius * x) * big, (0.5 + 0.47 * radius * y) * big], axis=1)
        cv2.fillPoly(mask, [np.int32(points)], 255)
    else:
        r, point = dice.uniform(0.22, 0.26), dice.uniform(0.9, 1.0)
        lobes = np.zeros_like(mask)
        for x in (0.5 - r * 0.92, 0.5 + r * 0.92):
            cv2.circle(lobes, at(x, 0.06 + r), round(r * big), 255, -1)
        t = np.linspace(0, 1, 40)
        bow = dice.uniform(-0.05, 0.06)
        edge_x = (0.5 - 1.9 * r) * (1 - t) + 0.5 * t - bow * np.sin(np.pi * t)
        edge_y = (0.1 + r) * (1 - t) + (0.78 if suit == 3 else point) * t
        outline = np.concatenate([np.stack([edge_x, edge_y], 1), np.stack([1 - edge_x, edge_y], 1)[::-1]])
        cv2.fillPoly(lobes, [np.int32(outline * big)], 255)
        if suit == 3:
            lobes = np.roll(lobes[::-1], -round(0.2 * big), axis=0)
            lobes[-round(0.2 * big) :] = 0
            mask |= lobes
            stem(0.5, dice.uniform(0.12, 0.24))
        else:
            mask |= lobes
    return cv2.resize(mask, (SIGN, SIGN), interpolation=cv2.INTER_AREA)


class Style:
    """What makes a deck look like itself."""

    def __init__(self, dice: np.random.Generator) -> None:
        self.wide = round(HEIGHT * dice.uniform(0.63, 0.73))
        self.font = str(dice.choice(fonts()))
        kind = dice.choice(["plain", "jumbo", "peek"], p=[0.55, 0.35, 0.1])
        self.rank_size = HEIGHT * (dice.uniform(0.09, 0.14) if kind == "plain" else dice.uniform(0.17, 0.27))
        self.sign_size = self.rank_size * dice.uniform(0.55, 0.95)
        self.squeeze = dice.uniform(0.65, 1.0)
        self.edge = dice.uniform(0.02, 0.05) * self.wide
        self.pip = HEIGHT * dice.uniform(0.11, 0.19)
        self.inner = kind != "peek" and dice.random() < 0.92
        self.corners = 4 if kind == "plain" and dice.random() < 0.25 else 2
        self.framed = dice.random() < 0.5
        dark = dice.random() < 0.08
        paper = dice.uniform(8, 40, 3) if dark else dice.uniform(225, 255) - dice.uniform(0, 14, 3) * (0, 0.4, 1)
        self.paper = tuple(int(v) for v in paper)
        self.inks = self._inks(dice, dark)
        self.signs = [sign(dice, suit) for suit in range(4)]
        self.ornate = dice.random() < 0.5

    @staticmethod
    def _inks(dice: np.random.Generator, dark: bool) -> list[tuple[int, int, int]]:
        def near(*colour: int) -> tuple[int, int, int]:
            return tuple(int(v) for v in np.clip(np.float32(colour) + dice.normal(0, 14, 3), 0, 255))

        black = near(225, 215, 190) if dark else near(18, 18, 24)
        red = near(200, 165, 80) if dark and dice.random() < 0.5 else near(205, 25, 35)
        if dice.random() < 0.25:
            return [near(20, 120, 50), near(30, 70, 200) if dice.random() < 0.7 else near(220, 130, 20), red, black]
        return [black, red, red, black]


def deck(seed: int, courts: list[np.ndarray]) -> dict[str, np.ndarray]:
    """A whole deck, the same for the same seed; `courts` are pictures for the middle of court cards."""
    dice = np.random.default_rng(seed)
    style = Style(dice)
    drawn = {name: _face(dice, style, number, courts) for number, name in enumerate(FACES)}
    return drawn


def _face(dice: np.random.Generator, style: Style, number: int, courts: list[np.ndarray]) -> np.ndarray:
    rank, suit = rank_and_suit(number)
    card = Image.new("RGB", (style.wide, HEIGHT), style.paper)
    ink = style.inks[suit]
    if rank >= 10:
        _court(dice, style, card, ink, rank, suit, courts)
    elif rank == 0:
        _ace(dice, style, card, ink, suit)
    elif style.inner:
        _pips(style, card, ink, rank + 1, suit)
    _indices(style, card, ink, rank, suit)
    return rounded(np.asarray(card))


def _stamp(card: Image.Image, mask: np.ndarray, ink: tuple[int, int, int], x: float, y: float, w: float, h: float,
           flip: bool = False) -> None:
    small = Image.fromarray(cv2.resize(mask, (max(2, round(w)), max(2, round(h))), interpolation=cv2.INTER_AREA))
    if flip:
        small = small.rotate(180)
    card.paste(ink, (round(x - w / 2), round(y - h / 2)), small)


def _pips(style: Style, card: Image.Image, ink: tuple[int, int, int], count: int, suit: int) -> None:
    left, right = style.wide * 0.31, style.wide * 0.69
    top, bottom = HEIGHT * 0.18, HEIGHT * 0.82
    for x, y in PIPS[count]:
        size = style.pip * (0.85 if count > 8 else 1.0)
        _stamp(card, style.signs[suit], ink, left + x * (right - left), top + y * (bottom - top), size * 0.92, size, y > 0.5)


def _ace(dice: np.random.Generator, style: Style, card: Image.Image, ink: tuple[int, int, int], suit: int) -> None:
    ornate = style.ornate and suit == 3
    size = HEIGHT * (dice.uniform(0.34, 0.55) if ornate else dice.uniform(0.14, 0.32))
    _stamp(card, style.signs[suit], ink, style.wide / 2, HEIGHT / 2, size * 0.92, size)
    if ornate:
        draw = ImageDraw.Draw(card)
        for _ in range(dice.integers(3, 14)):
            x, y = style.wide / 2 + dice.normal(0, 0.09) * style.wide, HEIGHT / 2 + dice.normal(0, 0.07) * HEIGHT
            r = dice.uniform(0.02, 0.1) * HEIGHT
            draw.arc((x - r, y - r, x + r, y + r), dice.uniform(0, 360), dice.uniform(0, 360), style.paper, 2)
        draw.text((style.wide * 0.35, HEIGHT * 0.78), "FAIRDEAL", ink, ImageFont.truetype(style.font, 12))


def _court(dice: np.random.Generator, style: Style, card: Image.Image, ink: tuple[int, int, int], rank: int, suit: int,
           courts: list[np.ndarray]) -> None:
    inset_x, inset_y = round(style.wide * dice.uniform(0.13, 0.2)), round(HEIGHT * dice.uniform(0.07, 0.12))
    size = (style.wide - 2 * inset_x, HEIGHT - 2 * inset_y)
    if courts and style.inner:
        # The figure carries its rank only in decks of art; here any king may sit on a jack, so the index decides.
        picture = courts[dice.integers(len(courts))][..., :3].astype(np.float32)
        picture = np.clip(picture * dice.uniform(0.7, 1.1, 3), 0, 255).astype(np.uint8)
        if dice.random() < 0.3:
            picture = picture[..., dice.permutation(3)]
        card.paste(Image.fromarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)), (inset_x, inset_y))
    else:
        draw = ImageDraw.Draw(card)
        draw.text((style.wide / 2, HEIGHT / 2), RANKS[rank], ink, ImageFont.truetype(style.font, HEIGHT // 3), anchor="mm")
    if style.framed:
        box = (inset_x, inset_y, style.wide - inset_x, HEIGHT - inset_y)
        ImageDraw.Draw(card).rectangle(box, outline=ink if dice.random() < 0.5 else (30, 50, 140))


def _indices(style: Style, card: Image.Image, ink: tuple[int, int, int], rank: int, suit: int) -> None:
    """One index, drawn once and turned into the other corners."""
    text = Image.new("L", (4 * SIGN, 2 * SIGN), 0)
    ImageDraw.Draw(text).text((2 * SIGN, SIGN), RANKS[rank], 255, ImageFont.truetype(style.font, SIGN), anchor="mm")
    box = text.getbbox() or (0, 0, 1, 1)
    glyph = np.asarray(text.crop(box))
    high = style.rank_size * (0.75 if style.rank_size > 0.16 * HEIGHT else 0.8)
    wide = min(high * glyph.shape[1] / glyph.shape[0] * style.squeeze, style.wide * 0.3)
    slot = max(wide, style.sign_size * 0.9)
    x, y = style.edge + slot / 2, style.edge * 1.2 + high / 2
    for turn in range(2):
        if turn:
            card.paste(card.rotate(180))
        places = (x, style.wide - x) if style.corners == 4 else (x,)
        for place in places:
            _stamp(card, glyph, ink, place, y, wide, high)
            _stamp(card, style.signs[suit], ink, place, y + high / 2 + style.sign_size * 0.62, style.sign_size * 0.92,
                   style.sign_size)


def rounded(face: np.ndarray, part: float = 0.055) -> np.ndarray:
    """A face with rounded corners, as RGBA."""
    high, wide = face.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    r = max(2, round(part * wide))
    cv2.rectangle(mask, (r, 0), (wide - r - 1, high), 255, -1)
    cv2.rectangle(mask, (0, r), (wide, high - r - 1), 255, -1)
    for x in (r, wide - r - 1):
        for y in (r, high - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.dstack([face[..., :3], mask])


def weave(dice: np.random.Generator, high: int, wide: int, ink: np.ndarray, light: np.ndarray) -> tuple[np.ndarray, bool]:
    """A pattern in two colours as it is on the backs of cards, and on cloth; and whether it is none, but plain."""
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    period = dice.uniform(5, 40)
    turned = dice.uniform(0, np.pi)
    u, v = x * np.cos(turned) + y * np.sin(turned), y * np.cos(turned) - x * np.sin(turned)
    middle = np.hypot(x - wide / 2, y - high / 2)
    waves = {
        "lattice": np.minimum(np.abs(np.sin(np.pi * (x + y) / period)), np.abs(np.sin(np.pi * (x - y) / period))) * 2 - 0.5,
        "stripes": np.sin(2 * np.pi * u / period),
        "checks": np.sign(np.sin(np.pi * u / period) * np.sin(np.pi * v / period)),
        "rings": np.sin(2 * np.pi * middle / period),
        "lace": np.sin(2 * np.pi * x / period) + np.sin(2 * np.pi * y / period) + np.sin(2 * np.pi * middle / period * 0.7),
        "plain": np.full_like(x, dice.choice([-1, 1])),
        "blots": cv2.GaussianBlur(dice.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), period / 4) * period,
    }
    kind = str(dice.choice(list(waves)))
    wave = waves[kind] + waves[kind][::-1, ::-1]
    part = 1 / (1 + np.exp(-4 * wave[..., None]))
    return ink * (1 - part) + light * part, kind == "plain"


def back(dice: np.random.Generator) -> np.ndarray:
    """The back of a card: a border or none, and a pattern that looks the same either way up."""
    high, wide = HEIGHT, round(HEIGHT * dice.uniform(0.63, 0.73))
    ink = dice.uniform(0, 255, 3) if dice.random() < 0.4 else np.float64([(170, 20, 30), (20, 50, 150), (20, 20, 25),
                                                                         (20, 90, 50), (90, 20, 110)][dice.integers(5)])
    light = dice.uniform(200, 255, 3) if dice.random() < 0.75 else np.clip(ink + dice.normal(0, 60, 3), 0, 255)
    face, plain = weave(dice, high, wide, ink, light)
    if dice.random() < 0.4:
        r = dice.uniform(0.08, 0.25) * wide
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        inside = np.hypot(x - wide / 2, y - high / 2) < r
        face[inside] = light if dice.random() < 0.5 else ink
    # A plain card without a border is a blank or the cutting card, not a back.
    if plain or dice.random() < 0.75:
        border = round(dice.uniform(0.03, 0.11) * wide)
        paper = dice.uniform(225, 255)
        face[:border] = face[-border:] = paper
        face[:, :border] = face[:, -border:] = paper
    return rounded(np.clip(face, 0, 255).astype(np.uint8))
