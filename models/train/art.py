"""Card faces from deck art that installs by name: GNOME's, KDE's and some of npm's decks, drawn once and cached."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path
from typing import Callable

import numpy as np
from PIL import Image

from cards import FACES, RANKS

# Decks with the indices A, J, Q and K; the others in the package speak other languages.
SHEETS = (
    "anglo", "anglo_bitmap", "anglo_modern", "anglo_modern_4_color", "anglo_poker", "dondorf", "gnomangelo",
    "gnomangelo_bitmap", "neoclassical", "neoclassical_4_color", "ornamental", "paris", "plastic", "simplistic",
)
SHEET_FOLDER = Path("/usr/share/aisleriot/cards")
# KDE's decks that are not GNOME's over again: every card is a part of one drawing, by name.
PARTS = {
    "ancient-egyptians": "Ancient_Egyptians", "jolly-royal": "jolly-royal", "nicu-ornamental": "ornamental", "nicu-white": "white",
    "penguins": "penguins", "standard": "standard", "tigullio-international": "tigullio-international",
}
PARTS_FOLDER = Path("/usr/share/carddecks")
COURTS = {"A": "1", "J": "jack", "Q": "queen", "K": "king"}
SUIT_NAMES = {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
# Never trained on: temperatures are measured on decks the networks have not seen.
HELD_OUT = ("anglo_poker", "plastic")
HEIGHT = 280


def sheet(name: str) -> dict[str, np.ndarray] | None:
    """A GNOME deck: one drawing with thirteen columns and, from the top, clubs, diamonds, hearts, spades, the rest."""
    file = SHEET_FOLDER / f"{name}.svgz"
    if not file.is_file():
        return None
    drawn = _draw(file, HEIGHT * 5)
    high, wide = drawn.shape[0] / 5, drawn.shape[1] / 13
    cells = {}
    for row in range(5):
        for column in range(13):
            top, left = round(row * high), round(column * wide)
            cells[row, column] = drawn[top : top + int(high), left : left + int(wide)]
    deck = {name: cells[number // 13, number % 13] for number, name in enumerate(FACES)}
    return deck | {"JOKER": cells[4, 0], "BACK": cells[4, 2]}


def folder(images: Path, kind: str) -> dict[str, np.ndarray] | None:
    """One of Kennard's decks: a file a card; the four-colour ones hold only what differs from the plain ones."""
    if not (images / kind).is_dir():
        return None
    plain = images / kind.replace("4color", "2color")
    deck = {}
    for name in FACES:
        short = name.replace("10", "T") + ".svg"
        file = images / kind / short
        deck[name] = _draw(file if file.is_file() else plain / short, HEIGHT)
    return deck


def parts(name: str) -> dict[str, np.ndarray] | None:
    """One of KDE's decks."""
    file = PARTS_FOLDER / f"svg-{name}" / f"{PARTS[name]}.svgz"
    if not file.is_file():
        return None
    return {card: _part(file, f"{COURTS.get(card[:-1], card[:-1])}_{SUIT_NAMES[card[-1]]}") for card in FACES}


def files(images: Path, named: Callable[[str, str], str]) -> dict[str, np.ndarray] | None:
    """A deck with a file a card, by what its maker calls the card of a rank and a suit."""
    if not images.is_dir():
        return None
    return {card: _draw(images / named(card[:-1], card[-1]), HEIGHT) for card in FACES}


def _bellot(rank: str, suit: str) -> str:
    return f"{SUIT_NAMES[suit]}_{COURTS.get(rank, rank)}.png"


def _knoll(rank: str, suit: str) -> str:
    return f"{rank}{suit}.svg"


def decks(cache: Path, packages: Path) -> dict[str, dict[str, np.ndarray]]:
    """Every deck of art that is installed, by name."""
    found = {}
    images = packages / "node_modules/@heruka_urgyen/react-playing-cards/src/images"
    wanted = {name: (sheet, (name,)) for name in SHEETS}
    wanted |= {f"kennard-{kind}": (folder, (images, kind)) for kind in ("2color", "2color-bf", "4color", "4color-bf")}
    wanted |= {f"kde-{name}": (parts, (name,)) for name in PARTS}
    modules = packages / "node_modules"
    wanted |= {
        "bellot": (files, (modules / "svg-cards/png/2x", _bellot)),
        "knoll": (files, (modules / "cardsJS/dist/cards", _knoll)),
    }
    cache.mkdir(parents=True, exist_ok=True)
    for name, (read, arguments) in wanted.items():
        file = cache / f"{name}.npz"
        if not file.is_file():
            deck = read(*arguments)
            if deck is None:
                continue
            np.savez(file, **deck)
        with np.load(file) as stored:
            found[name] = {card: stored[card] for card in stored.files}
    return found


def index_box(deck: dict[str, np.ndarray]) -> tuple[float, float]:
    """Width and height of the corner index as parts of the card, measured on the twos, whose corners hold nothing else."""
    widths, heights = [], []
    for name in ("2C", "2D", "2H", "2S"):
        face = deck[name]
        high, wide = face.shape[:2]
        inset = max(3, wide // 40)
        corner = face[inset : int(0.36 * high), inset : int(0.33 * wide), :3].astype(int)
        paper = np.median(face[int(0.4 * high) : int(0.6 * high), int(0.1 * wide) : int(0.3 * wide), :3], axis=(0, 1))
        ink = np.abs(corner - paper).sum(axis=2) > 150
        rows, columns = np.flatnonzero(ink.sum(axis=1) > 1), np.flatnonzero(ink.sum(axis=0) > 1)
        if rows.size and columns.size:
            widths.append((columns[-1] + inset + 2) / wide)
            heights.append((rows[-1] + inset + 2) / high)
    if not widths:
        return 0.18, 0.27
    return float(np.clip(np.median(widths), 0.1, 0.33)), float(np.clip(np.median(heights), 0.12, 0.36))


def four_cornered(deck: dict[str, np.ndarray]) -> bool:
    """Whether the top right corner has an index too."""
    face = deck["2S"]
    high, wide = face.shape[:2]
    corner = face[int(0.03 * high) : int(0.25 * high), int(0.72 * wide) : int(0.95 * wide), :3].astype(int)
    paper = np.median(face[int(0.4 * high) : int(0.6 * high), int(0.1 * wide) : int(0.3 * wide), :3], axis=(0, 1))
    return bool((np.abs(corner - paper).sum(axis=2) > 150).mean() > 0.05)


def _part(svg: Path, name: str) -> np.ndarray:
    """One part of a drawing, as high as a card: the first look tells where in the drawing it lies."""
    high = 2 * HEIGHT
    for _ in range(2):
        drawn = _draw(svg, high, f"#{name}")
        solid = drawn[..., 3] > 200
        rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
        card = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        high = min(round(high * HEIGHT / card.shape[0]), 16_000)
    return card


def _draw(file: Path, height: int, part: str | None = None) -> np.ndarray:
    """A drawing, or a part of it, as RGBA."""
    if file.suffix == ".png":
        picture = Image.open(file).convert("RGBA")
        return np.asarray(picture.resize((round(picture.width * height / picture.height), height), Image.Resampling.LANCZOS))
    only = ["--export-id", part] if part else []
    made = subprocess.run(["rsvg-convert", *only, "--height", str(height), "--keep-aspect-ratio", str(file)], capture_output=True, check=True)
    return np.asarray(Image.open(io.BytesIO(made.stdout)).convert("RGBA"))
