"""The methods of the paper's table, and what each is told to do."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from pg3.domains import DOMAINS
from pg3.experiments.runs import Options, Run
from pg3.operators import OPERATORS
from pg3.scores import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterable


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


def plan_runs(
    domains: Iterable[str],
    methods: Iterable[str],
    seeds: Iterable[int],
    *,
    max_candidates: int,
    epochs: int,
    time_limit: float | None = None,
    memory_limit: float | None = None,
) -> list[Run]:
    """All runs of an experiment, in the order in which they are to start.

    Seed by seed, so that an experiment that is stopped early has whole rows for some seeds. A
    method has only the options that it heeds: those of the others do not make it another run.
    """
    domains, methods = list(domains), list(methods)
    options = {
        (domain, method): _options(domain, METHODS[method], max_candidates, epochs)
        for domain in domains
        for method in methods
    }
    return [
        Run(
            domain,
            method,
            seed,
            Options(*options[domain, method], time_limit, memory_limit),
        )
        for seed in seeds
        for domain in domains
        for method in methods
    ]


def _options(
    domain: str, kind: Kind, max_candidates: int, epochs: int
) -> tuple[str | None, int | None, tuple[str, ...] | None, int | None]:
    """Preset, candidates, operators and epochs."""
    if kind is Kind.PAPER:
        # As in the paper, a domain may do without some: the one hint that the preset gets.
        return "paper", max_candidates, DOMAINS[domain].operators or tuple(OPERATORS), None
    if kind is Kind.ROBUST:
        return "robust", max_candidates, tuple(OPERATORS), None
    return None, None, None, epochs if kind is Kind.NETWORK else None
