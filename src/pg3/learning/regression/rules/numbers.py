"""Numbers in regression: what a comparison asks of the state before an action that changes numbers.

`(>= (f ?x) 3)` after `(decrease (f ?x) 1)` is `(>= (f ?x) 4)` before it. An action that moves a
number towards what is needed, and finds the need open, *gives* it. That becomes no condition of the
rule: the action can be repeated until the need is met, however far it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal
from pg3.pddl.numbers import Sum, comparison_name, comparison_of, is_comparison
from pg3.semantics.numbers import Values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Action
    from pg3.pddl.numbers import Comparison, NumericEffect
    from pg3.pddl.plans import GroundAction
    from pg3.semantics.task import Task

# Ends the name of an action whose effects on numbers are what it is done for.
GIVES = " when numbers"


class Shift(NamedTuple):
    """Which functions of a comparison are changed: the side, the place there, and the effect."""

    side: int
    place: int
    effect: int


def giving(action: Action) -> Action:
    """The action, done for its effects on numbers."""
    return replace(action, name=action.name + GIVES)


def gives(name: str) -> bool:
    """Whether an action of that name is done for its effects on numbers."""
    return name.endswith(GIVES)


def sides(atom: Atom) -> tuple[Comparison, tuple[Sum, Sum]]:
    """A comparison, and both its sides with the terms of the atom."""
    comparison = comparison_of(atom.predicate)
    binding = dict(zip(comparison.places, atom.terms, strict=True))
    return comparison, (
        comparison.left.substitute(binding),
        comparison.right.substitute(binding),
    )


def shifts(atom: Atom, effects: Sequence[NumericEffect]) -> list[Shift]:
    """Where effects change what an atom compares; none if it is no comparison."""
    if not effects or not is_comparison(atom.predicate):
        return []
    _, both = sides(atom)
    return [
        Shift(side, place, number)
        for side, total in enumerate(both)
        for place, (_, function) in enumerate(total.functions)
        for number, effect in enumerate(effects)
        if effect.function == function
    ]


def shifted(atom: Atom, found: Sequence[Shift], effects: Sequence[NumericEffect]) -> Atom:
    """What the comparison asks before the effects; constants come to the right."""
    comparison, both = sides(atom)
    total = list(both)
    for side, place, number in found:
        coefficient, function = both[side].functions[place]
        word, amount = effects[number].word, effects[number].amount
        if word == "assign":
            total[side] = total[side].plus(Sum(((1, function),)), -coefficient)
        total[side] = total[side].plus(amount, -coefficient if word == "decrease" else coefficient)
    left, right = total
    moved = Sum(right.functions, right.constant - left.constant)
    return Atom(*comparison_name(comparison.word, Sum(left.functions), moved))


def helps(literal: Literal, found: Sequence[Shift], effects: Sequence[NumericEffect]) -> bool:
    """Whether the effects move the numbers towards what a literal asks, as far as one can see."""
    comparison, both = sides(literal.atom)
    rises = 0
    for side, place, number in found:
        coefficient, _ = both[side].functions[place]
        word, amount = effects[number].word, effects[number].amount
        if word == "assign" or comparison.word == "=":
            return True
        sign = 1 if (coefficient > 0) == (side == 0) else -1
        positive = amount.constant > 0 or any(c > 0 for c, _ in amount.functions)
        rises += sign if positive == (word == "increase") else -sign
    wants_more = (comparison.word in (">", ">=")) == literal.positive
    return rises > 0 if wants_more else rises < 0


def used_numbers(task: Task, goal: Atom, plan: Sequence[tuple[int, GroundAction]]) -> list[bool]:
    """For each action of a plan for a goal whether it gives a number that is needed later.

    The plan has with each action the state before it.
    """
    wanted = {Literal(goal)}
    found = []
    for state, action in reversed(plan):
        schema = task.domain.action(action.name).ground(action.objects)
        effects = {e for e in schema.effects if e.positive or e.negated not in schema.effects}
        before: dict[Literal, Literal] = {}
        is_given = False
        values = Values(task.problem, task.atoms(state)) if schema.numeric else None
        for literal in wanted:
            places = shifts(literal.atom, schema.numeric)
            if places and values is not None:
                asked = Literal(shifted(literal.atom, places, schema.numeric), literal.positive)
                before[literal] = asked
                open_ = values.holds(literal.atom) != literal.positive
                is_given |= open_ and helps(literal, places, schema.numeric)
        found.append(is_given)
        if is_given or not wanted.isdisjoint(effects):
            kept = {before.get(literal, literal) for literal in wanted - effects}
            wanted = kept.union(schema.precondition)
    return found[::-1]


def without_implied(literals: Sequence[Literal]) -> list[Literal]:
    """Conditions without comparisons with a number that another one includes."""
    strictest: dict[tuple[str, Sum, bool], Sum] = {}

    def key(literal: Literal) -> tuple[str, Sum, bool] | None:
        if not is_comparison(literal.atom.predicate):
            return None
        comparison, (left, right) = sides(literal.atom)
        if right.functions or comparison.word == "=":
            return None
        return comparison.word, left, literal.positive

    for literal in literals:
        if (one := key(literal)) is not None:
            _, (_, right) = sides(literal.atom)
            is_least = (one[0] in (">", ">=")) == literal.positive
            known = strictest.get(one, right)
            larger = max(known.constant, right.constant)
            strictest[one] = Sum((), larger if is_least else min(known.constant, right.constant))
    return [
        literal
        for literal in literals
        if (one := key(literal)) is None or sides(literal.atom)[1][1] == strictest[one]
    ]
