"""Derived predicates, paths and `_`, by enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import EQUALS, Atom
from pg3.policy.derived import GRAPH_ARITIES, REACH, is_anything, is_graph, stratify_definitions
from tests.oracle import numbers
from tests.oracle.semantics import bindings, substitute

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pg3.pddl.model import Literal, Problem
    from pg3.policy.model import Clause
    from tests.oracle.semantics import State


def distances(edges: Collection[tuple[str, str]], target: str) -> dict[str, int]:
    """For each node that can reach the target, how many edges it is away."""
    found = {target: 0}
    while True:
        further = {x: found[y] + 1 for x, y in sorted(edges) if y in found and x not in found}
        # All of them are equally far: only what was found before is looked at.
        if not further:
            return found
        found |= further


def holds(problem: Problem, literal: Literal, binding: Mapping[str, str], atoms: State) -> bool:
    """Whether a condition is true where just these atoms are (derived ones included)."""
    domain = problem.domain
    name, terms = substitute(literal.atom, binding)
    if name == EQUALS:
        found = terms[0] == terms[1]
    elif is_graph(Atom(name, terms), domain):
        size = GRAPH_ARITIES[name]
        edges, leading, ends = terms[0], terms[1:-size], terms[-size:]
        pairs = {
            (a.terms[-2], a.terms[-1])
            for a in atoms
            if a.predicate == edges and a.terms[:-2] == leading
        }
        away = distances(pairs, ends[-1])
        if name == REACH:
            found = ends[0] in away
        else:
            x, y = ends[:2]
            found = (x, y) in pairs and x in away and away.get(y) == away[x] - 1
    elif not any(is_anything(term, domain) for term in terms):
        atom = Atom(name, terms)
        found = atom in atoms
        if numbers.is_comparison(atom) and name not in domain.predicate_index:
            found = numbers.is_true(atom, numbers.values(problem, atoms))
    else:
        found = any(
            atom.predicate == name
            and all(
                is_anything(term, domain) or term == given
                for term, given in zip(terms, atom.terms, strict=True)
            )
            for atom in atoms
        )
    return found == literal.positive


def goal_atoms(problem: Problem) -> frozenset[Atom]:
    """What conditions on the goal are true: its atoms, and `(goal (not ATOM))` of negative ones."""
    found = set(problem.goal)
    for name, terms in problem.negative_goal:
        places = "".join(f" ${i}" for i in range(1, len(terms) + 1))
        found.add(Atom(f"(goal (not ({name}{places})))", terms))
    return frozenset(found)


def with_derived(problem: Problem, definitions: Sequence[Clause], state: State) -> State:
    """The state with all derived atoms, group by group until nothing new comes."""
    goal = goal_atoms(problem)
    for group in stratify_definitions(definitions, problem.domain):
        clauses = [clause for clause in definitions if clause.name in group]
        while True:
            new = {
                Atom(clause.name, tuple(binding[p.name] for p in clause.parameters))
                for clause in clauses
                for binding in bindings(problem, (*clause.parameters, *clause.variables))
                if all(holds(problem, one, binding, state) for one in clause.conditions)
                and all(holds(problem, one, binding, goal) for one in clause.goals)
            }
            if new <= state:
                break
            state |= new
    return state
