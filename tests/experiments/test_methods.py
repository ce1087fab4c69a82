"""Which runs an experiment has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pg3.domains import PAPER_DOMAINS
from pg3.errors import Pg3Error
from pg3.experiments.methods.fast_downward import CONFIGURATIONS
from pg3.experiments.methods.table import DEFAULT_METHODS, METHODS, Kind, plan_runs
from pg3.experiments.runs import Options, Run
from pg3.learning.operators import OPERATORS
from pg3.learning.scores import SCORES
from pg3.learning.training import Training
from pg3.policy import read_policy
from pg3.policy.rule_book import RuleBook
from pg3.semantics.task import Task
from tests.cli.test_cli import POLICY
from tests.support.ferry_problems import FERRY, small_ferry_problems

if TYPE_CHECKING:
    from pg3.learning.scores import Accumulation


def test_every_score_is_a_method() -> None:
    assert [name for name, kind in METHODS.items() if kind is Kind.PAPER] == list(SCORES)
    assert set(METHODS) - set(DEFAULT_METHODS) == {"gnn", *CONFIGURATIONS}


def test_runs_come_seed_by_seed() -> None:
    runs = plan_runs(
        ["ferry", "forest"], ["pg3", "random"], [0, 3], max_candidates=5, epochs=7, time_limit=1
    )
    assert [(run.seed, run.domain, run.method) for run in runs] == [
        (seed, domain, method)
        for seed in (0, 3)
        for domain in ("ferry", "forest")
        for method in ("pg3", "random")
    ]


def test_a_run_has_the_options_that_it_heeds() -> None:
    def options(domain: str, method: str) -> Options:
        (run,) = plan_runs(
            [domain], [method], [0], max_candidates=5, epochs=7, time_limit=9, memory_limit=11
        )
        assert run == Run(domain, method, 0, run.options)
        return run.options

    every = tuple(OPERATORS)
    assert options("ferry", "combo") == Options("paper", 5, every, None, 9, 11)
    assert options("forest", "robust") == Options("robust", 5, every, None, 9, 11)
    assert options("forest", "random") == Options(None, None, None, None, 9, 11)
    assert options("forest", "gnn") == Options(None, None, None, 7, 9, 11)
    # Only Forest goes without induced rules.
    forest = options("forest", "pg3").operators
    assert forest == tuple(name for name in OPERATORS if name != "induce-rule")
    others = set(PAPER_DOMAINS) - {"forest"}
    assert {options(domain, "pg3").operators for domain in others} == {every}


def options_of(method: str, **given: Any) -> Options:
    """The options of a run in Ferry."""
    (run,) = plan_runs(["ferry"], [method], [0], epochs=7, **given)
    return run.options


def test_an_option_that_runs_do_not_have_is_not_ignored() -> None:
    with pytest.raises(Pg3Error, match="do not have the option 'rollout_steps'"):
        options_of("pg3", rollout_steps=7)
    assert options_of("pg3", rollout_steps=50) == options_of("pg3")


def test_limits_where_some_are_not_given() -> None:
    def limits(method: str, **given: Any) -> tuple[int | None, int | None, bool]:
        options = options_of(method, **given)
        return options.max_candidates, options.max_expansions, options.as_printed

    assert limits("pg3") == (2500, None, False)
    assert limits("pg3", max_expansions=9) == (None, 9, False)
    assert limits("pg3", max_expansions=9, max_candidates=8) == (8, 9, False)
    assert limits("pg3", as_printed=True) == (None, 2500, True)
    assert limits("pg3", as_printed=True, max_candidates=8) == (8, None, True)


@pytest.mark.parametrize("method", ["robust", "random", "gnn"])
def test_options_of_the_papers_methods_make_no_other_runs_of_others(method: str) -> None:
    same = options_of(method, max_expansions=9, as_printed=True, accumulate="mean")
    assert same == options_of(method)


@pytest.mark.parametrize("method", SCORES)
def test_accumulation_makes_another_run_where_it_makes_other_scores(method: str) -> None:
    problems = small_ferry_problems(4)
    book = RuleBook(FERRY)
    training = Training([Task(problem, book.table) for problem in problems], book=book)
    start = book.take(read_policy(POLICY, FERRY))
    policies = [start[:length] for length in range(len(start))]

    def scores(how: Accumulation) -> list[tuple[float, float]]:
        evaluations = SCORES[method](training, 50, 100, how).evaluate(policies)
        return [(evaluation.score, evaluation.tie) for evaluation in evaluations]

    heeded = options_of(method, accumulate="mean") != options_of(method)
    assert heeded == (scores("max") != scores("mean"))
    # The default by its name is the default.
    assert options_of(method, accumulate="max") == options_of(method)


def test_a_planner_has_limits_for_each_problem() -> None:
    (usual,) = plan_runs(["ferry"], ["lama"], [0], epochs=1, max_candidates=7)
    assert usual.options == Options(time_limit=60.0, memory_limit=4096.0)
    (told,) = plan_runs(["ferry"], ["lama"], [0], epochs=1, time_limit=2.0, memory_limit=100.0)
    assert told.options == Options(time_limit=2.0, memory_limit=100.0)
