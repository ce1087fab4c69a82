"""The trainer of the GNN baseline in C++: an extension that pg3 can do without."""

from collections.abc import Sequence

class GnnTrainer:
    """Behaviour cloning with a graph network; ValueError if sizes do not fit each other.

    `shape`: widths of node, edge and global features, places of arguments, actions. `rows`: their
    distinct features, 32-bit floats. `samples`: the fields of `demonstrations.Samples`, then
    how many nodes and edges each one stands for, 32-bit integers. `state`: weights, Adam's means
    and squares, 32-bit floats.
    """

    def __init__(
        self,
        *,
        shape: Sequence[int],
        rows: Sequence[bytes],
        samples: Sequence[bytes],
        epoch: int,
        state: Sequence[bytes],
        batch: int,
        learning_rate: float,
        plain: bool = False,
    ) -> None: ...
    def run_epoch(self, seconds: float | None = None) -> float | str: ...
    def state(self) -> tuple[bytes, bytes, bytes]: ...
