"""A policy in the extended language, rewritten with derived predicates of PDDL alone.

Its definitions become clauses over facts; `reach` and `_` become derived predicates. `next` cannot
be expressed: PDDL axioms have no distances.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pg3.errors import Pg3Error
from pg3.pddl.model import EQUALS, Atom, Clause, Literal, Parameter, Predicate
from pg3.pddl.negative_goals import unwanted_predicate
from pg3.policy.derived import REACH, derived_predicates, is_anything, is_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.model import Domain
    from pg3.policy.model import DecisionList, Rule


class PlainPolicy:
    """The rules of a policy with plain conditions, and the clauses that these need.

    `goals` maps predicates to those that hold of the goal's atoms; rules keep conditions on the
    goal, except those with `_`.
    """

    def __init__(
        self, policy: DecisionList, domain: Domain, prefix: str, goals: Mapping[str, str]
    ) -> None:
        self._domain = domain
        self._prefix = prefix
        self._goals = goals
        self._known = {p.name: p for p in domain.predicates} | derived_predicates(
            policy.definitions
        )
        self.predicates = derived_predicates(policy.definitions)
        self.clauses: list[Clause] = []
        for clause in policy.definitions:
            wanted = self._of_goal(clause.goals)
            conditions = (*self._plain(clause.conditions), *self._plain(wanted))
            self.clauses.append(replace(clause, conditions=conditions, goals=()))
        self.rules = tuple(map(self._rule, policy.rules))

    def _rule(self, rule: Rule) -> Rule:
        open_goals = [g for g in rule.goals if self._wild(g.atom)]
        return replace(
            rule,
            preconditions=(
                *self._plain(rule.preconditions),
                *self._plain(self._of_goal(open_goals)),
            ),
            goals=tuple(g for g in rule.goals if g not in open_goals),
        )

    def _of_goal(self, literals: Iterable[Literal]) -> list[Literal]:
        found = []
        for (name, terms), positive in literals:
            goal = self._goals[name]
            declared = self._known[unwanted_predicate(name) or name]
            self._known.setdefault(goal, replace(declared, name=goal))
            found.append(Literal(Atom(goal, terms), positive))
        return found

    def _plain(self, literals: Iterable[Literal]) -> tuple[Literal, ...]:
        return tuple(self._plain_literal(literal) for literal in literals)

    def _plain_literal(self, literal: Literal) -> Literal:
        atom, positive = literal
        if atom.predicate == EQUALS:
            return literal
        if is_graph(atom, self._domain):
            if atom.predicate != REACH:
                raise Pg3Error(
                    f"condition {literal} cannot be exported as PDDL axioms, which know no "
                    "distances (export the policy as python or json)"
                )
            return Literal(Atom(self._reach(atom.terms[0]), atom.terms[1:]), positive)
        if self._wild(atom):
            return Literal(self._some(atom), positive)
        return literal

    def _wild(self, atom: Atom) -> bool:
        return any(is_anything(term, self._domain) for term in atom.terms)

    def _reach(self, edges: str) -> str:
        """The predicate for paths along a relation; it holds of objects of any type."""
        name = f"{self._prefix}reach-{edges}"
        if name not in self.predicates:
            arity = self._known[edges].arity
            leading = [f"?g{i}" for i in range(arity - 2)]
            parameters = tuple(Parameter(one) for one in (*leading, "?x", "?z"))
            self.predicates[name] = Predicate(name, parameters)
            same = Literal(Atom(EQUALS, ("?x", "?z")))
            step = Literal(Atom(edges, (*leading, "?x", "?y")))
            rest = Literal(Atom(name, (*leading, "?y", "?z")))
            self.clauses.append(Clause(name, parameters, (), (same,)))
            self.clauses.append(Clause(name, parameters, (Parameter("?y"),), (step, rest)))
        return name

    def _some(self, atom: Atom) -> Atom:
        """The atom that holds where there are objects for each `_`."""
        wild = [is_anything(term, self._domain) for term in atom.terms]
        pattern = "".join("x" if is_wild else "o" for is_wild in wild)
        name = f"{self._prefix}some-{pattern}-{atom.predicate}"
        if name not in self.predicates:
            declared = self._known[atom.predicate].parameters
            places = [Parameter(f"?x{i}", p.types) for i, p in enumerate(declared)]
            # Named objects may be of any type; the others have the types of the predicate.
            kept = [
                Parameter(p.name) for p, is_wild in zip(places, wild, strict=True) if not is_wild
            ]
            hidden = [p for p, is_wild in zip(places, wild, strict=True) if is_wild]
            self.predicates[name] = Predicate(name, tuple(kept))
            condition = Literal(Atom(atom.predicate, tuple(p.name for p in places)))
            self.clauses.append(Clause(name, tuple(kept), tuple(hidden), (condition,)))
        named = (term for term, is_wild in zip(atom.terms, wild, strict=True) if not is_wild)
        return Atom(name, tuple(named))
