"""unified-planning's validator without what it does over and over.

Its verdicts are the same: whatever is not as simple as here is left to the original.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any
from unittest import mock

import unified_planning.shortcuts as up
from unified_planning.engines import plan_validator, sequential_simulator
from unified_planning.engines.compilers import GrounderHelper
from unified_planning.engines.sequential_simulator import UPSequentialSimulator
from unified_planning.model.walkers.state_evaluator import StateEvaluator

if TYPE_CHECKING:
    from collections.abc import Iterator


class KnownProblem(up.Problem):  # type: ignore[misc]
    """A problem with only what the validator knows, which asks four times.

    `ground_actions` are those that the problems of a language have in common.
    """

    ground_actions: dict[Any, Any]

    @property
    def kind(self) -> Any:
        """All features that a problem may have for the validator's simulator."""
        return UPSequentialSimulator.supported_kind()


class _Grounder(GrounderHelper):  # type: ignore[misc]
    """Ground actions as the validator makes them, once for all problems of a language.

    What never changes in a problem does not simplify them: it is looked up in each state.
    """

    def __init__(self, problem: KnownProblem) -> None:
        super().__init__(problem, prune_actions=False)
        self._grounded_actions = problem.ground_actions


def _is_ground(node: Any) -> bool:
    return node.is_fluent_exp() and all(term.is_object_exp() for term in node.args)


class _Evaluator(StateEvaluator):  # type: ignore[misc]
    """An atom of objects is looked up as it is, where the original writes it anew."""

    def evaluate(self, expression: Any, state: Any, _variable_assignments: Any = None) -> Any:
        """The value of an expression in a state."""
        if expression.is_constant():
            return expression
        if _is_ground(expression):
            return state.get_value(expression)
        if expression.is_not() and _is_ground(expression.arg(0)):
            return self.manager.Bool(not state.get_value(expression.arg(0)).is_true())
        return super().evaluate(expression, state, _variable_assignments or {})


class _Simulator(UPSequentialSimulator):  # type: ignore[misc]
    """The same for the atom that an effect changes."""

    def _evaluate_effect(self, effect: Any, *rest: Any, **named: Any) -> Any:
        if _is_ground(effect.fluent):
            named.setdefault("evaluated_fluent", effect.fluent)
        return super()._evaluate_effect(effect, *rest, **named)


@contextlib.contextmanager
def shortcuts() -> Iterator[None]:
    """Validators made inside use these classes."""
    with (
        mock.patch.object(plan_validator, "UPSequentialSimulator", _Simulator),
        mock.patch.object(sequential_simulator, "GrounderHelper", _Grounder),
        mock.patch.object(sequential_simulator, "StateEvaluator", _Evaluator),
    ):
        yield
