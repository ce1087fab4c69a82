"""Who tries out batches of policies on the training problems: the learner is handed one of these.

The answers are tables of 32-bit integers, policy by policy, a value for each problem. They do not
depend on who works them out, nor on what was asked before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.training import NumberedPlan, Training
    from pg3.policy.rule_book import PolicyKey

# A problem's place and the code of a search there: what `Training.remember` takes.
Trace = tuple[int, int]


class Executions(NamedTuple):
    """What policies come to: whether all goals hold, after how many steps, and how many do not."""

    solved: bytes
    steps: bytes
    open_goals: bytes


class Evaluator(Protocol):
    """Tries out policies on the problems of a training, within its limits and its budget.

    Each method raises LimitReached when the budget is used up.
    """

    def guided(
        self, training: Training, policies: Sequence[PolicyKey], rollout: int
    ) -> tuple[bytes, Sequence[Trace]]:
        """The steps of guided plans that a policy does not take, negative where there is no plan.

        And the traces of the searches for them that are new.
        """
        ...

    def executed(
        self, training: Training, policies: Sequence[PolicyKey], max_steps: int
    ) -> Executions:
        """What each policy comes to, carried out."""
        ...

    def compared(
        self, training: Training, policies: Sequence[PolicyKey], plans: Sequence[NumberedPlan]
    ) -> bytes:
        """The steps of the given plans, one a problem, that a policy does not take."""
        ...

    def identified(self, training: Training, policies: Sequence[PolicyKey]) -> list[int]:
        """The semantic identifiers of policies that were just tried out."""
        ...


class LocalEvaluator:
    """Threads of the kernel, on this machine."""

    def guided(
        self, training: Training, policies: Sequence[PolicyKey], rollout: int
    ) -> tuple[bytes, Sequence[Trace]]:
        """See `Evaluator`."""
        native, limits = training.native, training.budget.limits
        status, mismatches, _, _, traces = native.guided(
            policies, rollout, training.expansions, *limits, training.horizon
        )
        training.budget.checked(status)
        return mismatches, traces

    def executed(
        self, training: Training, policies: Sequence[PolicyKey], max_steps: int
    ) -> Executions:
        """See `Evaluator`."""
        limits = training.budget.limits
        status, *tables = training.native.executed(policies, max_steps, *limits)
        training.budget.checked(status)
        return Executions(*tables)

    def compared(
        self, training: Training, policies: Sequence[PolicyKey], plans: Sequence[NumberedPlan]
    ) -> bytes:
        """See `Evaluator`."""
        status, table = training.native.compared(policies, plans, *training.budget.limits)
        training.budget.checked(status)
        return table

    def identified(self, training: Training, policies: Sequence[PolicyKey]) -> list[int]:
        """See `Evaluator`."""
        states, limits = training.states_of_interest, training.budget.limits
        status, identifiers = training.native.identified(policies, states, *limits)
        training.budget.checked(status)
        return identifiers


LOCAL = LocalEvaluator()
