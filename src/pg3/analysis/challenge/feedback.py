"""Learning from what a learned policy cannot do yet."""

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

# Cases that a policy must pass before we say that none was found.
_CASES = 300


def challenge_learned(
    policy: DecisionList, problems: Sequence[Problem], seed: int, seconds: float | None = None
) -> Counterexample | None:
    """A counterexample to learn from, of the same domain as the training problems.

    A built-in domain has a generator, which says what its problems look like. Of another domain
    nothing is known but the problems themselves: these are permuted, and started elsewhere. None
    if 300 cases bring none, or as many as there is time for in so many `seconds`.
    """
    domain, trial = problems[0].domain, Trial(policy)
    for source in DOMAINS.values():
        if source.domain == domain:
            cases = generated_cases(source, trial, seed=seed, walks=False)
            break
    else:
        cases = given_cases(problems, trial, seed=seed)
    # A problem with its trail or its roads taken away is smaller, but no lesson.
    search = find_counterexample(cases, trial, problems=_CASES, seconds=seconds, smallest=False)
    return search.counterexample
