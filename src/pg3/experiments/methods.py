"""The methods of the paper's table, and what each is told to do."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from pg3.domains import DOMAINS
from pg3.experiments.runs import Options, Run
from pg3.learning.learner import search_limits
from pg3.learning.operators import OPERATORS
from pg3.learning.scores import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.learning.scores import Accumulation


class Kind(Enum):
    """How a method comes to a policy."""

    PAPER = auto()  # one search over policies; the method is the name of its score
    ROBUST = auto()  # the learner's default, which needs no hints
    RANDOM = auto()  # no learning: any applicable action
    NETWORK = auto()  # behaviour cloning with a graph neural network


# A new score function is a new method, without a further edit.
METHODS: dict[str, Kind] = {
    **dict.fromkeys(SCORES, Kind.PAPER),
    "robust": Kind.ROBUST,
    "random": Kind.RANDOM,
    "gnn": Kind.NETWORK,
}

# The network takes far longer than all others together, so it runs only if it is asked for.
DEFAULT_METHODS = tuple(name for name, kind in METHODS.items() if kind is not Kind.NETWORK)


# These scores do not ask how the problems' scores become one.
_WITHOUT_ACCUMULATION = ("policy-evaluation", "goal-count")


def plan_runs(
    domains: Iterable[str],
    methods: Iterable[str],
    seeds: Iterable[int],
    *,
    max_candidates: int | None = None,
    epochs: int,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    max_expansions: int | None = None,
    as_printed: bool = False,
    accumulate: Accumulation | None = None,
) -> list[Run]:
    """All runs of an experiment, in the order in which they are to start.

    Seed by seed, so that an experiment that is stopped early has whole rows for some seeds. A
    method has only the options that it heeds: those of the others do not make it another run. The
    last three are those of the paper's methods; see `learn` for the limits where none are given.
    """
    paper_limits = search_limits("paper", max_candidates, max_expansions, as_printed=as_printed)
    robust_limits = search_limits("robust", max_candidates, None, as_printed=False)
    limits = Options(time_limit=time_limit, memory_limit=memory_limit)

    def options(domain: str, method: str) -> Options:
        kind = METHODS[method]
        if kind is Kind.PAPER:
            most_candidates, most_expansions = paper_limits
            # "max" is what the preset does anyway.
            is_usual = accumulate == "max" or method in _WITHOUT_ACCUMULATION
            return replace(
                limits,
                preset="paper",
                max_candidates=most_candidates,
                max_expansions=most_expansions,
                as_printed=as_printed,
                accumulate=None if is_usual else accumulate,
                # As in the paper, a domain may do without some: the one hint that the preset gets.
                operators=DOMAINS[domain].operators or tuple(OPERATORS),
            )
        if kind is Kind.ROBUST:
            return replace(
                limits,
                preset="robust",
                max_candidates=robust_limits[0],
                operators=tuple(OPERATORS),
            )
        return replace(limits, epochs=epochs if kind is Kind.NETWORK else None)

    domains, methods = list(domains), list(methods)
    return [
        Run(domain, method, seed, options(domain, method))
        for seed in seeds
        for domain in domains
        for method in methods
    ]
