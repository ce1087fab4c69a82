"""One run: what is measured, and that it can be repeated."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pg3.domains import DOMAINS
from pg3.experiments.measurement import failed, peak_megabytes, perform
from pg3.experiments.methods.table import DEFAULT_METHODS, plan_runs
from pg3.experiments.result_line import ResultLine, Status
from pg3.experiments.runs import Run
from pg3.learning.learner import learn
from pg3.planning import execute
from pg3.policy.text import parse_policy, write_policy
from tests.experiments.lines import comparable

if TYPE_CHECKING:
    from pathlib import Path


def make_run(
    domain: str = "spanner", method: str = "pg3", seed: int = 0, candidates: int = 50
) -> Run:
    (run,) = plan_runs([domain], [method], [seed], max_candidates=candidates, epochs=2)
    return run


@pytest.mark.parametrize("method", DEFAULT_METHODS)
def test_every_method_gives_a_line_that_can_be_repeated(method: str) -> None:
    # The fastest domain for a learner that makes problems of its own.
    run = make_run("gripper" if method == "robust" else "spanner", method)
    stages: list[str] = []
    line = perform(run, stage=stages.append)
    assert line.run == run
    assert ResultLine.from_json(line.to_json()) == line
    assert comparable(perform(Run.from_json(run.to_json()))) == comparable(line)
    assert line.done
    assert (line.train, line.test, line.horizon) == (10, 30, DOMAINS[run.domain].horizon)
    assert line.peak_megabytes > 5
    assert line.testing_seconds > 0
    if method == "random":
        assert stages == ["testing"]
        assert (line.learning_seconds, line.candidates, line.policy) == (0, None, None)
        assert line.bests == ()
        return
    assert stages == ["learning", "testing"]
    assert line.candidates is not None
    assert line.candidates <= 50 * 5
    times = [best.seconds for best in line.bests]
    assert times == sorted(times)
    assert 0 < times[-1] <= line.learning_seconds
    assert line.bests[-1].success == line.success
    if method == "robust":
        assert len(line.bests) == 1


def test_a_line_says_what_the_learner_says() -> None:
    source = DOMAINS["ferry"]
    line = perform(make_run("ferry", "goal-count", seed=3))
    result = learn(
        source.domain,
        source.problems("train", seed=3),
        preset="paper",
        score="goal-count",
        max_candidates=50,
    )
    assert (line.candidates, line.expansions) == (result.candidates, result.expansions)
    assert (line.stopped, line.training_solved) == (result.reason, result.solved)
    assert line.policy is not None
    policy = parse_policy(line.policy, source.domain)
    assert policy == result.policy
    executions = [
        execute(problem, policy, max_steps=source.horizon)
        for problem in source.problems("test", seed=3)
    ]
    assert line.steps == tuple(e.steps if e.solved else None for e in executions)


def test_the_learner_is_told_all_options() -> None:
    (run,) = plan_runs(
        ["ferry"], ["pg3"], [3], epochs=1, max_expansions=6, as_printed=True, accumulate="mean"
    )
    line = perform(run)
    source = DOMAINS["ferry"]
    result = learn(
        source.domain,
        source.problems("train", seed=3),
        preset="paper",
        max_expansions=6,
        as_printed=True,
        accumulate="mean",
    )
    assert (line.stopped, line.expansions) == ("expansion limit", 6)
    assert line.candidates == result.candidates
    assert line.policy == write_policy(result.policy, source.domain)
    assert line.bests[-1].score == result.score


def test_the_first_bests_are_worse_than_the_last() -> None:
    line = perform(make_run("ferry"))
    assert line.success == 1
    assert [best.candidate for best in line.bests] == [0, 1, 2, 3, 4]
    scores = [best.score for best in line.bests if best.score is not None]
    assert scores == sorted(scores, reverse=True)
    assert line.bests[0].success == 0


def test_random_actions_differ_between_problems_and_seeds() -> None:
    one, other = (perform(make_run("spanner", "random", seed)).steps for seed in (0, 1))
    assert one != other


def test_a_time_limit_of_the_learner() -> None:
    run = make_run("gripper", "policy-evaluation", candidates=10**9)
    line = perform(replace(run, options=replace(run.options, time_limit=0.2)))
    assert (line.status, line.reason) == (Status.TIME_LIMIT, "learning took more than 0.2 s")
    assert (line.success, line.steps, line.bests) == (0, (None,) * 30, ())
    assert line.stopped == "time limit"
    assert line.candidates is not None
    assert ResultLine.from_json(line.to_json()) == line


def test_a_memory_limit() -> None:
    run = make_run()
    line = perform(replace(run, options=replace(run.options, memory_limit=5)))
    assert line.status is Status.MEMORY_LIMIT
    assert line.reason == "more than 5 MB of memory were needed"
    assert (line.success, line.bests) == (0, ())
    assert ResultLine.from_json(line.to_json()) == line


def test_a_line_of_a_run_that_left_nothing() -> None:
    run = make_run("forest", "random")
    line = failed(run, Status.CRASHED, "because", seconds=1.5, megabytes=7)
    assert line.run == run
    assert (line.train, line.test, line.horizon) == (10, 30, 100)
    assert ResultLine.from_json(line.to_json()) == line


def test_memory_of_processes() -> None:
    assert 5 < peak_megabytes() <= peak_megabytes(os.getpid())  # it may grow in between
    assert peak_megabytes(2**22 + 1) == 0


def test_a_network(tmp_path: Path) -> None:
    run = make_run(method="gnn")
    stages: list[str] = []
    line = perform(run, checkpoint=tmp_path / "checkpoint", stage=stages.append)
    assert stages == ["learning", "testing"]
    assert ResultLine.from_json(line.to_json()) == line
    assert line.versions.torch is not None
    assert (line.candidates, line.expansions, line.policy) == (None, None, None)
    assert line.training_solved is False
    assert [best.epoch for best in line.bests] == [1, 2]
    assert line.bests[-1].success == line.success
    assert all(best.score is not None and best.score > 0 for best in line.bests)
    assert 0 < line.bests[-1].seconds <= line.learning_seconds
    # What was learned is kept: nothing is left to do, and the times are those of then.
    again = perform(run, checkpoint=tmp_path / "checkpoint")
    assert comparable(again) == comparable(line)
    assert again.bests == line.bests


def test_a_network_that_has_no_time() -> None:
    run = make_run(method="gnn")
    line = perform(replace(run, options=replace(run.options, time_limit=0.0)))
    assert (line.status, line.reason) == (Status.TIME_LIMIT, "learning took more than 0 s")
    assert ResultLine.from_json(line.to_json()) == line
