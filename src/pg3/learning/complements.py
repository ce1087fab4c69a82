"""Negative goals for learners: as positive goals of a predicate that actions keep as the opposite.

All learners aim at atoms that become true. So where a training problem's goal holds `(not (p x))`,
they work in a domain with one more predicate, not-p, that is true exactly where p is false: actions
that delete p add it, and the goal asks for `(not-p x)`. What they learn is put back into the user's
words: a condition on not-p is one on p, a goal of it is `(goal (not (p ?x)))`.

Predicates that are derived have no effects that could be turned round, and some conditional effects
cannot be. Such goals stay as they are: policies are tested on them, and rules do not aim at them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from pg3.pddl.formula_names import is_formula
from pg3.pddl.model import (
    EQUALS,
    Action,
    Atom,
    Clause,
    ConditionalEffect,
    Domain,
    Literal,
    Predicate,
)
from pg3.pddl.negative_goals import unwanted_name, unwanted_predicate
from pg3.policy.derived import GOAL, is_anything, is_graph
from pg3.policy.model import DecisionList, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pg3.pddl.model import Parameter, Problem, TypeNames

# The most atoms of a predicate in a training problem: all that are false become facts.
_MOST_ATOMS = 10_000


class _NoOpposite(Exception):  # noqa: N818  (not an error: learners then do without)
    """No effects say where the predicate becomes false."""


@dataclass(frozen=True)
class Complements:
    """A domain, and the same with opposites of some predicates, by name."""

    given: Domain
    opposites: Mapping[str, str]

    @classmethod
    def of(
        cls, domain: Domain, problems: Sequence[Problem], start: DecisionList | None = None
    ) -> Complements:
        """Those that the negative goals of the problems need."""
        wanted = dict.fromkeys(atom.predicate for one in problems for atom in one.negative_goal)
        defined = {clause.name for clause in start.definitions} if start else set[str]()
        found: dict[str, str] = {}
        for name in wanted:
            if GOAL in domain.predicate_index or not _has_opposite(name, domain, problems):
                continue
            opposite = f"not-{name}"
            while opposite in {*domain.predicate_index, *defined, *found.values()}:
                opposite += "-"
            found[name] = opposite
        return cls(domain, found)

    @cached_property
    def domain(self) -> Domain:
        """The domain with the opposites."""
        if not self.opposites:
            return self.given
        more = (replace(self._declared(p), name=q) for p, q in self.opposites.items())
        return replace(
            self.given,
            predicates=(*self.given.predicates, *more),
            actions=tuple(
                _with_opposites(action, self.opposites, self.given) for action in self.given.actions
            ),
            opposites=tuple(self.opposites.items()),
        )

    @cached_property
    def _predicate_of(self) -> dict[str, str]:
        return {opposite: name for name, opposite in self.opposites.items()}

    def _declared(self, name: str) -> Predicate:
        return self.given.predicates[self.given.predicate_index[name]]

    # -- into the learners' words ------------------------------------------------------------------

    def problem(self, problem: Problem) -> Problem:
        """A problem of the user with its negative goals as positive ones."""
        if not self.opposites:
            return problem
        goal = [
            literal
            if literal.positive or literal.atom.predicate not in self.opposites
            else Literal(Atom(self.opposites[literal.atom.predicate], literal.atom.terms))
            for literal in problem.goal_literals
        ]
        return replace(problem, domain=self.domain).replace(init=problem.init, goal=goal)

    def start(self, policy: DecisionList) -> DecisionList:
        """A policy of the user; only its goals change."""
        if not self.opposites:
            return policy

        def asked(goal: Literal) -> Literal:
            unwanted = unwanted_predicate(goal.atom.predicate)
            if unwanted is None or unwanted not in self.opposites:
                return goal
            return Literal(Atom(self.opposites[unwanted], goal.atom.terms), goal.positive)

        return DecisionList(
            policy.name,
            tuple(replace(one, goals=tuple(map(asked, one.goals))) for one in policy.rules),
            tuple(replace(one, goals=tuple(map(asked, one.goals))) for one in policy.definitions),
            self.domain,
        )

    # -- back into the user's words ----------------------------------------------------------------

    def user_problem(self, problem: Problem) -> Problem:
        """A problem of the learners as the user would write it."""
        if not self.opposites:
            return problem
        goal = []
        for literal in problem.goal_literals:
            (name, terms), positive = literal
            plain = self._predicate_of.get(name)
            goal.append(literal if plain is None else Literal(Atom(plain, terms), not positive))
        init = [atom for atom in problem.init if atom.predicate not in self._predicate_of]
        return replace(problem, domain=self.given).replace(init=init, goal=goal)

    def user_policy(self, policy: DecisionList) -> DecisionList:
        """A policy of the learners as the user would write it.

        Where a condition on an opposite is no literal of the user's predicates (on a path along it,
        with `_`, of an object that may be of another type), or would contradict another in so many
        words, the policy derives the opposite.
        """
        if not self.opposites:
            return policy
        rules = [self._rule(rule) for rule in policy.rules]
        clauses = [self._clause(clause) for clause in policy.definitions]
        conditions = [
            *(literal for rule in rules for literal in rule.preconditions),
            *(literal for clause in clauses for literal in clause.conditions),
        ]
        left = {name for atom, _ in conditions for name in (atom.predicate, *atom.terms[:1])}
        more = [self._definition(name) for name in self._predicate_of if name in left]
        return DecisionList(policy.name, tuple(rules), (*more, *clauses), self.given)

    def _rule(self, rule: Rule) -> Rule:
        return replace(
            rule,
            preconditions=self._conditions(rule.preconditions, rule.parameters),
            goals=tuple(map(self._goal, rule.goals)),
        )

    def _clause(self, clause: Clause) -> Clause:
        variables = (*clause.parameters, *clause.variables)
        return replace(
            clause,
            conditions=self._conditions(clause.conditions, variables),
            goals=tuple(map(self._goal, clause.goals)),
        )

    def _definition(self, opposite: str) -> Clause:
        name, parameters = self._predicate_of[opposite], self._declared_parameters(opposite)
        terms = tuple(parameter.name for parameter in parameters)
        return Clause(opposite, parameters, (), (Literal(Atom(name, terms), False),))

    def _declared_parameters(self, opposite: str) -> tuple[Parameter, ...]:
        return self._declared(self._predicate_of[opposite]).parameters

    def _goal(self, goal: Literal) -> Literal:
        (name, terms), positive = goal
        if name not in self._predicate_of:
            return goal
        return Literal(Atom(unwanted_name(self._predicate_of[name], len(terms)), terms), positive)

    def _conditions(
        self, literals: Iterable[Literal], variables: Iterable[Parameter]
    ) -> tuple[Literal, ...]:
        types = {one.name: one.types for one in variables}
        types |= {one.name: (one.type,) for one in self.given.constants}
        literals = tuple(literals)
        found = dict.fromkeys(self._condition(literal, types) for literal in literals)
        # `(p ?x)` and `(not-p ?x)` would contradict each other in so many words.
        return literals if any(one.negated in found for one in found) else tuple(found)

    def _condition(self, literal: Literal, types: Mapping[str, TypeNames]) -> Literal:
        (name, terms), positive = literal
        if name not in self._predicate_of or is_graph(literal.atom, self.domain):
            return literal
        for term, parameter in zip(terms, self._declared_parameters(name), strict=True):
            if is_anything(term, self.given) or not all(
                self.given.is_a(type_, parameter.types) for type_ in types[term]
            ):
                return literal
        return Literal(Atom(self._predicate_of[name], terms), not positive)


def _has_opposite(name: str, domain: Domain, problems: Iterable[Problem]) -> bool:
    if is_formula(name) or name in domain.derived or name not in domain.fluents:
        return False
    declared = domain.predicates[domain.predicate_index[name]]
    for problem in problems:
        choices = [
            sum(domain.is_a(o.type, parameter.types) for o in problem.all_objects)
            for parameter in declared.parameters
        ]
        if prod(choices) > _MOST_ATOMS:
            return False
    try:
        for action in domain.actions:
            _with_opposites(action, {name: ""}, domain)
    except _NoOpposite:
        return False
    return True


def _with_opposites(action: Action, opposites: Mapping[str, str], domain: Domain) -> Action:
    """The action with effects on the opposites of what it changes."""
    groups = [ConditionalEffect((), (), action.effects), *action.conditional]
    effects: list[list[Literal]] = []
    guarded: list[ConditionalEffect] = []
    for group in groups:
        more: list[Literal] = []
        for (name, terms), positive in group.effects:
            if name not in opposites:
                continue
            opposite = Literal(Atom(opposites[name], terms), not positive)
            guards = [()] if positive else _guards(Atom(name, terms), group, groups, action, domain)
            for guard in guards:
                if not guard:
                    more.append(opposite)
                else:
                    conditions = (*group.conditions, *guard)
                    guarded.append(ConditionalEffect(group.variables, conditions, (opposite,)))
        effects.append(more)
    return replace(
        action,
        effects=(*action.effects, *effects[0]),
        conditional=(
            *(
                replace(group, effects=(*group.effects, *more))
                for group, more in zip(action.conditional, effects[1:], strict=True)
            ),
            *guarded,
        ),
    )


def _guards(
    deleted: Atom,
    group: ConditionalEffect,
    groups: Sequence[ConditionalEffect],
    action: Action,
    domain: Domain,
) -> list[tuple[Literal, ...]]:
    """Conditions of which one holds if the action does not add again what it deletes."""
    found: list[tuple[Literal, ...]] = [()]
    known = {*action.precondition, *group.conditions}
    fixed = {p.name: p.types for p in action.parameters}
    fixed |= {one.name: (one.type,) for one in domain.constants}
    mine = fixed | {p.name: p.types for p in group.variables}
    declared = domain.predicates[domain.predicate_index[deleted.predicate]].parameters
    for term, parameter in zip(deleted.terms, declared, strict=True):
        # The opposite is about objects of the predicate's types only.
        if not all(domain.is_a(type_, parameter.types) for type_ in mine[term]):
            raise _NoOpposite
    for other in groups:
        theirs = fixed | {p.name: p.types for p in other.variables}
        for added, positive in other.effects:
            if not positive or added.predicate != deleted.predicate:
                continue
            pairs = [(a, b) for a, b in zip(deleted.terms, added.terms, strict=True) if a != b]
            if any(
                (Literal(Atom(EQUALS, (a, b)), False) in known)
                or (Literal(Atom(EQUALS, (b, a)), False) in known)
                or _are_apart(a, mine[a], b, theirs[b], domain)
                for a, b in pairs
            ):
                continue
            own = {p.name for p in other.variables}
            if own and (other is not group or own.intersection(t for pair in pairs for t in pair)):
                raise _NoOpposite
            ways = [Literal(Atom(EQUALS, pair), False) for pair in pairs]
            if other is not group:
                ways += [literal.negated for literal in other.conditions]
            found = [(*guard, way) for guard, way in product(found, ways)]
    return found


def _are_apart(
    one: str, its_types: TypeNames, other: str, other_types: TypeNames, domain: Domain
) -> bool:
    """Whether two terms are different constants, or of types without a common object."""
    if not one.startswith("?") and not other.startswith("?"):
        return True
    first, second = (
        frozenset[str]().union(*(domain.subtypes[name] for name in types))
        for types in (its_types, other_types)
    )
    return first.isdisjoint(second)
