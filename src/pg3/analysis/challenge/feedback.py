"""Learning from the problems that a learned policy fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.challenge.cases import generated_cases, given_cases
from pg3.analysis.challenge.search import find_counterexample
from pg3.analysis.challenge.trial import Trial
from pg3.domains import DOMAINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.challenge.search import Counterexample
    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# The most cases that are tried.
_CASES = 300


def challenge_learned(
    policy: DecisionList, problems: Sequence[Problem], seed: int, seconds: float | None = None
) -> Counterexample | None:
    """A counterexample to learn from, of the same domain as the training problems.

    For a built-in domain its generator makes the cases. For another domain they are made from the
    training problems, with permuted objects and other initial states. None if 300 cases bring none,
    or as many as can be tried in so many `seconds`.
    """
    domain, trial = problems[0].domain, Trial(policy)
    for source in DOMAINS.values():
        if source.domain == domain:
            cases = generated_cases(source, trial, seed=seed, walks=False)
            break
    else:
        cases = given_cases(problems, trial, seed=seed)
    # A shrunk problem, without its trail or its roads, would teach nothing.
    search = find_counterexample(cases, trial, problems=_CASES, seconds=seconds, smallest=False)
    return search.counterexample
