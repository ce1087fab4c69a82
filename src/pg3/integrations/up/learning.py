"""Learning from unified-planning problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pg3.integrations.up.conversion import convert
from pg3.learning.learner import LearningResult, learn

if TYPE_CHECKING:
    from collections.abc import Sequence


def learn_from_up(
    problems: Sequence[Any], *, name: str = "domain", **options: Any
) -> LearningResult:
    """Learn a policy from unified-planning problems of one domain; `result.policy` is what counts.

    The options are those of `pg3.learn`; `name` is that of the domain and of the policy. Problems
    must have the same fluents and actions, as if one function had made them all (else Pg3Error),
    and be in pg3's fragment (else UnsupportedProblemError). Costs play no part in learning.
    """
    conversion = convert(problems, name=name)
    return learn(conversion.domain, conversion.problems, **options)
