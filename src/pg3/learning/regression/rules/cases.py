"""Cases of actions in regression: those effects and disjuncts of an action that a plan has used.

An action whose conditional effects provide what the goal or a later action needs becomes an action
of its own: with the conditions of these effects among its preconditions, their variables among its
parameters, and their effects among its effects. The same with a disjunction among its
preconditions: it needs the disjunct that is true where the plan does the action, so that another
action can be seen to bring it about. The rules of such an action do the action itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import Action, Literal, Parameter
from pg3.pddl.plans import GroundAction
from pg3.semantics.datalog import Index, Matcher, holds
from pg3.semantics.effects import Case, Effects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Atom, Clause, Domain
    from pg3.semantics.task import Task

# Stands between the name of an action and the numbers of its effects; names have no spaces.
_WHEN = " when "


def base_name(name: str) -> str:
    """The name of the action itself."""
    return name.partition(_WHEN)[0]


def with_effects(action: Action, numbers: Sequence[int]) -> Action:
    """The action with some of its conditional effects, by their numbers, which may come again."""
    parameters, precondition = list(action.parameters), list(action.precondition)
    effects = list(action.effects)
    for place, number in enumerate(numbers):
        effect = action.conditional[number]
        binding = {v.name: f"{v.name}-{place}" for v in effect.variables}
        parameters += [Parameter(binding[v.name], v.types) for v in effect.variables]
        own = effect.substitute(binding)
        precondition += own.conditions
        effects += own.effects
    return Action(
        f"{action.name}{_WHEN}{','.join(map(str, numbers))}",
        tuple(parameters),
        tuple(dict.fromkeys(precondition)),
        tuple(dict.fromkeys(effects)),
        action.cost,
    )


class Disjunct(NamedTuple):
    """What makes a formula among the preconditions of an action true.

    `place` is that of the formula among the preconditions, `clause` the number of an axiom by which
    it holds. For the negation of a formula, which has one for each axiom, `untrue` is the number of
    a condition of the axiom that does not hold.
    """

    place: int
    clause: int
    untrue: int | None = None


def with_disjuncts(action: Action, chosen: Sequence[Disjunct], axioms: Sequence[Clause]) -> Action:
    """The action that needs these disjuncts; their variables come after its own parameters."""
    parameters, precondition = list(action.parameters), list(action.precondition)
    for number, (place, clause, untrue) in enumerate(chosen):
        axiom = axioms[clause]
        own = {v.name: f"{v.name}-or{number}" for v in axiom.variables}
        parameters += [Parameter(own[v.name], v.types) for v in axiom.variables]
        own |= _head(axiom, action.precondition[place].atom)
        needs = axiom.conditions if untrue is None else [axiom.conditions[untrue].negated]
        precondition += [literal.substitute(own) for literal in needs]
    formulas = {action.precondition[one.place] for one in chosen}
    words = ("or".join(str(part) for part in one if part is not None) for one in chosen)
    return replace(
        action,
        name=f"{action.name}{_WHEN}{','.join(words)}",
        parameters=tuple(parameters),
        precondition=tuple(dict.fromkeys(c for c in precondition if c not in formulas)),
    )


class Used(NamedTuple):
    """An action with the objects of the disjuncts that made it applicable, and what they need."""

    action: GroundAction
    disjuncts: tuple[Disjunct, ...]
    needs: tuple[Literal, ...]


class Disjunctions:
    """The formulas among the preconditions of a problem's actions."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._matchers: dict[str, list[tuple[int, Matcher]]] = {}
        for number, clause in enumerate(task.domain.axioms):
            if is_formula(clause.name):
                matcher = Matcher(clause, task.problem)
                self._matchers.setdefault(clause.name, []).append((number, matcher))
        self._goal = Index(task.problem.goal)

    def used(self, state: int, action: GroundAction) -> Used:
        """By which disjuncts an action is done in a state.

        Of the disjuncts that are true it is the first one. That something holds for all objects has
        none.
        """
        schema = self._task.domain.action(action.name).ground(action.objects)
        formulas = [
            (place, literal)
            for place, literal in enumerate(schema.precondition)
            if literal.atom.predicate in self._matchers
        ]
        if not formulas:
            return Used(action, (), ())
        known = frozenset(self._task.all_atoms(state))
        index = Index(known)
        objects, chosen, needs = list(action.objects), list[Disjunct](), list[Literal]()
        for place, literal in formulas:
            found = self._true(literal.atom, known, index) if literal.positive else None
            if found is not None:
                number, matcher, binding = found
                chosen.append(Disjunct(place, number))
                objects += [binding[v.name] for v in matcher.clause.variables]
                needs += [c.substitute(binding) for c in matcher.clause.conditions]
            elif not literal.positive:
                for number, untrue, need in self._untrue(literal.atom, known):
                    chosen.append(Disjunct(place, number, untrue))
                    needs.append(need)
        return Used(GroundAction(action.name, tuple(objects)), tuple(chosen), tuple(needs))

    def _true(
        self, formula: Atom, known: frozenset[Atom], index: Index
    ) -> tuple[int, Matcher, dict[str, str]] | None:
        """The first axiom by which a formula holds, with its objects."""
        for number, matcher in self._matchers[formula.predicate]:
            given = _head(matcher.clause, formula)
            for binding in matcher.matches(known, index, self._goal, given):
                return number, matcher, binding
        return None

    def _untrue(self, formula: Atom, known: frozenset[Atom]) -> list[tuple[int, int, Literal]]:
        """For each axiom of a formula that does not hold a condition that does not."""
        found = []
        for number, matcher in self._matchers[formula.predicate]:
            given = _head(matcher.clause, formula)
            conditions = [c.substitute(given) for c in matcher.clause.conditions]
            untrue = [i for i, c in enumerate(conditions) if not holds(c, known)]
            if matcher.clause.variables or not untrue:
                return []
            found.append((number, untrue[0], conditions[untrue[0]].negated))
        return found


def _head(clause: Clause, atom: Atom) -> dict[str, str]:
    """The objects of an atom for the parameters of a clause."""
    return dict(zip((p.name for p in clause.parameters), atom.terms, strict=True))


def used_effects(
    task: Task,
    goal: Atom,
    plan: Sequence[tuple[int, GroundAction]],
    further: Sequence[Sequence[Literal]],
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """The objects and numbers of the conditional effects that a plan for a goal has used.

    The plan has with each action the state before it, and what it needs `further`.
    """
    effects = Effects(task.problem)
    wanted = {Literal(goal)}
    found: list[tuple[tuple[str, ...], tuple[int, ...]]] = []
    for (state, action), needs in zip(reversed(plan), reversed(further), strict=True):
        always, *conditional = effects.cases(action, task.atoms(state))
        provided, used = set(always.effects), list[Case]()
        for case in conditional:
            if not wanted.isdisjoint(set(case.effects) - provided):
                used.append(case)
                provided.update(case.effects)
        objects = tuple(name for case in used for name in case.objects)
        found.append((objects, tuple(case.number for case in used)))
        if not wanted.isdisjoint(provided):
            schema = task.domain.action(action.name).ground(action.objects)
            wanted = wanted.difference(provided).union(schema.precondition, needs)
            wanted.update(*(case.conditions for case in used))
    return found[::-1]


def has_cases(domain: Domain) -> bool:
    """Whether an action has conditional effects, or a formula among its preconditions."""
    return has_conditional_effects(domain) or any(
        is_formula(literal.atom.predicate)
        for action in domain.actions
        for literal in action.precondition
    )


def has_conditional_effects(domain: Domain) -> bool:
    """Whether an action has any."""
    return any(action.conditional for action in domain.actions)
