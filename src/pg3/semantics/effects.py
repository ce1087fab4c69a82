"""What actions change in a state, conditional effects included; in Python, for few states."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Clause, Literal
from pg3.semantics.datalog import Index, Matcher, Program
from pg3.semantics.numbers import Values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Atom, Problem
    from pg3.pddl.plans import GroundAction


class Case(NamedTuple):
    """Effects that happen together: always, or because these ground conditions hold.

    `number` is that of a conditional effect of the schema, `objects` are those of its variables.
    """

    conditions: tuple[Literal, ...]
    effects: tuple[Literal, ...]
    number: int = -1
    objects: tuple[str, ...] = ()


class Effects:
    """The effects of a problem's actions, ready to be applied to its states."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._axioms = Program(problem.domain.axioms, problem)
        self._goal = Index(())
        self._matchers: dict[str, list[Matcher]] = {}

    def cases(
        self, action: GroundAction, state: AbstractSet[Atom], values: Values | None = None
    ) -> Iterator[Case]:
        """What the action does in a state (without derived atoms); it must fit the domain.

        `values` are those of the state, if they are at hand.
        """
        schema = self._problem.domain.action(action.name)
        binding = {p.name: o for p, o in zip(schema.parameters, action.objects, strict=True)}
        changes: list[Literal] = []
        if schema.numeric:
            values = values or Values(self._problem, state)
            for before, after in values.changes(e.substitute(binding) for e in schema.numeric):
                changes += [Literal(before, False), Literal(after)]
        yield Case((), (*[effect.substitute(binding) for effect in schema.effects], *changes))
        if not schema.conditional:
            return
        if action.name not in self._matchers:
            self._matchers[action.name] = [
                Matcher(Clause("", schema.parameters, one.variables, one.conditions), self._problem)
                for one in schema.conditional
            ]
        known = self._axioms.closed(state)
        index = Index(known)
        for number, matcher in enumerate(self._matchers[action.name]):
            one = schema.conditional[number]
            for found in matcher.matches(known, index, self._goal, binding):
                yield Case(
                    tuple([condition.substitute(found) for condition in one.conditions]),
                    tuple([effect.substitute(found) for effect in one.effects]),
                    number,
                    tuple([found[variable.name] for variable in one.variables]),
                )

    def changes(
        self, action: GroundAction, state: AbstractSet[Atom], values: Values | None = None
    ) -> tuple[frozenset[Atom], frozenset[Atom]]:
        """The atoms that the action adds and those that it deletes.

        What it both deletes and adds is only among the former.
        """
        effects = [effect for case in self.cases(action, state, values) for effect in case.effects]
        adds = frozenset(atom for atom, positive in effects if positive)
        return adds, frozenset(atom for atom, positive in effects if not positive) - adds

    def after(self, action: GroundAction, state: AbstractSet[Atom]) -> AbstractSet[Atom]:
        """The state after an action that can be done; without derived atoms, as the state."""
        adds, deletes = self.changes(action, state)
        return (state - deletes) | adds
