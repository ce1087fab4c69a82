"""Random problems of the class of a proof, made by the solver and by no generator of ours.

The solver is asked for a structure that satisfies the class and random facts and goals, as many as
go together. What it gives is a member only if the membership check says so, too: the solver knows
counts and paths only in part.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.countermodels import problem_of
from pg3.analysis.prove.logic.theory import Path
from pg3.analysis.prove.reasoning import Condition, Model, Reasoner

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from pg3.analysis.prove.logic.z3_terms import Expr
    from pg3.analysis.prove.membership import ProblemClass
    from pg3.pddl import Problem

# Random facts that are asked for at a time: each is kept if the class allows it.
_FACTS = 25
# How many of them are to hold; the others are not to.
_TRUE = 0.7


def random_members(
    members: ProblemClass, chance: random.Random, number: int, sizes: tuple[int, ...] = (2, 3, 4)
) -> Iterator[Problem]:
    """At most so many members, of so many objects a kind where the class allows it.

    Some attempts fail.
    """
    theory = members.theory
    # Of circles among goals the membership check alone knows.
    relations = [r for r in members.acyclic if not r.startswith("goal ")]
    acyclic = [Path(r, (), theory.signatures_of(r)[0][0]) for r in relations]
    reasoner = Reasoner(theory, acyclic, [one for _, one in members.invariants])
    solvers: dict[int, Any] = {}
    for i in range(number):
        size = sizes[i % len(sizes)]
        if size not in solvers:
            solvers[size] = _solver(reasoner, size)
        solver, sat = solvers[size], reasoner.z3.sat
        atoms = _atoms(reasoner, size, given=True)
        depth = solver.num_scopes()
        solver.push()
        for atom in chance.sample(atoms, min(_FACTS, len(atoms))):
            wanted = atom if chance.random() < _TRUE else reasoner.z3.Not(atom)
            _add_if_possible(solver, wanted, sat)
        if solver.check() == sat:
            structure = Model(reasoner, solver.model(), size, Condition("member", lambda _: []))
            problem = problem_of(theory, structure, f"member-{i}")
            if members.reason_against(problem) is None:
                yield problem
        solver.pop(solver.num_scopes() - depth)


def _solver(reasoner: Reasoner, size: int) -> Any:
    """A solver whose models have the class's kinds of facts only, and objects that differ."""
    z3 = reasoner.z3
    solver, _ = reasoner.query(Condition("member", lambda _: []), reasoner.pool, size)
    for atom in _atoms(reasoner, size, given=False):
        solver.add(z3.Not(atom))
    for kind in reasoner.theory.kinds:
        elements = reasoner.translation(size).elements(kind)
        _add_if_possible(solver, z3.Distinct(*elements), z3.sat)
    return solver


def _add_if_possible(solver: Any, term: Expr, sat: Any) -> None:
    solver.push()
    solver.add(term)
    if solver.check() != sat:
        solver.pop()


def _atoms(reasoner: Reasoner, size: int, *, given: bool) -> list[Expr]:
    """The atoms that a problem of the class can have, or those that only actions can add."""
    theory, known = reasoner.theory, reasoner.theory.given
    words = [("state", known.init), ("goal", known.goal), ("avoid", known.avoid)]
    if not given:
        words = [("state", theory.signatures - known.init)]
    return [
        reasoner.words.apply(f"{word} {predicate}", tuple(kinds), row)
        for word, signatures in words
        for predicate, *kinds in sorted(signatures)
        if word != "state" or predicate not in theory.marks
        for row in itertools.product(*(reasoner.translation(size).elements(k) for k in kinds))
    ]
