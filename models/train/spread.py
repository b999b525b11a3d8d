"""An optimiser for matrices that moves all their directions alike, so that what is seldom asked for is learned as well.

A step of Adam on a matrix goes mostly along the few directions that most lessons share. Here the step's matrix is first made
nearly orthogonal (the iteration after Newton and Schulz, with the coefficients known from Muon), and is then as long as
Adam's would be, so that one rate serves both.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

# Of a quintic that drives every singular value into the neighbourhood of one within five rounds.
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ROUNDS = 5
MOMENTUM = 0.95
# What a step of Adam is long, on the mean over a matrix.
LIKE_ADAM = 0.2
# Narrower matrices have no directions to speak of.
LEAST = 12


def evened(matrix: Tensor) -> Tensor:
    """The matrix with all its singular values near one."""
    first, third, fifth = COEFFICIENTS
    x = matrix / (matrix.norm() + 1e-7)
    tall = x.shape[0] > x.shape[1]
    x = x.T if tall else x
    for _ in range(ROUNDS):
        square = x @ x.T
        x = first * x + (third * square + fifth * square @ square) @ x
    return x.T if tall else x


def is_matrix(parameter: nn.Parameter) -> bool:
    """Whether a parameter takes many features to many."""
    return parameter.dim() > 1 and min(parameter.shape[0], parameter[0].numel()) > LEAST


class Spread(torch.optim.Optimizer):
    """Steps of even length in all directions, for the parameters that are matrices."""

    def __init__(self, groups: list[dict]) -> None:
        super().__init__(groups, {"momentum": MOMENTUM})

    @torch.no_grad()
    def step(self) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                if "mean" not in state:
                    state["mean"] = torch.zeros_like(parameter)
                mean = state["mean"].lerp_(parameter.grad, 1 - group["momentum"])
                way = evened(parameter.grad.lerp(mean, group["momentum"]).flatten(1))
                parameter.sub_(way.view_as(parameter), alpha=group["lr"] * LIKE_ADAM * max(way.shape) ** 0.5)
