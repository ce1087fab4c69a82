"""What `pg3 score` shows: every score function's value, and the actions that a policy misses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

import pg3 as package
from pg3.analysis.scorecard import score
from pg3.errors import Pg3Error
from pg3.learning.scores import SCORES
from pg3.learning.training import Training
from pg3.planning import compare_plan, execute, plan, plan_guided, policy_action
from pg3.policy import read_policy
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from pg3.semantics.validation import validate
from tests.cli.test_cli import DOMAIN, Run, pg3
from tests.conftest import REPOSITORY
from tests.support.errands import FETCH
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems
from tests.support.random_problems import EVERY_LANGUAGE, Scenario, scenarios

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

PROBLEMS = small_ferry_problems(4)
TRAIN = REPOSITORY / "examples" / "ferry" / "train"
HALF = replace(POLICY, rules=POLICY.rules[:3])


@settings(max_examples=50)
@given(scenarios(*EVERY_LANGUAGE))
def test_it_says_what_the_parts_say(scenario: Scenario) -> None:
    """The values are those of the learner's score functions, the missed actions Algorithm 4's."""
    problem, policy = scenario.problem, scenario.policy
    card = score(problem.domain, [problem], policy)
    (row,) = card.problems
    training = Training([problem], book=RuleBook(problem.domain, policy.definitions))
    key = training.book.key(policy)
    for name, make in SCORES.items():
        (evaluation,) = make(training, 50, 100, "max").evaluate([key])
        assert card.totals[name] == evaluation.score
        assert [row.values[name]] == list(evaluation.by_problem)
    task = Task(problem)
    guided = plan_guided(task, policy)
    alone = plan(task, limits=package.Limits(expansions=1000))
    for compared, outcome in ((row.guided, guided), (row.planned, alone)):
        assert (compared is None) == (outcome.plan is None)
        if compared is None:
            continue
        assert compared.plan == outcome.plan
        assert validate(problem, compared.plan).valid
        agreed = compare_plan(task, policy, compared.plan)
        assert [missed.step for missed in compared.missed] == [
            step for step, agrees in enumerate(agreed, start=1) if not agrees
        ]
        state = task.initial_state
        answers = []
        for action in compared.plan:
            answers.append(policy_action(task, policy, state))
            state = task.successor(state, action)
        for missed in compared.missed:
            assert missed.planned == compared.plan[missed.step - 1]
            answer = answers[missed.step - 1]
            if answer is None:
                assert (missed.chosen, missed.rule) == (None, None)
            else:
                assert missed.chosen == answer.action != missed.planned
                assert missed.rule == policy.rules[answer.rule].name
    execution = execute(problem, policy, max_steps=1000)
    assert (row.status, row.steps) == (str(execution.status), execution.steps)


def test_totals_are_accumulated() -> None:
    by_max, by_mean = (score(FERRY, PROBLEMS, HALF, accumulate=how) for how in ("max", "mean"))
    values = [problem.values["pg3"] for problem in by_max.problems]
    assert by_max.totals["pg3"] == max(values)
    assert by_mean.totals["pg3"] == sum(values) / len(values)
    assert not by_max.solved
    assert score(FERRY, PROBLEMS, POLICY).totals["pg3"] == 0
    assert score(FERRY, PROBLEMS, POLICY).solved


def test_in_the_api() -> None:
    card = package.score(FERRY, PROBLEMS, HALF)
    assert isinstance(card, package.Scorecard)


def test_a_problem_too_large_to_plan_in_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pg3.analysis.scorecard._GROUND_MEGABYTES", 0.0)
    card = score(FERRY, PROBLEMS, POLICY)
    assert card.totals == {}
    for row in card.problems:
        assert row.left_out == "it is too large to ground (memory limit reached)"
        assert row.solved
        assert (row.values, row.guided, row.planned) == ({}, None, None)


def test_bad_arguments() -> None:
    with pytest.raises(Pg3Error, match="no problems"):
        score(FERRY, [], POLICY)
    with pytest.raises(Pg3Error, match="is of another domain than 'ferry'"):
        score(FERRY, [FETCH], POLICY)
    with pytest.raises(Pg3Error, match="'accumulate': one of max, mean, unsolved-mean is expected"):
        score(FERRY, PROBLEMS, POLICY, accumulate="min")  # type: ignore[arg-type]
    with pytest.raises(Pg3Error, match="fly"):
        score(FERRY, PROBLEMS, replace(POLICY, rules=(replace(POLICY.rules[0], action="fly"),)))


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def half(tmp_path: Path) -> Path:
    text = (REPOSITORY / "examples" / "policies" / "ferry.policy").read_text()
    path = tmp_path / "half.policy"
    path.write_text(text[: text.index("(:rule sail-to-misplaced")].rstrip() + ")\n")
    return path


def test_the_table(pg3: Run, half: Path) -> None:
    result = pg3("score", DOMAIN, TRAIN, "--policy", half)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("scores of ferry  solves 0 of 6 problems; ")
    lines = [line.split() for line in result.out.splitlines()]
    assert ["p2.pddl", "no", "rule", "applies", "3", "1", "3", "1", "3"] in lines
    assert ["total", "(max)", "3", "6", "3", "6", "14"] in lines
    assert ["p2.pddl", "5/12", "(sail", "l3", "l2)", "nothing"] in lines
    assert max(map(len, result.out.splitlines())) <= 80


def test_json(pg3: Run, half: Path) -> None:
    result = pg3("score", DOMAIN, TRAIN, "--policy", half, "--json", "-", "--accumulate", "mean")
    assert (result.code, result.err) == (0, "")
    told = json.loads(result.out)
    domain = package.read_domain(DOMAIN)
    files = sorted(TRAIN.glob("*.pddl"))
    card = package.score(
        domain,
        [package.read_problem(path, domain) for path in files],
        read_policy(half, domain),
        accumulate="mean",
        names=[path.name for path in files],
    )
    assert told == card.to_json()
    assert (told["format"], told["version"], told["accumulation"]) == ("pg3-scores", 1, "mean")
    second = told["problems"][1]
    assert second["scores"]["pg3"] == len(second["guided_plan"]["missed"]) == 3
    assert second["guided_plan"]["missed"][0] == {
        "step": 1,
        "planned": "(sail l5 l2)",
        "chosen": None,
        "rule": None,
    }


def test_wrong_usage(pg3: Run, half: Path) -> None:
    assert pg3("score", DOMAIN, TRAIN).code == 2
    assert pg3("score", DOMAIN, "--policy", half).code == 2
    assert pg3("score", DOMAIN, TRAIN, "--policy", half, "--accumulate", "min").code == 2
    missing = pg3("score", DOMAIN, TRAIN, "--policy", "nowhere.policy")
    assert (missing.code, missing.out) == (2, "")
    assert missing.err.startswith("nowhere.policy: ")
    gripper = REPOSITORY / "examples" / "policies" / "gripper.policy"
    stranger = pg3("score", DOMAIN, TRAIN, "--policy", gripper)
    assert (stranger.code, stranger.out) == (2, "")
    assert "gripper.policy:" in stranger.err


def test_numbers_beyond_the_kernels(pg3: Run, half: Path) -> None:
    large = ("--plan-horizon", "9999999999", "--rollout-steps", "9999999999")
    result = pg3("score", DOMAIN, TRAIN, "--policy", half, *large)
    assert (result.code, result.err) == (0, "")
