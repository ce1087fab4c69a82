"""Training in torch, one thread, a few vectorised operations a batch."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

from pg3.baselines.generator import Generator
from pg3.baselines.gnn.network import Batch, Features, Network, log_probabilities, named_views
from pg3.baselines.gnn.trainer import BATCH, LEARNING_RATE, TrainerState

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from torch import Tensor

    from pg3.baselines.gnn.demonstrations import Samples
    from pg3.baselines.gnn.graphs import Rows, Tables


def features_of(tables: Tables) -> Features:
    """The rows of the tables as tensors."""
    return Features(*map(_matrix, (tables.nodes, tables.edges, tables.globals)))


def _matrix(rows: Rows) -> Tensor:
    return floats(rows.floats().tobytes()).view(len(rows), rows.width)


def integers(values: array[int]) -> Tensor:
    """A tensor with a copy of the numbers."""
    if not values:
        return torch.empty(0, dtype=torch.int64)
    return torch.frombuffer(bytearray(values.tobytes()), dtype=torch.int64)


def floats(data: bytes) -> Tensor:
    """A tensor with a copy of 32-bit floats."""
    if not data:
        return torch.empty(0)
    return torch.frombuffer(bytearray(data), dtype=torch.float32)


def _bytes(values: Tensor) -> bytes:
    return bytes(values.detach().view(torch.uint8).tolist())


@contextmanager
def one_thread() -> Iterator[None]:
    """Runs torch on one thread: the work is small, and sums then have one order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class TorchTrainer:
    """Behaviour cloning of the samples with torch's Adam."""

    def __init__(self, samples: Samples, seed: int, state: TrainerState) -> None:
        self._seed = seed
        self._epoch = state.epoch
        self._loss = state.loss
        self._width = samples.vocabulary.arguments
        self._features = features_of(samples.tables)
        self._node_begins = integers(samples.node_begins)
        self._edge_begins = integers(samples.edge_begins)
        self._nodes = integers(samples.nodes)
        self._edges = integers(samples.edges)
        self._sources = integers(samples.sources)
        self._targets = integers(samples.targets)
        self._globals = integers(samples.globals)
        self._actions = integers(samples.actions)
        self._arguments = integers(samples.arguments).view(len(samples), self._width)

        # Every block of weights is a leaf of its own for torch's bookkeeping, but they and their
        # gradients lie in two flat tensors: one step of Adam then serves them all.
        flat = floats(state.weights)
        flat.grad = torch.zeros_like(flat)
        leaves = named_views(samples.vocabulary, flat)
        gradients = named_views(samples.vocabulary, flat.grad)
        for name, leaf in leaves.items():
            leaf.requires_grad_()
            leaf.grad = gradients[name]
        self._flat = flat
        self._network = Network(leaves)
        self._optimizer = torch.optim.Adam([flat], lr=LEARNING_RATE)
        batches = -(-len(samples) // BATCH)
        self._optimizer.state[flat] = {
            "step": torch.tensor(float(state.epoch * batches)),
            "exp_avg": floats(state.means),
            "exp_avg_sq": floats(state.squares),
        }

    def run(self, count: int, seconds: float | None = None) -> int:
        """Train for some more epochs; torch has no limits: all of them are done."""
        del seconds
        with one_thread():
            for _ in range(count):
                self._epoch += 1
                self._loss = self._run_epoch()
        return count

    def state(self) -> TrainerState:
        """All that is needed to go on from here."""
        moments = self._optimizer.state[self._flat]
        return TrainerState(
            self._epoch,
            self._loss,
            _bytes(self._flat),
            _bytes(moments["exp_avg"]),
            _bytes(moments["exp_avg_sq"]),
        )

    def _run_epoch(self) -> float:
        count = len(self._actions)
        total = 0.0
        # Everything is put into the epoch's order at once; a batch is then a slice.
        order = torch.tensor(Generator(self._seed, self._epoch).shuffled(count))
        node_index, node_begins = _permuted(self._node_begins, order)
        edge_index, edge_begins = _permuted(self._edge_begins, order)
        edge_counts = edge_begins.diff()
        shift = torch.repeat_interleave(node_begins[:-1], edge_counts)
        nodes, edges = self._nodes[node_index], self._edges[edge_index]
        sources, targets = self._sources[edge_index] + shift, self._targets[edge_index] + shift
        graphs = torch.repeat_interleave(torch.arange(count), node_begins.diff())
        wholes, actions = self._globals[order], self._actions[order]
        given = self._arguments[order]
        arguments = torch.where(given < 0, -1, given + node_begins[:-1, None])
        node_at, edge_at = node_begins.tolist(), edge_begins.tolist()
        for begin in range(0, count, BATCH):
            end = min(begin + BATCH, count)
            first, last = node_at[begin], node_at[end]
            edge = slice(edge_at[begin], edge_at[end])
            batch = Batch(
                nodes[first:last],
                graphs[first:last] - begin,
                edges[edge],
                sources[edge] - first,
                targets[edge] - first,
                wholes[begin:end],
            )
            total += self._step(batch, actions[begin:end], arguments[begin:end] - first)
        return total / count

    def _step(self, batch: Batch, actions: Tensor, arguments: Tensor) -> float:
        """One step of the optimizer; the sum of the samples' losses before it."""
        gradient = self._flat.grad
        assert gradient is not None
        gradient.zero_()
        outputs = log_probabilities(self._network(self._features, batch), batch.graphs)
        taken = outputs.actions.gather(1, actions[:, None]).sum()
        wanted = outputs.arguments.gather(0, arguments.clamp(min=0))
        taken = taken + torch.where(arguments < 0, 0.0, wanted).sum()
        (-taken / len(actions)).backward()  # type: ignore[no-untyped-call]
        self._optimizer.step()
        return -taken.item()


def _permuted(begins: Tensor, order: Tensor) -> tuple[Tensor, Tensor]:
    """Where to find the entries of groups in another order, and where the groups then begin."""
    counts = begins.diff()[order]
    new_begins = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    shift = torch.repeat_interleave(begins[:-1][order] - new_begins[:-1], counts)
    return torch.arange(len(shift)) + shift, new_begins
