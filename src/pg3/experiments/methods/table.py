"""The methods of the paper's table, and what each is told to do."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from pg3.experiments.methods.fast_downward import CONFIGURATIONS, MEGABYTES, SECONDS
from pg3.experiments.runs import Options, Run
from pg3.learning.config import LearnConfig, configured
from pg3.learning.operators import INDUCE_RULE, PAPER_OPERATORS
from pg3.learning.scores import SCORES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Kind(Enum):
    """How a method comes to a policy."""

    PAPER = auto()  # one search over policies; the method is the name of its score
    ROBUST = auto()  # the learner's default, which needs no hints
    RANDOM = auto()  # no learning: any applicable action
    NETWORK = auto()  # behaviour cloning with a graph neural network
    PLANNER = auto()  # no policy: Fast Downward plans each test problem


# A new score function is a new method, without a further edit.
METHODS: dict[str, Kind] = {
    **dict.fromkeys(SCORES, Kind.PAPER),
    "robust": Kind.ROBUST,
    "random": Kind.RANDOM,
    "gnn": Kind.NETWORK,
    **dict.fromkeys(CONFIGURATIONS, Kind.PLANNER),
}

# These take far longer than all others together, so they run only if they are asked for.
_LONG = (Kind.NETWORK, Kind.PLANNER)
DEFAULT_METHODS = tuple(name for name, kind in METHODS.items() if kind not in _LONG)


# The operators that the paper uses in a domain where these are not all. In Forest the rules that
# Induce Rule makes remember pieces of a trail.
OPERATORS_OF = {"forest": tuple(name for name in PAPER_OPERATORS if name != INDUCE_RULE)}


def plan_runs(
    domains: Iterable[str],
    methods: Iterable[str],
    seeds: Iterable[int],
    config: LearnConfig | None = None,
    *,
    epochs: int,
    data: Mapping[str, str] | None = None,
    **options: Any,
) -> list[Run]:
    """All runs of an experiment, in the order in which they are to start.

    Seed by seed, so that an experiment that is stopped early has whole rows for some seeds. A
    method has only the options that it uses: those of the others do not make it another run. The
    `config` is that of the paper's methods, with these `options` changed (see `LearnConfig`).
    `data` has the folders of domains that are not built in.
    """
    folders = data or {}
    config = configured(LearnConfig(preset="paper") if config is None else config, options)
    robust = LearnConfig(
        max_candidates=config.max_candidates,
        time_limit=config.time_limit,
        memory_limit=config.memory_limit,
    )

    def options_of(domain: str, method: str) -> Options:
        kind = METHODS[method]
        if kind is Kind.PAPER:
            hint = None if domain in folders else OPERATORS_OF.get(domain)
            # "max" is what the preset does anyway.
            is_usual = config.accumulate == "max" or not SCORES[method].accumulates
            told = replace(
                config,
                preset="paper",
                accumulate=None if is_usual else config.accumulate,
                # The one hint that the preset gets, as in the paper.
                operators=hint or config.operators,
            )
            return Options.of(told)
        if kind is Kind.ROBUST:
            return Options.of(robust)
        if kind is Kind.PLANNER:
            return Options(
                time_limit=SECONDS if config.time_limit is None else config.time_limit,
                memory_limit=MEGABYTES if config.memory_limit is None else config.memory_limit,
            )
        return Options(
            epochs=epochs if kind is Kind.NETWORK else None,
            time_limit=config.time_limit,
            memory_limit=config.memory_limit,
        )

    domains, methods = list(domains), list(methods)
    return [
        Run(
            domain,
            method,
            seed,
            replace(options_of(domain, method), data=folders.get(domain)),
        )
        for seed in seeds
        for domain in domains
        for method in methods
    ]
