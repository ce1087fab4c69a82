"""Behaviour cloning from problems to outcomes: what is learned, shown, saved and carried out."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Literal

import pytest

from pg3.baselines.gnn import (
    GnnPolicy,
    GnnResult,
    evaluate_gnn,
    learn_gnn,
    learning,
)
from pg3.baselines.gnn.vocabulary import Vocabulary
from pg3.baselines.gnn.weights import initial_weights
from pg3.errors import Pg3Error
from pg3.planning import ExecutionStatus, plan
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.baselines.test_random_actions import TRAP, trapped
from tests.support.errands import ERRANDS, FETCH
from tests.support.ferry_problems import FERRY, ferry_problem, small_ferry_problems

if TYPE_CHECKING:
    from pathlib import Path

# The paths differ, so that A*'s plan is the only right one: nothing to choose between.
PROBLEM = ferry_problem({"c0": "l1", "c1": "l2"}, {"c0": "l2", "c1": "l3"}, places=4, name="two")


def train(epochs: int, seed: int = 0, **options: Any) -> GnnResult:
    return learn_gnn(FERRY, small_ferry_problems(3), seed=seed, epochs=epochs, **options)


@pytest.mark.parametrize(("engine", "epochs"), [("kernel", 400), ("torch", 100)])
def test_one_plan_is_learned_exactly(engine: Literal["kernel", "torch"], epochs: int) -> None:
    # Twice, since the first tenth of the states is held out.
    result = learn_gnn(FERRY, [PROBLEM, PROBLEM], seed=0, epochs=epochs, engine=engine)
    wanted = plan(PROBLEM).plan
    (outcome,) = evaluate_gnn(result.policy, [PROBLEM], max_steps=50)
    assert outcome.plan == wanted
    assert outcome.solved
    assert validate(PROBLEM, outcome.plan).valid
    assert (result.samples, result.held_out) == (2 * len(wanted or ()), 1)
    assert (result.epochs, result.reason, result.skipped) == (epochs, "all epochs done", ())
    assert result.loss is not None
    assert result.loss < 0.5
    # The state that was held out is also that of another sample.
    assert result.held_out_loss is not None
    assert result.held_out_loss < 0.5


def test_the_same_seed_gives_the_same_weights() -> None:
    assert train(3).policy == train(3).policy
    assert train(3).policy != train(3, seed=1).policy
    assert train(0).policy.weights == initial_weights(Vocabulary.of(FERRY), 0)


def test_the_observer_is_told_now_and_then() -> None:
    seen: list[tuple[int, float, GnnPolicy]] = []
    result = train(25, observe=lambda *what: seen.append(what))
    assert [epoch for epoch, _, _ in seen] == [1, 2, 5, 10, 20, 25]
    assert [policy.epochs for _, _, policy in seen] == [1, 2, 5, 10, 20, 25]
    seconds = [at for _, at, _ in seen]
    assert seconds == sorted(seconds)
    assert seen[-1][2] == result.policy
    assert seen[1][2] == train(2).policy
    assert all(policy.loss is not None for _, _, policy in seen)


def test_the_observers_time_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    def observe(epoch: int, seconds: float, policy: GnnPolicy) -> None:
        assert (seconds, policy.epochs) == (0.0, epoch)
        clock[0] += 100.0

    assert train(5, observe=observe).seconds == 0.0


def test_the_time_limit_ends_training() -> None:
    result = train(10**9, time_limit=0.0)
    assert (result.epochs, result.reason, result.loss) == (0, "time limit", None)


def test_training_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "checkpoint.json"
    through: list[tuple[int, GnnPolicy]] = []
    whole = train(30, observe=lambda epoch, _, policy: through.append((epoch, policy)))

    class StoppedError(Exception):
        """Stands for Ctrl-C."""

    def stop_late(epoch: int, seconds: float, policy: GnnPolicy) -> None:
        if epoch == 20:
            raise StoppedError

    monkeypatch.setattr(learning, "_CHECKPOINT_SECONDS", 0.0)
    with pytest.raises(StoppedError):
        train(30, checkpoint=path, observe=stop_late)
    assert path.exists()
    again: list[tuple[int, GnnPolicy]] = []
    resumed = train(
        30, checkpoint=path, observe=lambda epoch, _, policy: again.append((epoch, policy))
    )
    assert resumed.policy == whole.policy
    assert again == through
    # A finished one is not trained further, but can be continued to more epochs.
    assert train(30, checkpoint=path).policy == whole.policy
    assert train(35, checkpoint=str(path)).policy == train(35).policy
    with pytest.raises(Pg3Error, match=r"checkpoint\.json: .*35 epochs old, 30"):
        train(30, checkpoint=path)


def test_a_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.json"
    train(1, checkpoint=path)
    for options in ({"seed": 1}, {"engine": "torch"}):
        with pytest.raises(Pg3Error, match="other samples, another seed or another engine"):
            train(2, checkpoint=path, **options)
    with pytest.raises(Pg3Error, match="other samples"):
        learn_gnn(FERRY, [PROBLEM], seed=0, epochs=2, checkpoint=path)


def test_problems_without_a_plan_are_named() -> None:
    result = learn_gnn(FERRY, [PROBLEM, *small_ferry_problems(1)], seed=0, epochs=1)
    assert result.skipped == ()
    unsolvable = trapped().problem
    trap = learn_gnn(TRAP, [trapped("(here b)").problem, unsolvable], seed=0, epochs=1)
    assert trap.skipped == (("p", "unsolvable"),)
    with pytest.raises(Pg3Error, match="nothing to imitate"):
        learn_gnn(TRAP, [unsolvable], seed=0, epochs=1)
    with pytest.raises(Pg3Error, match="nothing to imitate"):
        learn_gnn(FERRY, [PROBLEM], seed=0, epochs=1, astar_expansions=1)


def test_bad_options() -> None:
    with pytest.raises(Pg3Error, match="must not be negative"):
        train(-1)
    with pytest.raises(Pg3Error, match="unknown engine 'steam'; known are kernel, torch"):
        train(1, engine="steam")


def test_the_extension_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    assert train(1).policy == train(1, engine="kernel").policy
    monkeypatch.setitem(sys.modules, "pg3._gnn", None)
    with pytest.raises(Pg3Error, match=r"'kernel' needs the extension pg3\._gnn, .* not built"):
        train(1, engine="kernel")
    assert train(1).policy == train(1, engine="torch").policy


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(Pg3Error, match=r'pip install "pg3\[gnn\]"'):
        train(1)
    policy = GnnPolicy("ferry", Vocabulary.of(FERRY), b"", 0, None)
    with pytest.raises(Pg3Error, match=r'pip install "pg3\[gnn\]"'):
        evaluate_gnn(policy, [PROBLEM], max_steps=1)


def test_outcomes_side_by_side_are_those_alone() -> None:
    policy = train(30).policy
    problems = [PROBLEM, *small_ferry_problems(6, seed=9)]
    together = evaluate_gnn(policy, problems, max_steps=40)
    assert together == [evaluate_gnn(policy, [p], max_steps=40)[0] for p in problems]
    assert together == evaluate_gnn(policy, list(map(Task, problems)), max_steps=40)
    for problem, outcome in zip(problems, together, strict=True):
        assert outcome.steps == len(outcome.plan)
        assert outcome.solved == validate(problem, outcome.plan).valid
    assert evaluate_gnn(policy, [], max_steps=5) == []


def test_ways_to_end() -> None:
    policy = GnnPolicy(
        "ferry", Vocabulary.of(FERRY), initial_weights(Vocabulary.of(FERRY), 0), 0, None
    )
    done = ferry_problem({"c0": "l1"}, {"c0": "l1"}, places=3)
    (outcome,) = evaluate_gnn(policy, [done], max_steps=0)
    assert (outcome.status, outcome.plan) == (ExecutionStatus.SOLVED, ())
    (outcome,) = evaluate_gnn(policy, [PROBLEM], max_steps=1)
    assert (outcome.status, outcome.steps) == (ExecutionStatus.HORIZON, 1)
    # Untrained, it soon comes back to a state where it has been.
    (outcome,) = evaluate_gnn(policy, [PROBLEM], max_steps=10**6)
    assert outcome.status is ExecutionStatus.CYCLE
    vocabulary = Vocabulary.of(TRAP)
    trap = GnnPolicy("trap", vocabulary, initial_weights(vocabulary, 0), 0, None)
    (outcome,) = evaluate_gnn(trap, [trapped()], max_steps=10)
    assert (outcome.status, outcome.steps) == (ExecutionStatus.NOT_APPLICABLE, 1)


def test_equal_probabilities_go_to_the_first_action() -> None:
    # The three places look the same to the network.
    vocabulary = Vocabulary.of(TRAP)
    policy = GnnPolicy("trap", vocabulary, initial_weights(vocabulary, 1), 0, None)
    (outcome,) = evaluate_gnn(policy, [trapped()], max_steps=1)
    assert [str(action) for action in outcome.plan] == ["(go a b)"]


def test_weights_that_are_no_numbers_end_all_the_same() -> None:
    vocabulary = Vocabulary.of(TRAP)
    count = len(initial_weights(vocabulary, 0)) // 4
    policy = GnnPolicy("trap", vocabulary, b"\x00\x00\xc0\x7f" * count, 0, None)
    (outcome,) = evaluate_gnn(policy, [trapped()], max_steps=1)
    assert [str(action) for action in outcome.plan] == ["(go a b)"]


def test_a_policy_of_another_domain_is_refused() -> None:
    with pytest.raises(Pg3Error, match="other types than"):
        evaluate_gnn(train(1).policy, [FETCH], max_steps=1)
    assert FETCH.domain is ERRANDS
