"""Why a derived condition, or one on paths, is true or false.

For a derived atom that holds the reason is its proof (see `datalog`); for one that does not, the
nearest clause and its false conditions. For a path it is the path itself, or that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.analysis.explain.matching import RuleMatcher
from pg3.errors import first_few
from pg3.pddl.model import Atom, Literal
from pg3.policy.derived import REACH, comparisons_in, is_anything, is_graph
from pg3.policy.model import Rule
from pg3.semantics.datalog import Condition, Program, edges_along

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Clause, Problem
    from pg3.policy.model import DecisionList

# Reasons have reasons: the depth to which they are given.
DEPTH = 3
# The most reachable objects that are listed.
_NAMED = 6


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the atom of a ground condition holds or not.

    `because` are the conditions of the clause that proves it or, if it is false, the false
    conditions of the nearest clause. `path` are the objects on a path. `note` is said in words.
    `further` are the reasons of its conditions.
    """

    atom: Atom
    holds: bool
    because: tuple[Condition, ...] = ()
    path: tuple[str, ...] = ()
    note: str = ""
    further: tuple[Reason, ...] = ()


class Reasons:
    """Reasons for what a policy's definitions and its domain's axioms derive in one state."""

    def __init__(self, policy: DecisionList, problem: Problem, state: AbstractSet[Atom]) -> None:
        """`state` are the atoms that are true, without derived ones."""
        self._problem = problem
        self._clauses: dict[str, list[Clause]] = {}
        clauses = (*problem.domain.axioms, *policy.definitions)
        for clause in clauses:
            self._clauses.setdefault(clause.name, []).append(clause)
        program = Program(clauses, problem, comparisons_in(policy))
        self._proofs = program.derive(state)
        self._known = {*state, *program.compared(state), *self._proofs}

    def of(self, conditions: Iterable[Condition]) -> tuple[Reason, ...]:
        """The reasons of those ground conditions that have one, in their order."""
        seen: set[Atom] = set()
        return tuple(self._all(conditions, DEPTH, seen))

    def _all(self, conditions: Iterable[Condition], depth: int, seen: set[Atom]) -> list[Reason]:
        found = []
        for condition in conditions:
            atom = condition.literal.atom
            if condition.of_goal or atom in seen or depth == 0:
                continue
            if is_graph(atom, self._problem.domain):
                found.append(self._path(atom))
            elif atom.predicate in self._clauses:
                seen.add(atom)
                found.append(self._derived(atom, depth, seen))
        return found

    def _derived(self, atom: Atom, depth: int, seen: set[Atom]) -> Reason:
        if any(is_anything(term, self._problem.domain) for term in atom.terms):
            return self._witness(atom)
        proof = self._proofs.get(atom)
        if proof is not None:
            note = "" if proof else "it holds for all objects of its types"
            return Reason(
                atom, True, proof, note=note, further=tuple(self._all(proof, depth - 1, seen))
            )
        false = self._nearest(atom)
        if false is None:
            return Reason(atom, False, note="it is not defined for objects of these types")
        return Reason(atom, False, false, further=tuple(self._all(false, depth - 1, seen)))

    def _witness(self, atom: Atom) -> Reason:
        for other in sorted(self._known):
            if other.predicate == atom.predicate and all(
                is_anything(term, self._problem.domain) or term == name
                for term, name in zip(atom.terms, other.terms, strict=True)
            ):
                return Reason(atom, True, (Condition(Literal(other), False),))
        return Reason(atom, False, note="there is no such object")

    def _nearest(self, atom: Atom) -> tuple[Condition, ...] | None:
        """The false conditions of the clause that comes nearest to deriving the atom."""
        types = {o.name: o.type for o in self._problem.all_objects}
        best: tuple[Condition, ...] | None = None
        for clause in self._clauses[atom.predicate]:
            pairs = list(zip(clause.parameters, atom.terms, strict=True))
            if not all(self._problem.domain.is_a(types[o], p.types) for p, o in pairs):
                continue
            binding = {parameter.name: name for parameter, name in pairs}
            rule = Rule(
                clause.name,
                clause.variables,
                tuple(condition.substitute(binding) for condition in clause.conditions),
                tuple(goal.substitute(binding) for goal in clause.goals),
                "",
                (),
            )
            false = RuleMatcher(rule, self._problem).nearest(self._known).false
            if false and (best is None or len(false) < len(best)):
                best = false
        return best

    def _path(self, atom: Atom) -> Reason:
        edges = edges_along(atom, self._known)
        start, target = atom.terms[-2 if atom.predicate == REACH else -3], atom.terms[-1]
        way = _shortest(edges, start, target)
        if atom.predicate == REACH:
            if way is not None:
                return Reason(atom, True, path=way)
            return Reason(atom, False, note=_within_reach(edges, start))
        hop = atom.terms[-2]
        if way is None:
            return Reason(atom, False, note=_within_reach(edges, start))
        if (start, hop) not in edges:
            return Reason(atom, False, path=way, note=f"no edge leads from {start} to {hop}")
        rest = _shortest(edges, hop, target)
        if start == target or rest is None or len(rest) != len(way) - 1:
            return Reason(atom, False, path=way, note=f"{hop} is not nearer to {target}")
        return Reason(atom, True, path=(start, *rest))


def _shortest(edges: Iterable[tuple[str, str]], start: str, target: str) -> tuple[str, ...] | None:
    """The objects on a shortest path, with both ends; of several paths the first by name."""
    after: dict[str, list[str]] = {}
    for one, other in sorted(edges):
        after.setdefault(one, []).append(other)
    before: dict[str, str | None] = {start: None}
    pending = [start]
    for node in pending:
        if node == target:
            break
        for other in after.get(node, ()):
            if other not in before:
                before[other] = node
                pending.append(other)
    if target not in before:
        return None
    way: list[str] = []
    at: str | None = target
    while at is not None:
        way.append(at)
        at = before[at]
    return tuple(reversed(way))


def _within_reach(edges: Iterable[tuple[str, str]], start: str) -> str:
    found = [start]
    pairs = sorted(edges)
    for node in found:
        found += dict.fromkeys(y for x, y in pairs if x == node and y not in found)
    others = sorted(found[1:])
    if not others:
        return f"nothing is within reach of {start}"
    return f"within reach of {start} are only {first_few(others, _NAMED)}"
