"""Which runs an experiment has."""

from __future__ import annotations

from pg3.domains import DOMAINS
from pg3.experiments.methods import DEFAULT_METHODS, METHODS, Kind, plan_runs
from pg3.experiments.runs import Options, Run
from pg3.operators import OPERATORS
from pg3.scores import SCORES


def test_every_score_is_a_method() -> None:
    assert [name for name, kind in METHODS.items() if kind is Kind.PAPER] == list(SCORES)
    assert set(METHODS) - set(DEFAULT_METHODS) == {"gnn"}


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
    forest = options("forest", "pg3").operators
    assert forest == DOMAINS["forest"].operators
    assert forest is not None
    assert set(forest) == set(OPERATORS) - {"induce-rule"}
