"""Trains one of the networks on shards of lessons, keeping a checkpoint it can go on from.

    python train.py finder --shards runs/shards --out runs/finder.pt --steps 12000
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import Iterator

import numpy as np
import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import nets
from cards import NOMINAL, STRIDE
from lessons import IGNORE
from nets import Finder
from spread import Spread, is_matrix

BATCH = {"finder": 8, "reader": 32}
# The trunk knows edges already; the rest begins from chance. The finder's first blocks cost most of a step and change least;
# the reader's are cheap, and indices are small signs.
FROZEN = {"finder": Finder.EARLY, "reader": 0}
RATE, TRUNK_RATE = 1.5e-3, 4e-4
AVERAGE = 0.998
# Layers that give answers: each row of theirs is a matter of its own.
LAST = ("what.", "where.1.", "heads.", "corners.")
# So many cells show a card of which half is covered; the votes of one count no more and no less than so many times as much.
MANY, SHARES = 300.0, (0.6, 3.0)
# Where the middle of a card is that the tile's edge cuts through there, nobody can say: such votes count so much.
BEYOND = 0.2
# Half-axes of a card of the size that is found best make about one of the networks' units.
SIZE = 0.7


class Shards:
    """Draws batches from every shard found under some folders; new shards are noticed after each pass."""

    def __init__(self, kind: str, roots: list[Path], shares: list[float], seed: int) -> None:
        self.kind, self.roots, self.shares = kind, roots, shares
        self.dice = np.random.default_rng(seed)
        self.names = ("classes", "votes", "index", "picture") if kind == "finder" else ("label", "corners", "crop")

    def _open(self, root: Path) -> list[dict[str, np.ndarray]]:
        folders = sorted(folder for folder in root.glob("shard-*") if (folder / f"{self.names[0]}.npy").is_file())
        folders = [folder for folder in folders if folder.suffix != ".part"]
        return [{name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in self.names} for folder in folders]

    def batches(self, size: int) -> Iterator[dict[str, Tensor]]:
        """Batches without end."""
        while True:
            pools = [self._open(root) for root in self.roots]
            if not pools[0]:
                raise FileNotFoundError(f"no shards in {self.roots[0]}")
            shares = np.float64([share if pool else 0 for share, pool in zip(self.shares, pools)])
            orders = [self._order(pool) for pool in pools]
            places = [0] * len(pools)
            while places[0] + size <= len(orders[0]):
                rows = []
                for pool in self.dice.choice(len(pools), size, p=shares / shares.sum()):
                    shard, row = orders[pool][places[pool] % len(orders[pool])]
                    places[pool] += 1
                    rows.append({name: array[row] for name, array in pools[pool][shard].items()})
                yield {name: torch.from_numpy(np.stack([row[name] for row in rows])) for name in self.names}

    def _order(self, pool: list[dict[str, np.ndarray]]) -> list[tuple[int, int]]:
        rows = [(shard, row) for shard, arrays in enumerate(pool) for row in range(len(arrays[self.names[0]]))]
        return [rows[place] for place in self.dice.permutation(len(rows))]


def vary(picture: Tensor, generator: torch.Generator) -> Tensor:
    """Pictures as the network takes them, each in slightly different light."""
    x = picture.permute(0, 3, 1, 2).float()
    def each(low: float, high: float, channels: int) -> Tensor:
        return low + (high - low) * torch.rand((x.shape[0], channels, 1, 1), generator=generator)
    x = (x - 128) * each(0.75, 1.25, 1) + 128 + each(-25, 25, 1) + each(-10, 10, 3)
    grey = (torch.rand((x.shape[0], 1, 1, 1), generator=generator) < 0.06).float()
    x = x + grey * (x.mean(dim=1, keepdim=True) - x)
    return x.clamp(0, 255).contiguous(memory_format=torch.channels_last)


def turn(batch: dict[str, Tensor], quarters: int) -> dict[str, Tensor]:
    """A finder's lessons turned to the left by quarters: a table has no up, and four pictures are made of one."""
    def turned(value: Tensor) -> Tensor:
        return torch.rot90(value, quarters, (1, 2)) if value.dim() == 3 else torch.rot90(value, quarters, (2, 3))
    picture = torch.rot90(batch["picture"], quarters, (1, 2))
    x, y, *axes = turned(batch["votes"].float()).unbind(1)
    for _ in range(quarters % 4):
        x, y = y, -x
        axes = [axes[2], -axes[1], axes[0], axes[5], -axes[4], axes[3]]
    votes = torch.stack([x, y, *axes], 1)
    return {"picture": picture, "classes": turned(batch["classes"]), "index": turned(batch["index"]), "votes": votes}


def reframe(crop: Tensor, corners: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Crops framed a little otherwise, some of them coarser, and where their corners then are: no crop is seen twice."""
    count, _, high, wide = crop.shape
    def each(reach: float) -> Tensor:
        return (2 * torch.rand(count, generator=generator) - 1) * reach
    turn, skew = each(0.07), each(0.06)
    # From the new crop's pixels to the old one's, both counted from the middle.
    matrix = torch.stack([
        torch.stack([(1 + each(0.08)) * turn.cos(), skew - turn.sin()], 1),
        torch.stack([turn.sin(), (1 + each(0.08)) * turn.cos()], 1),
    ], 1)
    shift = torch.stack([each(4.0), each(4.0)], 1)
    half = torch.tensor([wide / 2, high / 2])
    scaled = torch.cat([matrix * half[None, None, :] / half[None, :, None], (shift / half).unsqueeze(2)], 2)
    grid = F.affine_grid(scaled, list(crop.shape), align_corners=False)
    moved = F.grid_sample(crop, grid, padding_mode="border", align_corners=False)
    if torch.rand((), generator=generator) < 0.25:
        part = 0.45 + 0.4 * float(torch.rand((), generator=generator))
        coarse = F.interpolate(moved, (round(high * part), round(wide * part)), mode="bilinear", antialias=True)
        some = (torch.rand((count, 1, 1, 1), generator=generator) < 0.5).float()
        moved = moved + some * (F.interpolate(coarse, (high, wide), mode="bilinear") - moved)
    nominal = torch.from_numpy(NOMINAL)
    at = nominal + corners.view(count, 4, 2) - half - shift.unsqueeze(1)
    back = torch.linalg.solve(matrix.unsqueeze(1), at.unsqueeze(3)).squeeze(3)
    return moved.contiguous(memory_format=torch.channels_last), (back + half - nominal).view(count, 8)


def weight_of(votes: Tensor, on_card: Tensor) -> Tensor:
    """How much each cell's votes count: the fewer cells show a card, the more each of them has to know.

    Cells of one card point at one place; how many do so says how much of it shows.
    """
    count, _, rows, columns = votes.shape
    place = torch.arange(columns) * STRIDE, torch.arange(rows).unsqueeze(1) * STRIDE
    # Middles may lie outside the tile; the farthest share the outermost bins.
    bins, margin = rows + columns, columns // 2
    middle = [at + vote for at, vote in zip(place, votes[:, :2].unbind(1))]
    x, y = ((at / STRIDE).round().long().add(margin).clamp(0, bins - 1) for at in middle)
    bin_of = (torch.arange(count).view(-1, 1, 1) * bins + y) * bins + x
    heap = torch.bincount(bin_of[on_card], minlength=count * bins * bins).view(count, 1, bins, bins).float()
    near = F.avg_pool2d(heap, 3, 1, 1, divisor_override=1).flatten()
    beyond = (middle[0] < 0) | (middle[0] > columns * STRIDE) | (middle[1] < 0) | (middle[1] > rows * STRIDE)
    return on_card.float() * (MANY / near[bin_of].clamp(min=1.0)).sqrt().clamp(*SHARES) * (1 - (1 - BEYOND) * beyond)


def unit_of(votes: Tensor) -> Tensor:
    """What votes are measured by: a card's own size, since a miss by a tenth of a card is as bad whatever size it is."""
    long, short = votes[:, 2] + votes[:, 4], votes[:, 5] + votes[:, 7]
    return (SIZE * (long * short).clamp(min=100.0).sqrt()).unsqueeze(1)


def finder_loss(net: nn.Module, batch: dict[str, Tensor], generator: torch.Generator) -> dict[str, Tensor]:
    """How far the finder is from each of its targets."""
    batch = turn(batch, int(torch.randint(4, (), generator=generator)))
    picture = vary(batch["picture"], generator)
    if net.trunk.still(Finder.EARLY):
        # Nothing is learned there: one picture at a time stays in the processor's caches.
        with torch.no_grad():
            early = [net.early(one) for one in picture.split(1)]
        classes, centre, axes, index = net.late(*(torch.cat(features) for features in zip(*early)))
    else:
        classes, centre, axes, index = net(picture)
    truth = batch["classes"].long()
    known = truth != IGNORE
    on_card = known & (truth > 0)
    on_index = (batch["index"] == 1).float()
    votes = batch["votes"]
    weight = weight_of(votes, on_card) * (1 + on_index)
    total = weight.sum().clamp(min=1.0)
    unit = unit_of(votes)
    def votes_apart(got: Tensor, want: Tensor) -> Tensor:
        apart = F.smooth_l1_loss(got / unit, want / unit, beta=0.05, reduction="none").mean(dim=1)
        return (apart * weight).sum() / total
    told = batch["index"] != IGNORE
    indices = F.binary_cross_entropy_with_logits(index[:, 0], on_index, reduction="none")
    return {
        "class": 2 * F.cross_entropy(classes, truth, ignore_index=IGNORE),
        "centre": 3 * votes_apart(centre, votes[:, :2]),
        "axes": 2 * votes_apart(axes, votes[:, 2:]),
        "index": (indices * told).sum() / told.sum().clamp(min=1),
    }


def reader_loss(net: nn.Module, batch: dict[str, Tensor], generator: torch.Generator) -> dict[str, Tensor]:
    """How far the reader is from each of its answers."""
    crop, where = reframe(vary(batch["crop"], generator), batch["corners"].float(), generator)
    rank, suit, state, corners = net(crop)
    label = batch["label"].long()
    framed = torch.isfinite(where).all(dim=1)
    def apart(logits: Tensor, column: int) -> Tensor:
        wanted = label[:, column]
        return F.cross_entropy(logits, wanted.clamp(min=0), reduction="none")[wanted >= 0].sum() / max(1, int((wanted >= 0).sum()))
    # Corners are small numbers that everything after them hangs on.
    off = 4 * F.smooth_l1_loss(corners[framed] / 8, where[framed] / 8, beta=0.1) if framed.any() else corners.sum() * 0
    return {"rank": apart(rank, 0), "suit": apart(suit, 1), "state": apart(state, 2), "corners": off}


LOSS = {"finder": finder_loss, "reader": reader_loss}


def rate(step: int, steps: int) -> float:
    """A short warming up, then half a cosine down to a fiftieth."""
    if step < 100:
        return (step + 1) / 100
    return 0.02 + 0.49 * (1 + math.cos(math.pi * min(1.0, step / steps)))


def begin_from(net: nn.Module, file: Path, lessons: Iterator[dict[str, Tensor]], generator: torch.Generator) -> str:
    """Takes the weights of a model file instead of ImageNet's, and returns what that was trained on."""
    model = onnx.load(str(file))
    weights = {one.name: torch.from_numpy(onnx.numpy_helper.to_array(one).copy()) for one in model.graph.initializer}
    own = net.state_dict()
    # The exporter folds a norm that follows a convolution into it and gives the result names of its own.
    folded = [value for name, value in weights.items() if name.startswith("onnx::Conv")]
    net.load_state_dict({name: weights.get(name, value) for name, value in own.items()})
    if folded:
        _unfold(net, folded[0], folded[1], lessons, generator)
    properties = {property.key: property.value for property in model.metadata_props}
    return properties.get("fairdeal.trained", file.name)


def _unfold(net: nets.Reader, weight: Tensor, bias: Tensor, lessons: Iterator[dict[str, Tensor]],
            generator: torch.Generator) -> None:
    """Parts a convolution from the norm that was folded into it: the norm undoes just what it measures."""
    layer, norm = net.squeeze[0], net.squeeze[1]
    with torch.no_grad():
        layer.weight.copy_(weight)
        layer.bias.copy_(bias)
        pictures = (vary(next(lessons)["crop"], generator) for _ in range(16))
        seen = torch.cat([layer(net.features(picture)[1]).transpose(0, 1).flatten(1) for picture in pictures], dim=1)
        norm.running_mean.copy_(seen.mean(dim=1))
        norm.running_var.copy_(seen.var(dim=1))
        norm.bias.copy_(norm.running_mean)
        norm.weight.copy_(torch.sqrt(norm.running_var + norm.eps))


def optimisers_of(net: nn.Module) -> list[torch.optim.Optimizer]:
    """Who moves which weights, and how fast; the trunk's slower than those that began from chance."""
    parts: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in net.named_parameters():
        if parameter.requires_grad:
            key = (is_matrix(parameter) and not name.startswith(LAST), name.startswith("trunk."))
            parts.setdefault(key, []).append(parameter)
    def groups(matrices: bool) -> list[dict]:
        rates = {True: TRUNK_RATE, False: RATE}
        return [{"params": parts[matrices, trunk], "lr": rates[trunk]} for trunk in rates if (matrices, trunk) in parts]
    return [torch.optim.AdamW(groups(False), weight_decay=1e-4), Spread(groups(True))]


def train(kind: str, shards: Shards, out: Path, steps: int, seed: int, batch: int, note: str,
          frozen: int, begin: Path | None = None) -> None:
    """Trains to the given number of steps, from the checkpoint if there is one."""
    torch.manual_seed(seed)
    net = nets.build(kind)
    if begin is not None and not out.is_file():
        before = begin_from(net, begin, shards.batches(batch), torch.Generator().manual_seed(seed))
        note = f"{note}; begun from {before}"
    net.trunk.freeze(frozen)
    optimisers = optimisers_of(net)
    # A scheduler of torch's own would hide where in the run a checkpoint was; two numbers do.
    groups = [group for one in optimisers for group in one.param_groups]
    bases = [group["lr"] for group in groups]
    average = {name: value.clone() for name, value in net.state_dict().items()}
    step = 0
    if out.is_file():
        saved = torch.load(out, map_location="cpu")
        net.load_state_dict(saved["raw"])
        for one, state in zip(optimisers, saved["optimisers"]):
            one.load_state_dict(state)
        average, step, note = saved["net"], saved["step"], saved.get("note", note)
        shards.dice = np.random.default_rng((seed, step))
    generator = torch.Generator().manual_seed(seed + step)
    net.train()
    begun = spoken = kept = time.monotonic()
    sums: dict[str, float] = {}
    count = 0

    def keep() -> None:
        part = out.with_suffix(".part")
        torch.save({"net": average, "raw": net.state_dict(), "optimisers": [one.state_dict() for one in optimisers],
                    "step": step, "note": note, "trained": f"{step} steps of {batch}, seed {seed}; {note}".rstrip("; ")}, part)
        part.rename(out)

    for lesson in shards.batches(batch):
        if step >= steps:
            break
        for group, base in zip(groups, bases):
            group["lr"] = base * rate(step, steps)
        losses = LOSS[kind](net, lesson, generator)
        net.zero_grad(set_to_none=True)
        sum(losses.values()).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        for one in optimisers:
            one.step()
        step += 1
        momentum = min(AVERAGE, step / (step + 20))
        with torch.no_grad():
            for name, value in net.state_dict().items():
                average[name].lerp_(value, 1 - momentum) if value.is_floating_point() else average[name].copy_(value)
        for name, value in losses.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach())
        count += 1
        now = time.monotonic()
        if now - spoken > 30:
            told = "  ".join(f"{name} {value / count:.4f}" for name, value in sums.items())
            print(f"{step:6} {told}  {count * batch / (now - spoken):.1f}/s", flush=True)
            spoken, count, sums = now, 0, {}
        if now - kept > 180:
            keep()
            kept = now
    keep()
    print(f"{out}: step {step}, {(time.monotonic() - begun) / 60:.1f} min", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=list(LOSS))
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--extra", type=Path, action="append", default=[], help="further shards, such as real photographs")
    parser.add_argument("--share", type=float, action="append", default=[], help="the part of a batch that each --extra gets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--begin", type=Path, help="a model file to begin from instead of ImageNet's weights")
    parser.add_argument("--batch", type=int, help="lessons a step")
    parser.add_argument("--frozen", type=int, help="blocks of the trunk that keep ImageNet's weights")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--note", default="", help="what the model file shall say it was trained on")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    shares = [1 - sum(arguments.share), *arguments.share]
    shards = Shards(arguments.kind, [arguments.shards, *arguments.extra], shares, arguments.seed)
    train(arguments.kind, shards, arguments.out, arguments.steps, arguments.seed, arguments.batch or BATCH[arguments.kind],
          arguments.note, FROZEN[arguments.kind] if arguments.frozen is None else arguments.frozen, arguments.begin)


if __name__ == "__main__":
    main()
