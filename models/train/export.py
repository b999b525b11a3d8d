"""Writes a trained network as ONNX, with what the program must know beside it, and proves that ONNX Runtime agrees.

    python export.py finder runs/finder.pt ../finder.onnx
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from torch import nn

import cards
import nets

VERSION = "1"
OPSET = 17
OUTPUTS = {"finder": ("class", "centre", "axes", "index"), "reader": ("rank", "suit", "state", "corners")}
TEMPERATURES = {"finder": ("class",), "reader": ("rank", "suit", "state")}
# Logits and pixels: a thousandth of either changes nothing that anybody sees.
TOLERANCE = 2e-3


def example(kind: str, seed: int = 1) -> torch.Tensor:
    """A picture of noise in the shape a network takes."""
    shape = (2, 3, 96, 160) if kind == "finder" else (2, 3, cards.CROP_HEIGHT, cards.CROP_WIDTH)
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) * 255.0


def export(kind: str, net: nn.Module, file: Path, temperatures: dict[str, float], trained: str) -> float:
    """Writes the file and returns the greatest difference between the two runtimes."""
    net.eval()
    name = "image" if kind == "finder" else "crop"
    axes = {name: {0: "n", 2: "h", 3: "w"} if kind == "finder" else {0: "n"}}
    axes |= {out: {0: "n", 2: "h4", 3: "w4"} if kind == "finder" else {0: "n"} for out in OUTPUTS[kind]}
    # The tracing exporter is in Debian's torch and in newer ones, which must be asked for it.
    newer = {"dynamo": False} if int(torch.__version__.split(".")[0]) >= 2 else {}
    torch.onnx.export(
        net.to(memory_format=torch.contiguous_format), (example(kind),), str(file), opset_version=OPSET,
        input_names=[name], output_names=list(OUTPUTS[kind]), dynamic_axes=axes, **newer,
    )
    model = onnx.load(str(file))
    properties = {"fairdeal.version": VERSION, "fairdeal.kind": kind, "fairdeal.trained": trained}
    for head in TEMPERATURES[kind]:
        properties[f"fairdeal.temperature.{head}"] = f"{temperatures.get(head, 1.0):.4f}"
    onnx.helper.set_model_props(model, properties)
    onnx.checker.check_model(model)
    onnx.save(model, str(file))
    return difference(kind, net, file)


def difference(kind: str, net: nn.Module, file: Path) -> float:
    """How far ONNX Runtime is from torch on pictures of noise, of two sizes where the size is free."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    worst = 0.0
    for seed in (1, 2):
        picture = example(kind, seed)
        if kind == "finder" and seed == 2:
            picture = torch.nn.functional.interpolate(picture[:1], size=(128, 64))
        with torch.no_grad():
            ours = net(picture)
        theirs = session.run(list(OUTPUTS[kind]), {session.get_inputs()[0].name: picture.numpy()})
        worst = max(worst, *(float(np.abs(a.numpy() - b).max()) for a, b in zip(ours, theirs)))
    return worst


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=list(OUTPUTS))
    parser.add_argument("checkpoint", type=Path, help="what training saved")
    parser.add_argument("file", type=Path, help="the ONNX file to write")
    arguments = parser.parse_args()
    saved = torch.load(arguments.checkpoint, map_location="cpu")
    net = nets.build(arguments.kind, pretrained=False)
    net.load_state_dict(saved["net"])
    worst = export(arguments.kind, net, arguments.file, saved.get("temperatures", {}), saved.get("trained", ""))
    size = arguments.file.stat().st_size / 1e6
    print(f"{arguments.file}: {size:.1f} MB, ONNX Runtime differs from torch by at most {worst:.1e}")
    return 0 if worst < TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
