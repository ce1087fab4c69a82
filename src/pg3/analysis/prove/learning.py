"""Learning until proved: counterexamples to a proof are problems to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.analysis.prove.proving import prove
from pg3.errors import pluralize
from pg3.learning.result import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.analysis.prove.proving import ProofResult
    from pg3.learning.result import LearningResult
    from pg3.pddl.model import Domain, Problem

# Times that it is learned again; policies that were proved in the end took one or two.
_ROUNDS = 6


def learn_until_proved(
    domain: Domain,
    problems: Sequence[Problem],
    learn: Callable[[Sequence[Problem]], LearningResult | None],
    *,
    jobs: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> tuple[LearningResult, ProofResult]:
    """The last learning result, and the result of its proof.

    `learn` learns from more problems than those given; with none first, with counterexamples then.
    What is worse than before is not taken; None stands for out of budget. The class is that of
    the given problems.
    """
    more: list[Problem] = []
    result = learn(more)
    assert result is not None, "there is a budget for the first time"
    say("proving the policy")
    proof = prove(domain, problems, result.policy, jobs=jobs)
    for _ in range(_ROUNDS):
        if not proof.counterexamples:
            break
        more += proof.counterexamples
        number = pluralize(len(proof.counterexamples), "counterexample")
        say(f"{proof.claim}; learns again from {number}")
        again = learn(more)
        if again is None or not _is_no_worse(again, result):
            say("that was not learned; the policy of before is kept")
            break
        result = again
        say("proving the policy")
        proof = prove(domain, problems, result.policy, jobs=jobs)
    return result, proof


def _is_no_worse(again: LearningResult, before: LearningResult) -> bool:
    """Whether what was learned from counterexamples, too, may take the place of the other."""
    passes = again.status is Status.PASSED or before.status is not Status.PASSED
    return again.solved and passes
