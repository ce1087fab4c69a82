"""Of an exported module: which objects satisfy conditions, what is derived, and numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pg3.integrations.exports.python.data import (
    ACTIONS,
    AXIOMS,
    COMPARISONS,
    DEFINITIONS,
    RULES,
    Atom,
    Clause,
    Condition,
    Facts,
    Objects,
    Sum,
    _is_number,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

# == exported ==


def _closed(state: Facts, goal: Facts, objects: Objects) -> Facts:
    """The facts with comparisons that hold and with what the domain's axioms derive.

    The same ones if it has neither.
    """
    return _derived(_compared(state, goal), Facts(), objects, _AXIOM_QUERIES)


def _known(closed: Facts, goal: Facts, objects: Objects) -> Facts:
    """The facts with those that the policy's own definitions derive."""
    return _derived(closed, goal, objects, _DEFINITION_QUERIES)


def _derived(
    state: Facts, goal: Facts, objects: Objects, groups: Sequence[Sequence[tuple[Clause, _Query]]]
) -> Facts:
    """Group by group, each until nothing new comes."""
    if not groups:
        return state
    heads = {clause.name for group in groups for clause, _ in group}
    known = Facts(atom for atom in state if atom[0] not in heads)
    for group in groups:
        size = -1
        while size < len(known):
            size = len(known)
            for clause, query in group:
                found = {
                    (clause.name, *[binding[name] for name, _ in clause.parameters])
                    for binding in query.all(known, goal, objects)
                }
                for atom in found:
                    known.add(atom)
    return known


def _decide(state: Facts, goal: Facts, objects: Objects) -> tuple[str, tuple[str, ...]] | None:
    for rule, query in zip(RULES, _QUERIES, strict=True):
        binding = query.first(state, goal, objects)
        if binding is not None:
            name, *arguments = _ground(rule.action, binding)
            return name, tuple(arguments)
    return None


class _Query:
    """Conditions made ready: what to look up and what to test as each parameter gets bound.

    A condition is tested as soon as all its parameters are bound. Before that it already narrows
    the choice for each of them to the objects that stand in a fitting atom.
    """

    def __init__(
        self,
        parameters: tuple[tuple[str, tuple[str, ...]], ...],
        preconditions: tuple[Condition, ...],
        goals: tuple[Condition, ...],
    ) -> None:
        self.parameters = parameters
        position = {name: place for place, (name, _) in enumerate(parameters)}
        # For each parameter: whether to look in the goal, the predicate, the places that are known
        # by then with what stands there, and the place of the parameter.
        self.lookups: list[list[tuple[bool, str, tuple[int, ...], tuple[str, ...], int]]] = [
            [] for _ in parameters
        ]
        # For each parameter, and first of all for none: what can be tested once it is bound.
        self.tests: list[list[tuple[bool, Condition]]] = [[] for _ in range(len(position) + 1)]
        for in_goal, conditions in ((False, preconditions), (True, goals)):
            for condition in conditions:
                predicate, *terms = condition.atom
                places = sorted({position[term] for term in terms if term in position})
                self.tests[places[-1] + 1 if places else 0].append((in_goal, condition))
                if condition.kind == "next":
                    terms.pop()  # what is left is a step, an atom as others are
                narrows = condition.positive and condition.kind in ("", "next")
                for place in places if narrows else ():
                    name = parameters[place][0]
                    if name not in terms:
                        continue
                    known = [
                        (at, term)
                        for at, term in enumerate(terms, start=1)
                        if position.get(term, -1) < place
                    ]
                    if predicate != "=" or known:
                        self.lookups[place].append(
                            (
                                in_goal,
                                predicate,
                                tuple([at for at, _ in known]),
                                tuple([term for _, term in known]),
                                terms.index(name) + 1,
                            )
                        )

    def first(self, state: Facts, goal: Facts, objects: Objects) -> dict[str, str] | None:
        """The first objects that satisfy the conditions, by parameter; None if there are none."""
        return next(self.all(state, goal, objects), None)

    def all(self, state: Facts, goal: Facts, objects: Objects) -> Iterator[dict[str, str]]:
        """All objects that satisfy the conditions, in order; each time the same dictionary."""
        binding: dict[str, str] = {}

        def tested(place: int) -> bool:
            return all(
                _holds(condition, binding, goal if in_goal else state)
                for in_goal, condition in self.tests[place]
            )

        def extend(place: int) -> Iterator[dict[str, str]]:
            if place == len(self.parameters):
                yield binding
                return
            name = self.parameters[place][0]
            for candidate in self.candidates(place, binding, state, goal, objects):
                binding[name] = candidate
                if tested(place + 1):
                    yield from extend(place + 1)

        if tested(0):
            yield from extend(0)

    def candidates(
        self, place: int, binding: dict[str, str], state: Facts, goal: Facts, objects: Objects
    ) -> list[str]:
        """The objects that a parameter may stand for, given those before it, in order."""
        types = self.parameters[place][1]
        choices: list[Collection[str]] = []
        for in_goal, predicate, known, terms, asked in self.lookups[place]:
            values = tuple([binding.get(term, term) for term in terms])
            if predicate == "=":
                choices.append(values)
            else:
                facts = goal if in_goal else state
                choices.append(facts.completions(predicate, known, values, asked))
        if not choices:
            return objects.of(types)
        choices.sort(key=len)
        members = objects.members(types)
        found = [
            candidate
            for candidate in choices[0]
            if candidate in members and all(candidate in others for others in choices[1:])
        ]
        return sorted(found, key=objects.number.__getitem__)


def _ground(atom: Atom, binding: dict[str, str]) -> Atom:
    return (atom[0], *[binding.get(term, term) for term in atom[1:]])


def _holds(condition: Condition, binding: dict[str, str], facts: Facts) -> bool:
    atom = _ground(condition.atom, binding)
    if condition.kind == "any":
        true = facts.some(atom)
    elif condition.kind == "reach":
        *relation, start, target = atom
        true = start in facts.distances(tuple(relation), target)
    elif condition.kind == "next":
        *relation, start, stop, target = atom
        away = facts.distances(tuple(relation), target)
        nearer = stop in away and away.get(start) == away[stop] + 1
        true = nearer and (*relation, start, stop) in facts
    else:
        true = atom[1] == atom[2] if atom[0] == "=" else atom in facts
    return true == condition.positive


def _clause_queries(
    groups: tuple[tuple[Clause, ...], ...],
) -> tuple[tuple[tuple[Clause, _Query], ...], ...]:
    return tuple(
        tuple((c, _Query((*c.parameters, *c.variables), c.conditions, c.goals)) for c in group)
        for group in groups
    )


def _compare(word: str, left: Fraction, right: Fraction) -> bool:
    if left == right:
        return word in ("<=", "=", ">=")
    return word[0] == ("<" if left < right else ">")


def _is_true(atom: Any, state: Facts) -> bool:
    """Whether a goal holds in a state."""
    if not _is_number(atom):
        return atom in state
    word, function, number = atom
    value = state.numbers.get(("=", *function))
    return value is not None and _compare(word, value, number)


def _asked(goals: Facts, unwanted: Facts) -> Facts:
    """The goals as rules see them: one of a number is an atom, whatever the number.

    Facts that are wanted false are atoms as well, if rules ask for them.
    """
    if not (goals.numbers or unwanted.numbers or _ASKS_UNWANTED):
        return goals
    changed = {change.function[1] for action in ACTIONS.values() for change in action.changes}
    found = Facts(atom for atom in goals if not _is_number(atom))
    for predicate, *arguments in unwanted if _ASKS_UNWANTED else ():
        if not _is_number((predicate, *arguments)):
            places = "".join(f" ${i + 1}" for i in range(len(arguments)))
            found.add((f"(goal (not ({predicate}{places})))", *arguments))
    for function, number in (*goals.numbers.items(), *unwanted.numbers.items()):
        word, name, *arguments = function
        if name in changed and len(set(arguments)) == len(arguments):
            found.numbers[function] = number
            if function in goals.numbers:
                places = "".join(f" ${i + 1}" for i in range(len(arguments)))
                found.add((f"({word} ({name}{places}) (goal ({name}{places})))", *arguments))
    return found


def _amount(total: Sum, binding: Mapping[str, str], state: Facts, goal: Facts) -> Fraction | None:
    """What a sum amounts to; None if a function has no value."""
    amount = Fraction(total.constant)
    for coefficient, of_goal, function in total.functions:
        value = (goal if of_goal else state).numbers.get(
            (*function[:2], *[binding.get(term, term) for term in function[2:]])
        )
        if value is None:
            return None
        amount += coefficient * value
    return amount


def _compared(state: Facts, goal: Facts) -> Facts:
    """The facts with the comparisons of numbers that hold."""
    if not COMPARISONS:
        return state
    known = Facts(state)
    # (of the goal, word, function) -> the objects with which it has a value.
    rows: dict[tuple[bool, str, str], dict[Atom, None]] = {}
    for of_goal, facts in ((False, state), (True, goal)):
        for word, name, *arguments in facts.numbers:
            rows.setdefault((of_goal, word, name), {})[tuple(arguments)] = None
    for one in COMPARISONS:
        functions = [(g, f) for _, g, f in (*one.left.functions, *one.right.functions)]
        bindings: list[dict[str, str]] = [{}]
        for of_goal, (word, name, *places) in functions:
            values = rows.get((of_goal, word, name), {})
            more: list[dict[str, str]] = []
            for binding in bindings:
                if all(place in binding for place in places):
                    if tuple([binding[place] for place in places]) in values:
                        more.append(binding)
                    continue
                for objects in values:
                    found = dict(binding)
                    if all(
                        found.setdefault(place, thing) == thing
                        for place, thing in zip(places, objects, strict=True)
                    ):
                        more.append(found)
            bindings = more
        for binding in bindings:
            left = _amount(one.left, binding, state, goal)
            right = _amount(one.right, binding, state, goal)
            if left is not None and right is not None and _compare(one.word, left, right):
                known.add((one.name, *[binding[place] for place in one.places]))
    return known


_GOALS = (
    *(goal for rule in RULES for goal in rule.goals),
    *(goal for group in DEFINITIONS for clause in group for goal in clause.goals),
)
_ASKS_UNWANTED = any(goal.atom[0].startswith("(goal (not (") for goal in _GOALS)
_QUERIES = tuple(_Query(rule.parameters, rule.preconditions, rule.goals) for rule in RULES)
_AXIOM_QUERIES = _clause_queries(AXIOMS)
_DEFINITION_QUERIES = _clause_queries(DEFINITIONS)
