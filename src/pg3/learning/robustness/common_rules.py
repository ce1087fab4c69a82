"""The rule that two rules for one action have in common: their generalisation.

It has the conditions that both have under one substitution, and its variables stand for objects of
the types of either.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from pg3.learning.regression.ordering import Body, substitution, subsumes
from pg3.learning.regression.rules.reduction import reduced, tidied
from pg3.pddl.model import EQUALS, Atom, Literal
from pg3.policy.canonical import canonical_literal
from pg3.policy.derived import NEXT, REACH, is_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.pddl.model import Domain, TypeNames
    from pg3.policy.model import Rule
    from pg3.policy.rule_book import RuleBook


class CommonRules:
    """What rules have in common, each pair looked at once."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book
        self._common: dict[tuple[int, int], int | None] = {}
        self._actions: dict[int, str] = {}

    def action(self, number: int) -> str:
        """The name of a rule's action."""
        known = self._actions.get(number)
        if known is None:
            known = self._actions[number] = self._book.rule(number).action
        return known

    def of(self, number: int, other: int) -> int | None:
        """A rule with the conditions that the other one has, too; None if they are unlike.

        It has them under one substitution. Both have what their action needs.
        """
        if self.action(number) != self.action(other):
            return None
        if (number, other) not in self._common:
            rule, special = self._book.rule(number), self._book.rule(other)
            found = self._generalisation(rule, _with_head(special, self._book.domain))
            self._common[number, other] = None if found is None else self._book.number(found)
        return self._common[number, other]

    def is_idle_after(self, number: int, others: Iterable[int]) -> bool:
        """Whether some other rule applies wherever a rule does."""
        domain = self._book.domain
        body = Body(self._book.rule(number), domain)
        return any(subsumes(Body(self._book.rule(o), domain), body, domain) for o in others)

    def has_aim(self, number: int) -> bool:
        """Whether a rule says something of what it acts on that its action does not need."""
        rule = self._book.rule(number)
        asked = {canonical_literal(c) for c in self._needed(rule)}
        aims = [c for c in rule.preconditions if canonical_literal(c) not in asked]
        return not rule.arguments or any(
            argument in aim.atom.terms
            for argument in rule.arguments
            for aim in (*(goal for goal in rule.goals if goal.positive), *aims)
            if aim.atom.predicate != EQUALS
        )

    def without_paths(self, number: int) -> int:
        """The rule that does not ask whether there are paths for the actions after its own."""
        rule = self._book.rule(number)
        kept = tuple(
            c
            for c in rule.preconditions
            if not (
                c.positive and c.atom.predicate == REACH and is_graph(c.atom, self._book.domain)
            )
        )
        if len(kept) == len(rule.preconditions):
            return number
        return self._book.number(reduced(replace(rule, preconditions=kept), self._book.domain))

    def _needed(self, rule: Rule) -> Sequence[Literal]:
        """What a rule's action needs."""
        return self._book.domain.action(rule.action).ground(rule.arguments).precondition

    def _generalisation(self, rule: Rule, special: Body) -> Rule | None:
        domain = self._book.domain
        needed = {canonical_literal(literal) for literal in self._needed(rule)}
        # A rule that goes to the next stop need not say that there is an edge.
        kept = [
            c
            for c in rule.preconditions
            if canonical_literal(c) in needed
            or (c.atom.predicate == NEXT and is_graph(c.atom, domain))
        ]

        # Its variables may stand for everything until it is known what they stand for.
        types = tuple(dict.fromkeys(t for names in special.types.values() for t in names))
        wide = replace(
            rule, parameters=tuple(p._replace(types=(*p.types, *types)) for p in rule.parameters)
        )

        def common_terms(conditions: Iterable[Literal]) -> dict[str, str] | None:
            one = replace(wide, preconditions=tuple(conditions))
            return substitution(_with_head(one, domain), special, domain)

        terms = common_terms(kept)
        if terms is None:
            return None
        for condition in rule.preconditions:
            if condition in kept or not special.has_like(condition):
                continue
            more = common_terms((*kept, condition))
            if more is not None:
                kept.append(condition)
                terms = more
        found = tidied(
            replace(rule, preconditions=tuple(c for c in rule.preconditions if c in kept))
        )
        if not _keeps_types_together(found, terms, special, domain):
            return None
        found = reduced(_of_either(found, terms, special, domain), domain)
        return found if self._knows_its_way(found) else None

    def _knows_its_way(self, rule: Rule) -> bool:
        """Whether something else says where each path of the rule leads: else it goes anywhere.

        That another path leads there, too, says nothing.
        """
        literals = (*rule.preconditions, *rule.goals)
        paths = {
            literal.atom
            for literal in literals
            if literal.atom.predicate in (NEXT, REACH) and is_graph(literal.atom, self._book.domain)
        }
        said = {
            term
            for atom, positive in literals
            if positive
            for term in (atom.terms[:-1] if atom in paths else atom.terms)
        }
        targets = {path.terms[-1] for path in paths if path.predicate == NEXT}
        return all(target in said or not target.startswith("?") for target in targets)


def _with_head(rule: Rule, domain: Domain) -> Body:
    """The conditions of a rule, and its action: rules with the same ones do the same."""
    action = Literal(Atom(f"do {rule.action}", rule.arguments))
    return Body(replace(rule, preconditions=(action, *rule.preconditions)), domain)


def _keeps_types_together(
    rule: Rule, terms: Mapping[str, str], special: Body, domain: Domain
) -> bool:
    """Whether what only one rule is for must fit what only the other one is for.

    If one rule is about doors and keys and the other one about screws and drivers, a common rule
    would also open doors with drivers, unless it has a condition on the two together.
    """

    def goes_beyond(one: TypeNames, other: TypeNames) -> bool:
        return not all(domain.is_a(name, other) for name in one)

    tied = {
        frozenset((x, y))
        for atom, positive in (*rule.preconditions, *rule.goals)
        if positive and atom.predicate != EQUALS
        for x, y in combinations(atom.terms, 2)
    }
    wider = [p.name for p in rule.parameters if goes_beyond(p.types, special.types[terms[p.name]])]
    wider_there = [
        p.name for p in rule.parameters if goes_beyond(special.types[terms[p.name]], p.types)
    ]
    return all(x == y or frozenset((x, y)) in tied for x in wider for y in wider_there)


def _of_either(rule: Rule, terms: Mapping[str, str], special: Body, domain: Domain) -> Rule:
    """The rule for what its variables stand for in either rule.

    A type all of whose subtypes are there stands for these, if the rule may name it.
    """
    below = domain.subtypes
    places = _places(rule, domain)

    def either(one: TypeNames, other: TypeNames, asked: Sequence[TypeNames]) -> TypeNames:
        names = set().union(*(below[name] for name in (*one, *other)))
        for name in sorted(below, key=lambda name: len(below[name])):
            if below[name] - {name} <= names and all(domain.is_a(name, types) for types in asked):
                names |= below[name] if len(below[name]) > 1 else set()
        return tuple(
            sorted(name for name in names if not any(name in below[n] for n in names - {name}))
        )

    return replace(
        rule,
        parameters=tuple(
            p._replace(types=either(p.types, special.types[terms[p.name]], places[p.name]))
            for p in rule.parameters
        ),
    )


def _places(rule: Rule, domain: Domain) -> Mapping[str, list[TypeNames]]:
    """For each term the types of the places where an action or a predicate has it."""
    found: dict[str, list[TypeNames]] = defaultdict(list)
    asked = [(domain.action(rule.action).parameters, rule.arguments)]
    for atom in (literal.atom for literal in (*rule.preconditions, *rule.goals)):
        number = domain.predicate_index.get(atom.predicate)
        if number is not None and not is_graph(atom, domain):
            asked.append((domain.predicates[number].parameters, atom.terms))
    for parameters, terms in asked:
        for parameter, term in zip(parameters, terms, strict=True):
            found[term].append(parameter.types)
    return found
