"""Both ways of training: they agree, on graphs with merged nodes too, and refuse nonsense."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

import pytest
import torch

from pg3 import _gnn
from pg3.baselines.gnn.demonstrations import Samples, demonstrate
from pg3.baselines.gnn.kernel_trainer import KernelTrainer
from pg3.baselines.gnn.merging import merge
from pg3.baselines.gnn.network import named_views
from pg3.baselines.gnn.torch_trainer import TorchTrainer, floats, mean_loss
from pg3.baselines.gnn.trainer import Trainer, TrainerState
from pg3.baselines.gnn.weights import initial_weights, weight_layout
from pg3.planning import Limits
from tests.baselines.naive_network import NaiveNetwork
from tests.baselines.test_graphs import BENCH, WORKSHOP
from tests.baselines.test_random_actions import TRAP, trapped
from tests.support.errands import ERRANDS, FETCH
from tests.support.ferry_problems import FERRY, ferry_problem, small_ferry_problems

if TYPE_CHECKING:
    from torch import Tensor

    from pg3.pddl.model import Domain, Problem


def samples_of(domain: Domain, problems: list[Problem]) -> Samples:
    samples, skipped = demonstrate(domain, problems, Limits(expansions=10_000))
    assert not skipped
    return samples


def started(samples: Samples, seed: int = 0) -> TrainerState:
    return TrainerState.initial(initial_weights(samples.vocabulary, seed))


# Eight places of which five are alike, so that nodes and edges are merged.
ROOMY = ferry_problem({"c0": "l1", "c1": "l1"}, {"c0": "l2", "c1": "l3"}, places=8)
CASES = [
    (FERRY, [ROOMY, *small_ferry_problems(4)]),
    (ERRANDS, [FETCH]),
    (WORKSHOP, [BENCH]),  # negative goals, three places, an action without arguments
    (TRAP, [trapped("(here b)").problem]),  # no unary predicate but one, no nullary one
]


@pytest.mark.parametrize(("domain", "problems"), CASES, ids=lambda case: getattr(case, "name", ""))
def test_the_kernel_trains_like_torch(domain: Domain, problems: list[Problem]) -> None:
    samples = samples_of(domain, problems)
    kernel = KernelTrainer(samples, started(samples))
    other = TorchTrainer(samples, started(samples))
    for _ in range(5):
        kernel.run(1)
        other.run(1)
        losses = kernel.state().loss, other.state().loss
        assert losses[0] == pytest.approx(losses[1], rel=2e-3)
    # Adam's means are those of the gradients: after five epochs they still agree, but for weights
    # whose gradients are zero and rounding all there is.
    ours, theirs = (array("f", trainer.state().means) for trainer in (kernel, other))
    for weight in weight_layout(samples.vocabulary):
        block = slice(weight.begin, weight.end)
        assert list(ours[block]) == pytest.approx(list(theirs[block]), abs=5e-3), weight.name


def naive_loss(weights: Tensor, samples: Samples) -> Tensor:
    """The sum of the samples' losses, of graphs as they are: no node is merged."""
    naive = NaiveNetwork(named_views(samples.vocabulary, weights))
    width, total = samples.vocabulary.arguments, torch.zeros(())
    for number in range(len(samples)):
        actions, arguments = naive.logits(samples.graph(number), samples.tables)
        total = total - actions.log_softmax(0)[samples.actions[number]]
        for place in range(width):
            wanted = samples.arguments[number * width + place]
            if wanted >= 0:
                total = total - arguments[:, place].log_softmax(0)[wanted]
    return total


@pytest.mark.parametrize("trainer", [KernelTrainer, TorchTrainer])
def test_one_step_is_that_of_the_naive_network(
    trainer: type[KernelTrainer | TorchTrainer],
) -> None:
    """Merged graphs have the loss and the gradients of those that they stand for."""
    samples = samples_of(FERRY, [ROOMY])
    assert len(samples) <= 16
    weights = floats(initial_weights(samples.vocabulary, 0)).requires_grad_()
    loss = naive_loss(weights, samples) / len(samples)
    loss.backward()  # type: ignore[no-untyped-call]
    assert weights.grad is not None
    one = trainer(samples, started(samples))
    one.run(1)
    state = one.state()
    assert state.loss == pytest.approx(loss.item(), rel=1e-6)
    # Adam's first means are a tenth of the gradients, its squares a thousandth of theirs.
    gradients = weights.grad
    for ours, theirs in ((state.means, gradients * 0.1), (state.squares, gradients**2 * 0.001)):
        assert list(array("f", ours)) == pytest.approx(theirs.tolist(), rel=1e-3, abs=1e-6)


def test_the_first_tenth_is_held_out() -> None:
    samples = samples_of(FERRY, small_ferry_problems(4))
    training, held_out = samples.split()
    assert len(held_out) == len(samples) // 10 > 1
    both = (held_out, training)
    graphs = [part.graph(number) for part in both for number in range(len(part))]
    assert graphs == [samples.graph(number) for number in range(len(samples))]
    assert held_out.actions + training.actions == samples.actions
    assert held_out.arguments + training.arguments == samples.arguments
    # The last sample is always one to train on.
    training, held_out = samples_of(TRAP, [trapped("(here b)").problem]).split()
    assert (len(training), len(held_out)) == (1, 0)


def test_the_loss_of_samples_is_that_of_the_naive_network() -> None:
    _, samples = samples_of(FERRY, small_ferry_problems(4)).split()
    weights = initial_weights(samples.vocabulary, 0)
    total = float(naive_loss(floats(weights), samples))
    assert mean_loss(weights, samples) == pytest.approx(total / len(samples), rel=1e-5)
    assert mean_loss(weights, Samples(samples.vocabulary, samples.tables)) is None


def test_merging_keeps_apart_what_differs() -> None:
    merged = merge(samples_of(FERRY, [ROOMY]))
    # The ferry's place, that of the cars, the two where they go, the four others, the two cars.
    counts = merged.node_counts[: merged.samples.node_begins[1]]
    assert list(counts) == [1, 1, 2, 4, 2]
    edges = slice(0, merged.samples.edge_begins[1])
    into_first = [
        (source, count)
        for source, target, count in zip(
            merged.samples.sources[edges],
            merged.samples.targets[edges],
            merged.edge_counts[edges],
            strict=True,
        )
        if target == 0
    ]
    assert into_first == [(1, 1), (2, 2), (3, 4)]


def test_asymmetric_graphs_stay_as_they_are() -> None:
    samples = samples_of(WORKSHOP, [BENCH])
    merged = merge(samples)
    assert merged.samples == samples
    assert set(merged.node_counts) | set(merged.edge_counts) == {1}


@pytest.mark.parametrize("trainer", [KernelTrainer, TorchTrainer])
def test_going_on_from_a_state_is_as_if_there_was_no_pause(
    trainer: type[KernelTrainer | TorchTrainer],
) -> None:
    samples = samples_of(FERRY, small_ferry_problems(3))
    through: Trainer = trainer(samples, started(samples, 1))
    through.run(4)
    before = trainer(samples, started(samples, 1))
    before.run(2)
    after = trainer(samples, before.state())
    after.run(2)
    assert after.state() == through.state()
    assert through.state().epoch == 4


def test_wider_registers_give_the_same_numbers() -> None:
    samples = samples_of(FERRY, [ROOMY, *small_ferry_problems(4)])
    wide = KernelTrainer(samples, started(samples))
    plain = KernelTrainer(samples, started(samples), plain=True)
    for trainer in (wide, plain):
        trainer.run(20)
    assert wide.state() == plain.state()


def test_the_kernel_refuses_what_does_not_fit() -> None:
    samples = samples_of(WORKSHOP, [BENCH])
    vocabulary, merged = samples.vocabulary, merge(samples)
    shape = [8, 16, 2, 3, 3]
    rows = [t.floats().tobytes() for t in (samples.tables.nodes, samples.tables.edges)]
    rows.append(samples.tables.globals.floats().tobytes())
    fields = [*merged.samples.fields(), merged.node_counts, merged.edge_counts]
    weights = initial_weights(vocabulary, 0)

    def make(shape: list[int], fields: list[array[int]], epoch: int, weights: bytes) -> None:
        _gnn.GnnTrainer(
            shape=shape,
            rows=rows,
            samples=[array("i", values).tobytes() for values in fields],
            epoch=epoch,
            state=[weights, weights, weights],
            batch=16,
            learning_rate=0.001,
        )

    make(shape, fields, 0, weights)
    for number, values in enumerate(fields):
        for wrong in (2**30, -2):
            spoiled = [array("q", field) for field in fields]
            spoiled[number] = array("q", [*values[:-1], wrong])
            with pytest.raises(ValueError, match="malformed"):
                make(shape, spoiled, 0, weights)
        spoiled = [array("q", field) for field in fields]
        spoiled[number] = array("q", values[:-1])
        with pytest.raises(ValueError, match="malformed"):
            make(shape, spoiled, 0, weights)
    for place in range(5):
        for wrong in (shape[place] + 1, -1, 2**30):
            with pytest.raises(ValueError, match="malformed"):
                make([*shape[:place], wrong, *shape[place + 1 :]], fields, 0, weights)
    with pytest.raises(ValueError, match="malformed"):
        make(shape, fields, -1, weights)
    with pytest.raises(ValueError, match="malformed"):
        make(shape, fields, 0, weights[:-4])


def test_no_memory_for_an_epoch_is_an_error() -> None:
    """Not a reason to try for ever."""
    samples = samples_of(WORKSHOP, [BENCH])
    trainer = KernelTrainer(samples, started(samples))

    class Starved:
        def run_epoch(self, _seconds: float | None) -> str:
            return "memory limit"

    trainer._native = Starved()  # type: ignore[assignment]
    with pytest.raises(MemoryError):
        trainer.run(1)
