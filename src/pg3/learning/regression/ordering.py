"""The order of regressed rules in a policy, and which of them can be left out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS
from pg3.policy.canonical import canonical_rule
from pg3.policy.derived import is_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pg3.pddl.model import Atom, Domain, Literal, TypeNames
    from pg3.policy.model import Rule

# Attempts to match a literal in one test of subsumption, which is NP-complete. A test that gives up
# only keeps a rule that could have gone.
SUBSUMPTION_BUDGET = 5000


# Goals of one kind, with the same predicate and types of objects, have one place in the order.
Kind = tuple[str, ...]


def goal_kind(goal: Atom, types: Mapping[str, str]) -> Kind:
    """The kind of a goal; goals for packages and for trucks are of two kinds."""
    return goal.predicate, *(types[term] for term in goal.terms)


def layers(undone_by: Collection[tuple[Kind, Kind]]) -> dict[Kind, int]:
    """For each kind of goals how many other kinds must be achieved before it.

    A pair (p, q) says that a plan for a goal of q undid an achieved goal of p, or that a plan for
    one of p puts one of q out of reach: then q's goals come first. Kinds that undo each other, also
    over others, do not count for each other; those that no pair mentions are in layer 0 and left
    out.
    """
    kinds = sorted({kind for pair in undone_by for kind in pair})
    before = {(first, then) for then, first in undone_by if first != then}
    for middle in kinds:
        before |= {
            (first, then)
            for first in kinds
            if (first, middle) in before
            for then in kinds
            if (middle, then) in before
        }
    return {
        then: sum((first, then) in before and (then, first) not in before for first in kinds)
        for then in kinds
    }


@dataclass(frozen=True, slots=True)
class RankedRule:
    """A rule with the length of the shortest suffix that it stands for.

    A resort has led into a dead end, or round in a cycle over a goal that it undid. It is for where
    no other rule applies.
    """

    number: int
    rule: Rule
    rank: int
    is_resort: bool = False


class RuleOrder:
    """Puts rules in order and remembers which rule makes which other one idle.

    With `thin` a rule is also left out for a more general one of its rank that comes later: both
    lead to the goal in as many steps.
    """

    def __init__(self, domain: Domain, *, thin: bool = False) -> None:
        self.domain = domain
        self.thin = thin
        self._bodies: dict[int, Body] = {}
        self._keys: dict[int, tuple[object, ...]] = {}
        self._known: dict[tuple[int, int], bool] = {}
        self._constants = {constant.name: constant.type for constant in domain.constants}

    def arrange(
        self,
        rules: Iterable[RankedRule],
        layer: Mapping[Kind, int],
        check: Callable[[], None] = lambda: None,
    ) -> tuple[RankedRule, ...]:
        """The rules by layer of their goal, rank and size, without those that can never act.

        Resorts come last. Where rules tie, their canonical form decides, so that the order does
        not depend on which was found first. `check` is called often, and may raise.
        """
        ordered: list[RankedRule] = []
        given = sorted(rules, key=lambda r: self._key(r, layer))
        for number, rule in enumerate(given):
            check()
            alike = self._of_one_rank(given, number, layer) if self.thin else ()
            if not any(self._makes_idle(other, rule) for other in chain(ordered, alike)):
                ordered.append(rule)
        return tuple(ordered)

    def _key(self, ranked: RankedRule, layer: Mapping[Kind, int]) -> tuple[object, ...]:
        form = self._keys.get(ranked.number)
        if form is None:
            c = canonical_rule(ranked.rule)
            form = (c.size, c.action, c.arguments, c.parameters, c.preconditions, c.goals)
            self._keys[ranked.number] = form
        return (*self._place(ranked, layer), *form)

    def _place(self, ranked: RankedRule, layer: Mapping[Kind, int]) -> tuple[bool, int, int]:
        """How early a rule comes: by the layer of its goal, then by its distance to the goal."""
        goal_layer = max((layer[kind] for kind in self._kinds_of(ranked.rule, layer)), default=0)
        return ranked.is_resort, goal_layer, ranked.rank

    def _kinds_of(self, rule: Rule, kinds: Iterable[Kind]) -> list[Kind]:
        """Those of some kinds of goals that a rule is for."""
        types: dict[str, TypeNames] = {n: (type_,) for n, type_ in self._constants.items()}
        types |= {p.name: p.types for p in rule.parameters}
        return [
            (predicate, *objects)
            for predicate, *objects in kinds
            for goal in rule.goals
            if goal.positive
            and goal.atom.predicate == predicate
            and all(
                self.domain.is_a(one, types[term])
                for one, term in zip(objects, goal.atom.terms, strict=True)
            )
        ]

    def _of_one_rank(
        self, given: Sequence[RankedRule], number: int, layer: Mapping[Kind, int]
    ) -> Iterator[RankedRule]:
        """The rules that come after one, resorts or not, that have its layer and rank."""
        place = self._place(given[number], layer)
        for rule in given[number + 1 :]:
            if self._place(rule, layer) != place:
                return
            yield rule

    def _makes_idle(self, one: RankedRule, other: RankedRule) -> bool:
        """Whether the other rule's conditions hold only where those of the one hold as well."""
        general, special = self._body(one), self._body(other)
        if not general.symbols <= special.symbols:
            return False
        pair = one.number, other.number
        known = self._known.get(pair)
        if known is None:
            known = self._known[pair] = subsumes(general, special, self.domain)
        return known

    def _body(self, ranked: RankedRule) -> Body:
        body = self._bodies.get(ranked.number)
        if body is None:
            body = self._bodies[ranked.number] = Body(ranked.rule, self.domain)
        return body


# The symbol of a condition: predicate, sign, and whether it is on the goal.
_Symbol = tuple[str, bool, bool]


class Body:
    """A rule's conditions, prepared for tests of subsumption."""

    def __init__(self, rule: Rule, domain: Domain) -> None:
        self._domain = domain
        self.types: dict[str, TypeNames] = {c.name: (c.type,) for c in domain.constants}
        self.constants = frozenset(self.types)
        self.variables = {p.name: p.types for p in rule.parameters}
        self.types |= self.variables
        self.tuples: dict[_Symbol, list[tuple[str, ...]]] = {}
        self.unequal: set[tuple[str, str]] = set()
        conditions: list[tuple[_Symbol, tuple[str, ...]]] = []
        for literals, of_goal in ((rule.goals, True), (rule.preconditions, False)):
            for literal in literals:
                predicate, terms = literal.atom
                if is_graph(literal.atom, domain):
                    # The relation is part of the symbol, no term.
                    predicate, terms = f"{predicate} {terms[0]}", terms[1:]
                symbol = (predicate, literal.positive, of_goal)
                if _is_inequality(literal):
                    left, right = literal.atom.terms
                    self.unequal |= {(left, right), (right, left)}
                else:
                    self.tuples.setdefault(symbol, []).append(terms)
                conditions.append((symbol, terms))
        self.symbols = frozenset(self.tuples)
        self.conditions = self._in_matching_order(conditions)

    def has_like(self, condition: Literal) -> bool:
        """Whether some precondition has the predicate and the sign of this one."""
        predicate, terms = condition.atom
        if is_graph(condition.atom, self._domain):
            predicate = f"{predicate} {terms[0]}"
        return _is_inequality(condition) or (predicate, condition.positive, False) in self.tuples

    def _in_matching_order(
        self, conditions: list[tuple[_Symbol, tuple[str, ...]]]
    ) -> list[tuple[_Symbol, tuple[str, ...]]]:
        """Goal conditions first, then always the one with the fewest terms not yet seen."""
        unseen = [set(terms) - self.constants for _, terms in conditions]

        def cost(number: int) -> tuple[int, bool, int]:
            predicate, _, of_goal = conditions[number][0]
            new = len(unseen[number])
            # A test of what is bound costs nothing; a free inequality would try every term.
            return (0 if new == 0 else 3 if predicate == EQUALS else 1, not of_goal, new)

        pending, ordered = list(range(len(conditions))), []
        costs = list(map(cost, pending))
        while pending:
            best = min(pending, key=costs.__getitem__)
            pending.remove(best)
            ordered.append(conditions[best])
            for number in pending:
                if not unseen[best].isdisjoint(unseen[number]):
                    unseen[number] -= unseen[best]
                    costs[number] = cost(number)
        return ordered


def subsumes(
    general: Body, special: Body, domain: Domain, budget: int = SUBSUMPTION_BUDGET
) -> bool:
    """Whether wherever the special rule's conditions hold, the general one's hold as well."""
    return substitution(general, special, domain, budget) is not None


def substitution(
    general: Body, special: Body, domain: Domain, budget: int = SUBSUMPTION_BUDGET
) -> dict[str, str] | None:
    """Terms of the special rule for the general one's, so that its conditions are among those.

    That is theta-subsumption: wherever the special rule's conditions hold, the general one's hold
    as well. An inequality also holds between terms of types without a common object and between
    constants. None if there is no such substitution, or once the budget is spent.
    """
    binding = {name: name for name in general.constants}
    left = budget

    def is_any(names: TypeNames, types: TypeNames) -> bool:
        return all(domain.is_a(name, types) for name in names)

    def bind(variable: str, term: str) -> bool:
        fits = is_any(special.types[term], general.variables[variable])
        if fits:
            binding[variable] = term
        return fits

    def match(position: int) -> bool:
        nonlocal left
        if position == len(general.conditions):
            return all(
                variable in binding or any(is_any(names, types) for names in special.types.values())
                for variable, types in general.variables.items()
            )
        symbol, terms = general.conditions[position]
        candidates: Iterable[tuple[str, ...]] = special.tuples.get(symbol, ())
        if symbol[0] == EQUALS and not symbol[1]:
            candidates = [
                (x, y)
                for x in _choices(terms[0], binding, special)
                for y in _choices(terms[1], binding, special)
                if _differ(x, y, special, domain)
            ]
        for candidate in candidates:
            left -= 1
            if left < 0:
                return False
            bound: list[str] = []
            fits = True
            for variable, term in zip(terms, candidate, strict=True):
                if variable in binding:
                    fits = binding[variable] == term
                else:
                    fits = bind(variable, term)
                    if fits:
                        bound.append(variable)
                if not fits:
                    break
            if fits and match(position + 1):
                return True
            for variable in bound:
                del binding[variable]
        return False

    return binding if match(0) else None


def _choices(term: str, binding: Mapping[str, str], special: Body) -> list[str]:
    return [binding[term]] if term in binding else list(special.types)


def _differ(x: str, y: str, special: Body, domain: Domain) -> bool:
    """Whether two terms of a rule can never be the same object."""
    if (x, y) in special.unequal:
        return True
    if x in special.constants and y in special.constants:
        return x != y
    below = domain.subtypes
    return all(
        below[one].isdisjoint(below[other])
        for one in special.types[x]
        for other in special.types[y]
    )


def _is_inequality(literal: Literal) -> bool:
    return literal.atom.predicate == EQUALS and not literal.positive
