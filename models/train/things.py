"""What lies about on tables and is no card: cloths, prints, chips, paper, hands. Each thing is a picture with its mask."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from cards import RANKS
from invented import fonts, rounded, weave

PHOTO_FOLDERS = (Path("/usr/share/backgrounds/mate"), Path("/usr/share/backgrounds/gnome"))
SAYINGS = (
    "BLACKJACK PAYS 3 TO 2", "DEALER MUST DRAW TO 16", "INSURANCE PAYS 2 TO 1", "PERFECT PAIRS", "21+3", "PONTOON",
    "SUPER SEVENS", "A K Q J 10", "LUCKY LADIES", "DEALER STANDS ON 17", "10  J  Q  K  A", "2 TO 1", "BET", "7 7 7",
)


def photographs() -> list[np.ndarray]:
    """Desktop pictures that install by name, as grounds to lay cards on; without them cloths of our own must do."""
    found = []
    for folder in PHOTO_FOLDERS:
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".jpg", ".png", ".webp") and file.stat().st_size < 9_000_000:
                picture = cv2.imread(str(file))
                if picture is not None and min(picture.shape[:2]) > 300:
                    scale = 1000 / max(picture.shape[:2])
                    found.append(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)[..., ::-1])
    return found


def clouds(dice: np.random.Generator, size: int, coarse: float) -> np.ndarray:
    """Smooth noise of about unit strength."""
    cells = max(2, int(size / coarse))
    return cv2.resize(dice.normal(0, 1, (cells, cells)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)


def ground(dice: np.random.Generator, size: int, photos: list[np.ndarray]) -> np.ndarray:
    """A table's surface, square."""
    kind = dice.choice(["felt", "wood", "cloth", "woven", "photo", "plain", "clutter"],
                       p=[0.36, 0.12, 0.1, 0.06, 0.2, 0.1, 0.06])
    if kind in ("photo", "clutter") and photos:
        photo = photos[dice.integers(len(photos))]
        side = int(min(photo.shape[:2]) * dice.uniform(0.2, 1.0))
        y, x = (dice.integers(0, n - side + 1) for n in photo.shape[:2])
        return cv2.resize(photo[y : y + side, x : x + side], (size, size), interpolation=cv2.INTER_AREA).astype(np.float32)
    base = dice.uniform(0, 255, 3)
    if kind == "felt":
        base = np.float64([(15, 95, 55), (20, 60, 130), (120, 20, 35), (70, 30, 90), (30, 30, 34), (10, 110, 110)][dice.integers(6)])
        base = np.clip(base * dice.uniform(0.5, 1.6) + dice.normal(0, 12, 3), 0, 255)
    elif kind == "wood":
        base = np.float64((150, 105, 65)) * dice.uniform(0.4, 1.5)
    elif kind == "plain":
        base = np.full(3, dice.choice([dice.uniform(180, 250), dice.uniform(10, 60)])) + dice.normal(0, 6, 3)
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = base
    if kind == "wood":
        y, x = np.mgrid[0:size, 0:size].astype(np.float32)
        grain = np.sin((x + 14 * clouds(dice, size, 90)) / dice.uniform(2, 12) + y * 0.02) * dice.uniform(4, 22)
        picture += (grain + 9 * clouds(dice, size, 40))[..., None]
    if kind == "cloth":
        picture = _cloth(dice, picture)
    elif kind == "woven":
        # What backs of cards look like, without a card's edge around it.
        picture = weave(dice, size, size, base, dice.uniform(0, 255, 3))[0].astype(np.float32)
    picture += (clouds(dice, size, 2) * dice.uniform(0, 9))[..., None]
    picture += (clouds(dice, size, dice.uniform(60, 300)) * dice.uniform(0, 14))[..., None]
    return picture


def _cloth(dice: np.random.Generator, picture: np.ndarray) -> np.ndarray:
    """A pattern of a few shapes, repeated."""
    size = picture.shape[0]
    cell = int(dice.uniform(30, 180))
    tile = np.empty((cell, cell, 3), np.float32)
    tile[:] = picture[0, 0]
    for _ in range(dice.integers(2, 7)):
        colour = tuple(dice.uniform(0, 255, 3))
        points = dice.uniform(0, cell, (dice.integers(3, 6), 2)).astype(np.int32)
        if dice.random() < 0.5:
            cv2.fillPoly(tile, [points], colour, cv2.LINE_AA)
        else:
            cv2.polylines(tile, [points], True, colour, int(dice.integers(1, 5)), cv2.LINE_AA)
    return np.tile(tile, (size // cell + 1, size // cell + 1, 1))[:size, :size].copy()


def layout(dice: np.random.Generator, picture: np.ndarray, unit: float) -> None:
    """Printed lines, boxes as large as cards, circles and sayings, straight onto a ground; `unit` is a card's width."""
    size = picture.shape[0]
    ink = tuple(float(v) for v in (dice.uniform(200, 255, 3) if dice.random() < 0.7 else dice.uniform(0, 255, 3)))
    thick = max(1, round(unit * dice.uniform(0.015, 0.05)))
    for _ in range(dice.integers(0, 4)):
        x, y = dice.uniform(0, size, 2)
        if dice.random() < 0.5:
            box = cv2.boxPoints(((x, y), (unit * dice.uniform(0.9, 1.4), unit * dice.uniform(1.3, 1.9)), dice.uniform(0, 360)))
            cv2.polylines(picture, [box.astype(np.int32)], True, ink, thick, cv2.LINE_AA)
        else:
            cv2.circle(picture, (int(x), int(y)), int(unit * dice.uniform(0.3, 1.2)), ink, thick, cv2.LINE_AA)
    for _ in range(dice.integers(0, 3)):
        centre = tuple(dice.uniform(-size, 2 * size, 2).astype(int))
        cv2.circle(picture, centre, int(dice.uniform(0.4, 1.6) * size), ink, thick, cv2.LINE_AA)
    if dice.random() < 0.6:
        words(dice, picture, unit * dice.uniform(0.15, 0.7), ink)


def words(dice: np.random.Generator, picture: np.ndarray, high: float, ink: tuple[float, ...]) -> None:
    """A saying somewhere on the ground, at any angle."""
    font = ImageFont.truetype(str(dice.choice(fonts())), max(8, int(high)))
    text = str(dice.choice(SAYINGS)) if dice.random() < 0.8 else str(dice.choice(RANKS))
    box = font.getbbox(text)
    mask = Image.new("L", (box[2] + 4, box[3] + 4), 0)
    ImageDraw.Draw(mask).text((2, 2), text, 255, font)
    turned = np.asarray(mask.rotate(dice.uniform(0, 360), expand=True))
    y, x = (int(dice.uniform(-0.3, 0.9) * n) for n in picture.shape[:2])
    top, left = max(y, 0), max(x, 0)
    part = turned[top - y :, left - x :][: picture.shape[0] - top, : picture.shape[1] - left]
    if part.size:
        place = picture[top : top + part.shape[0], left : left + part.shape[1]]
        place += (np.float32(ink) - place) * (part[..., None] / 255.0)


def chip(dice: np.random.Generator) -> np.ndarray:
    """A chip from above: a disc with spots on its rim and a ring around its middle."""
    size = 96
    face = np.empty((size, size, 3), np.uint8)
    face[:] = dice.uniform(0, 255, 3)
    middle, r = (size // 2, size // 2), size // 2 - 1
    spots, colour = int(dice.integers(4, 9)), tuple(dice.uniform(120, 255, 3))
    for turn in np.arange(spots) * 360 / spots:
        cv2.ellipse(face, middle, (r, r), turn, 0, 180 / spots, colour, -1, cv2.LINE_AA)
    cv2.circle(face, middle, int(r * 0.72), tuple(dice.uniform(0, 255, 3)), -1, cv2.LINE_AA)
    cv2.circle(face, middle, int(r * 0.55), tuple(dice.uniform(60, 255, 3)), -1, cv2.LINE_AA)
    if dice.random() < 0.7:
        value = str(dice.choice(["1", "5", "10", "25", "100", "500"]))
        cv2.putText(face, value, (int(size * (0.5 - 0.09 * len(value))), int(size * 0.58)), cv2.FONT_HERSHEY_DUPLEX, 0.8,
                    tuple(dice.uniform(0, 255, 3)), 2, cv2.LINE_AA)
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, middle, r, 255, -1)
    return np.dstack([face, mask])


def tray(dice: np.random.Generator) -> tuple[np.ndarray, float, float]:
    """The dealer's tray: chips on their edges, tube beside tube. With its size in card widths."""
    tubes, long = int(dice.integers(4, 11)), int(dice.integers(160, 360))
    gap = int(dice.integers(3, 10))
    face = np.empty((long + 2 * gap, tubes * (60 + gap) + gap, 3), np.uint8)
    face[:] = dice.uniform(10, 70) if dice.random() < 0.7 else dice.uniform(0, 255, 3)
    round_about = 0.45 + 0.55 * np.sin(np.linspace(0.15, np.pi - 0.15, 60))
    for tube in range(tubes):
        left = gap + tube * (60 + gap)
        colour, edge = dice.uniform(20, 255, 3), dice.uniform(120, 255, 3)
        thick, filled = int(dice.integers(8, 16)), int(long * dice.uniform(0.2, 1.0))
        column = np.empty((filled, 60, 3), np.float32)
        column[:] = colour
        for top in range(0, filled, thick):
            column[top : top + thick, (np.arange(60) + int(dice.integers(30))) % 30 < 8] = edge
            column[top : top + 2] *= 0.4
        face[gap : gap + filled, left : left + 60] = column * round_about[None, :, None]
    high = 0.62 * long / 60
    return rounded(face, 0.01), high * face.shape[1] / face.shape[0], high


def paper(dice: np.random.Generator) -> tuple[np.ndarray, float, float]:
    """A receipt, a note, a blank or coloured card: flat and square-cornered or rounded. With its size in card widths."""
    wide, high = dice.uniform(0.5, 1.6), dice.uniform(0.6, 2.6)
    face = np.empty((int(90 * high), int(90 * wide), 3), np.uint8)
    blank = dice.random() < 0.35
    face[:] = dice.uniform(215, 255) if dice.random() < 0.6 else dice.uniform(0, 255, 3)
    if blank:
        # The cutting card, or a card with nothing on it: a card's size, and still no card.
        wide, high = 1.0, dice.uniform(1.35, 1.55)
        face = cv2.resize(face, (90, 126))
    else:
        for row in range(8, face.shape[0] - 8, int(dice.integers(9, 22))):
            end = int(face.shape[1] * dice.uniform(0.3, 0.95))
            cv2.putText(face, "".join(dice.choice(list("AEK1092745QJ .-"), 14)), (6, row), cv2.FONT_HERSHEY_SIMPLEX,
                        dice.uniform(0.25, 0.5), tuple(dice.uniform(0, 110, 3)), 1, cv2.LINE_AA)
            face[row - 8 : row + 3, end:] = face[0, 0]
    return rounded(face, 0.055 if blank else 0.01), wide, high


def arm(dice: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """A hand with its sleeve, reaching into the picture: colours and a mask, of the picture's size."""
    mask = np.zeros((size, size), np.uint8)
    sleeve = np.zeros((size, size), np.uint8)
    tip = dice.uniform(0.15, 0.85, 2) * size
    heading = dice.uniform(0, 2 * np.pi)
    along = np.float64([np.cos(heading), np.sin(heading)])
    across = np.float64([-along[1], along[0]])
    palm = dice.uniform(0.07, 0.2) * size
    wrist = tip + along * palm * 1.4
    cv2.circle(mask, tuple(wrist.astype(int)), int(palm * 0.75), 255, -1)
    for finger in range(int(dice.integers(1, 6))):
        root = wrist + across * palm * (finger - 2) * 0.33 - along * palm * 0.3
        end = root - along * palm * dice.uniform(0.5, 1.3) + across * palm * dice.normal(0, 0.2)
        cv2.line(mask, tuple(root.astype(int)), tuple(end.astype(int)), 255, max(2, int(palm * dice.uniform(0.22, 0.32))))
    away = wrist + along * size * 2
    cv2.line(mask, tuple(wrist.astype(int)), tuple(away.astype(int)), 255, max(2, int(palm * 1.0)))
    cuff = wrist + along * palm * dice.uniform(0.8, 3)
    cv2.line(sleeve, tuple(cuff.astype(int)), tuple(away.astype(int)), 255, max(2, int(palm * dice.uniform(1.2, 1.8))))
    skin = np.float64([(224, 172, 140), (190, 130, 95), (120, 78, 55), (240, 200, 175)][dice.integers(4)]) * dice.uniform(0.6, 1.1)
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = np.clip(skin, 0, 255)
    edge = cv2.GaussianBlur(mask, (0, 0), palm * 0.12).astype(np.float32) / 255
    picture *= (0.45 + 0.55 * edge)[..., None]
    cloth = dice.uniform(0, 255, 3) if dice.random() < 0.5 else np.full(3, dice.choice([15.0, 235.0]))
    picture[sleeve > 0] = cloth
    picture += (clouds(dice, size, 12) * 7)[..., None]
    return picture, mask | sleeve
