"""What every way of training has: the numbers of the paper and the state that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

# The paper's appendix.
BATCH = 16
LEARNING_RATE = 0.001


@dataclass(frozen=True, slots=True)
class TrainerState:
    """Where training stands after an epoch: all that the epochs to come depend on.

    `means` and `squares` are Adam's running means of the gradients and of their squares; like
    `weights` they are 32-bit floats. `loss` is that of the last epoch.
    """

    epoch: int
    loss: float | None
    weights: bytes
    means: bytes
    squares: bytes

    @classmethod
    def initial(cls, weights: bytes) -> TrainerState:
        """Before the first epoch."""
        return cls(0, None, weights, bytes(len(weights)), bytes(len(weights)))


class Trainer(Protocol):
    """Trains a network on samples, epoch by epoch, in batches of neighbours in their order."""

    def run(self, count: int, seconds: float | None = None) -> int:
        """Train for some more epochs; how many were done before the time was over."""

    def state(self) -> TrainerState:
        """Where training stands."""
