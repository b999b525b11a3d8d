"""The two networks: one finds cards in a picture, one reads the card in a crop."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from cards import CROP_MARGIN, RANKS, SUITS
from trunk import Block, Trunk, conv

# Votes and axes are learned in this unit, so that their errors weigh about as much as the others.
PIXELS = 32.0


class Separable(nn.Module):
    """A cheap 3×3 or 5×5 convolution with a residual, for the way back up."""

    def __init__(self, channels: int, kernel: int = 3) -> None:
        super().__init__()
        self.depth = conv(channels, channels, kernel, groups=channels)
        self.point = conv(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.point(F.relu6(self.depth(x), inplace=True))


class Finder(nn.Module):
    """Every visible card pixel says what it is and votes for its card's centre and axes (see `models/README.md`)."""

    WIDTH = 48
    # Blocks up to stride 8.
    EARLY = 5

    def __init__(self) -> None:
        super().__init__()
        width = self.WIDTH
        self.trunk = Trunk(9)
        self.deeper16 = _silent(*(Block(5, 1, 3, 112, 112) for _ in range(4)))
        self.down = Block(5, 2, 3, 112, 96)
        self.context = nn.Sequential(Block(5, 1, 3, 96, 96), Block(5, 1, 3, 96, 96))
        self.from32 = conv(96, width)
        self.from16 = conv(112, width)
        self.from8 = conv(40, width)
        self.from4 = conv(24, width)
        self.mix16, self.mix8 = Separable(width, 5), Separable(width, 5)
        self.finer8 = _silent(*(Separable(width, 5) for _ in range(4)))
        self.mix4 = nn.Sequential(Separable(width), Separable(width))
        self.finer4 = _silent(Separable(width, 5), Separable(width, 5))
        self.what = conv(width, 4)
        self.where = nn.Sequential(Separable(width, 5), conv(width, 8))

    def forward(self, image: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.late(*self.early(image))

    def early(self, image: Tensor) -> tuple[Tensor, Tensor]:
        """Features at strides 4 and 8, which training may hold still."""
        features = self.trunk.onward([F.relu6(self.trunk.stem((image - 127.0) / 128.0), inplace=True)], 0, self.EARLY)
        return features[3], features[self.EARLY]

    def late(self, at4: Tensor, at8: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """What cards there are, from early features."""
        at16 = self.deeper16(self.trunk.onward([at8], self.EARLY, len(self.trunk.blocks))[-1])
        at32 = self.context(self.down(at16))
        x = self.mix16(_up(self.from32(at32)) + self.from16(at16))
        x = self.finer8(self.mix8(_up(x) + self.from8(at8)))
        x = self.finer4(self.mix4(_up(x) + self.from4(at4)))
        what, where = self.what(F.relu6(x)), self.where(x)
        return what[:, :3], where[:, :2] * PIXELS, where[:, 2:] * PIXELS, what[:, 3:]


class Reader(nn.Module):
    """Rank, suit, state and corrected corners of the card in a crop."""

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk(8)
        self.deeper = _silent(Block(5, 1, 4, 80, 80), Block(5, 1, 4, 80, 80))
        # Features come in all sizes: without the norms the first steps would kill most of the squeeze for good.
        self.squeeze = nn.Sequential(conv(80, 64), nn.BatchNorm2d(64), nn.ReLU())
        self.dense = nn.Sequential(nn.Linear(64 * 8 * 6, 192), nn.BatchNorm1d(192), nn.ReLU())
        # Nine from eight and queen from jack is told by strokes that are gone at stride 16.
        self.strokes = nn.Sequential(conv(40, 8), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16 * 12, 192))
        nn.init.zeros_(self.strokes[-1].weight)
        nn.init.zeros_(self.strokes[-1].bias)
        self.heads = nn.Linear(192, len(RANKS) + len(SUITS) + 3)
        # Where the edges are is plain from the map itself; what the card is has to be thought about.
        self.corners = nn.Linear(64 * 8 * 6, 8)
        self.drop = nn.Dropout(0.1)

    def forward(self, crop: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        at8, at16 = self.features(crop)
        flat = self.squeeze(at16).flatten(1)
        weigh, *settle = self.dense
        thought = weigh(flat) + self.strokes(at8)
        for layer in settle:
            thought = layer(thought)
        rank, suit, state = self.heads(self.drop(thought)).split((13, 4, 3), dim=1)
        return rank, suit, state, self.corners(flat) * CROP_MARGIN

    def features(self, crop: Tensor) -> tuple[Tensor, Tensor]:
        """What is seen at strides 8 and 16."""
        features = self.trunk(crop)
        return features[4], self.deeper(features[-1])


def _silent(*parts: Block | Separable) -> nn.Sequential:
    """Residual parts that add nothing until they have learned to: a network trained without them can go on with them."""
    for part in parts:
        last = part.project if isinstance(part, Block) else part.point
        nn.init.zeros_(last.weight)
        nn.init.zeros_(last.bias)
    return nn.Sequential(*parts)


def _up(x: Tensor) -> Tensor:
    return F.interpolate(x, scale_factor=2.0, mode="nearest")


def build(kind: str, pretrained: bool = True) -> nn.Module:
    """A network of a kind, `finder` or `reader`."""
    net: Finder | Reader = {"finder": Finder, "reader": Reader}[kind]()
    if pretrained:
        net.trunk.load_pretrained()
    return net.to(memory_format=torch.channels_last)
