"""Training in torch: one thread, merged graphs, the tensors of every batch made once."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import torch

from pg3.baselines.gnn.merging import merge
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


class _Step(NamedTuple):
    """A batch with the actions to do in its graphs.

    `arguments` are nodes of the batch, -1 where an action has fewer.
    """

    batch: Batch
    actions: Tensor
    arguments: Tensor


def _steps(samples: Samples) -> list[_Step]:
    """The samples in their order, their graphs merged, cut into batches."""
    samples, *counts = merge(samples)
    node_counts, edge_counts = (integers(these).float()[:, None] for these in counts)
    node_begins, edge_begins = integers(samples.node_begins), integers(samples.edge_begins)
    count = len(samples)
    nodes, edges = integers(samples.nodes), integers(samples.edges)
    wholes, actions = integers(samples.globals), integers(samples.actions)
    graphs = torch.repeat_interleave(torch.arange(count), node_begins.diff())
    shift = torch.repeat_interleave(node_begins[:-1], edge_begins.diff())
    sources, targets = integers(samples.sources) + shift, integers(samples.targets) + shift
    given = integers(samples.arguments).view(count, samples.vocabulary.arguments)
    result = []
    for begin in range(0, count, BATCH):
        end = min(begin + BATCH, count)
        first = samples.node_begins[begin]
        node = slice(first, samples.node_begins[end])
        edge = slice(samples.edge_begins[begin], samples.edge_begins[end])
        batch = Batch(
            nodes[node],
            graphs[node] - begin,
            edges[edge],
            sources[edge] - first,
            targets[edge] - first,
            wholes[begin:end],
            node_counts[node],
            edge_counts[edge],
        )
        objects = given[begin:end]
        arguments = torch.where(objects < 0, -1, objects + node_begins[begin:end, None] - first)
        result.append(_Step(batch, actions[begin:end], arguments))
    return result


def _loss(network: Network, features: Features, step: _Step) -> Tensor:
    """The sum of the losses of a batch's samples."""
    outputs = log_probabilities(network(features, step.batch), step.batch)
    taken = outputs.actions.gather(1, step.actions[:, None]).sum()
    wanted = outputs.arguments.gather(0, step.arguments.clamp(min=0))
    return -(taken + torch.where(step.arguments < 0, 0.0, wanted).sum())


def mean_loss(weights: bytes, samples: Samples) -> float | None:
    """The mean loss of samples under a network's weights, None if there are none."""
    if not len(samples):
        return None
    network = Network(named_views(samples.vocabulary, floats(weights)))
    features = features_of(samples.tables)
    with one_thread(), torch.no_grad():
        total = sum(_loss(network, features, step).item() for step in _steps(samples))
    return total / len(samples)


class TorchTrainer:
    """Behaviour cloning of the samples with torch's Adam."""

    def __init__(self, samples: Samples, state: TrainerState) -> None:
        self._epoch = state.epoch
        self._loss = state.loss
        self._count = len(samples)
        self._features = features_of(samples.tables)
        self._steps = _steps(samples)

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
        self._optimizer = torch.optim.Adam([flat], lr=LEARNING_RATE, fused=True)
        self._optimizer.state[flat] = {
            "step": torch.tensor(float(state.epoch * len(self._steps))),
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
        gradient = self._flat.grad
        assert gradient is not None
        losses = []
        for step in self._steps:
            gradient.zero_()
            loss = _loss(self._network, self._features, step)
            (loss / len(step.actions)).backward()  # type: ignore[no-untyped-call]
            self._optimizer.step()
            losses.append(loss.detach())
        return float(torch.stack(losses).double().sum()) / self._count
