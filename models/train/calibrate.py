"""Measures how far a network's confidence may be believed, on decks it was never trained on, and stores the temperatures.

    python calibrate.py reader runs/reader.pt --shards runs/held-out --plot ../reliability.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

import nets
from lessons import IGNORE

BINS = 10
COLUMNS = {"rank": 0, "suit": 1, "state": 2}


def answers(kind: str, net: torch.nn.Module, root: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """The logits of each head, and what would have been right."""
    gathered: dict[str, list[tuple[np.ndarray, np.ndarray]]] = {}
    for folder in sorted(root.glob("shard-*")):
        if kind == "reader":
            crops, labels = np.load(folder / "crop.npy", mmap_mode="r"), np.load(folder / "label.npy")
            for first in range(0, len(crops), 64):
                heads = _run(net, crops[first : first + 64])
                for head, column in COLUMNS.items():
                    truth = labels[first : first + 64, column]
                    gathered.setdefault(head, []).append((heads[column][truth >= 0], truth[truth >= 0]))
        else:
            pictures, classes = np.load(folder / "picture.npy", mmap_mode="r"), np.load(folder / "classes.npy")
            for first in range(0, len(pictures), 4):
                # Neighbouring cells say the same: a sixteenth of them is plenty.
                logits = np.moveaxis(_run(net, pictures[first : first + 4])[0], 1, -1)[:, ::4, ::4].reshape(-1, 3)
                truth = classes[first : first + 4, ::4, ::4].ravel()
                gathered.setdefault("class", []).append((logits[truth != IGNORE], truth[truth != IGNORE]))
    return {head: (np.concatenate([a for a, _ in parts]), np.concatenate([b for _, b in parts])) for head, parts in gathered.items()}


def _run(net: torch.nn.Module, pictures: np.ndarray) -> list[np.ndarray]:
    with torch.no_grad():
        return [out.numpy() for out in net(torch.from_numpy(pictures.copy()).permute(0, 3, 1, 2).float())]


def softmax(logits: np.ndarray) -> np.ndarray:
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def surprise(logits: np.ndarray, truth: np.ndarray, temperature: float) -> float:
    """Mean negative log-likelihood."""
    return float(-np.log(np.maximum(softmax(logits / temperature)[np.arange(len(truth)), truth], 1e-12)).mean())


def temperature(logits: np.ndarray, truth: np.ndarray) -> float:
    """The temperature that surprises least, to a hundredth."""
    tried = np.exp(np.linspace(np.log(0.3), np.log(5.0), 141))
    best = float(tried[np.argmin([surprise(logits, truth, t) for t in tried])])
    return round(best, 2)


def reliability(logits: np.ndarray, truth: np.ndarray, heat: float) -> tuple[list[tuple[float, float, int]], float]:
    """Per bin of confidence: mean confidence, part right, count; and the expected calibration error."""
    belief = softmax(logits / heat)
    sure, right = belief.max(axis=1), belief.argmax(axis=1) == truth
    bins = np.minimum((sure * BINS).astype(int), BINS - 1)
    rows = [(float(sure[bins == b].mean()), float(right[bins == b].mean()), int((bins == b).sum())) for b in range(BINS) if (bins == b).any()]
    return rows, sum(abs(mean - part) * count for mean, part, count in rows) / max(1, len(truth))


def plot(tables: dict[str, list[tuple[float, float, int]]]) -> str:
    """The reliability of each head as a drawing: on the diagonal, a confidence is as good as its word."""
    side, gap = 180, 30
    parts = []
    for place, (head, rows) in enumerate(tables.items()):
        left = gap + place * (side + gap)
        parts.append(f'<text x="{left}" y="20">{head}</text>'
                     f'<rect x="{left}" y="{gap}" width="{side}" height="{side}" fill="none" stroke="#999"/>'
                     f'<path d="M{left} {gap + side}L{left + side} {gap}" stroke="#999"/>')
        points = [(left + side * mean, gap + side * (1 - right), min(9.0, 1.5 + np.log10(count))) for mean, right, count in rows]
        parts.append('<path fill="none" stroke="#06c" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in points) + '"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="#06c"/>' for x, y, r in points]
    width = gap + len(tables) * (side + gap)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{side + 2 * gap + 10}" font-family="sans-serif" '
            f'font-size="13">{"".join(parts)}<text x="{gap}" y="{side + gap + 24}">across: confidence; up: part that was right</text></svg>\n')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["finder", "reader"])
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--plot", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    saved = torch.load(arguments.checkpoint, map_location="cpu")
    net = nets.build(arguments.kind, pretrained=False)
    net.load_state_dict(saved["net"])
    net.eval()
    saved["temperatures"], tables = {}, {}
    for head, (logits, truth) in answers(arguments.kind, net, arguments.shards).items():
        heat = temperature(logits, truth)
        rows, error = reliability(logits, truth, heat)
        before = reliability(logits, truth, 1.0)[1]
        right = float((logits.argmax(axis=1) == truth).mean())
        saved["temperatures"][head], tables[head] = heat, rows
        print(f"{head}: {100 * right:.2f} % right of {len(truth)}, temperature {heat:.2f}, "
              f"calibration error {100 * before:.2f} % before and {100 * error:.2f} % after")
    torch.save(saved, arguments.checkpoint)
    if arguments.plot:
        arguments.plot.write_text(plot(tables))


if __name__ == "__main__":
    main()
