"""Random problems of the class of a proof, made by the solver and by no generator of ours.

The solver is asked for a structure that satisfies the class and random facts and goals, as many as
go together. What it gives is a member only if the membership check says so, too: the solver knows
counts and paths only in part.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from pg3.analysis.prove.countermodels import problem_of
from pg3.analysis.prove.logic.theory import Path
from pg3.analysis.prove.reasoning import Condition, Model, Reasoner

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from pg3.analysis.prove.membership import ProblemClass
    from pg3.pddl import Problem

# Random facts that are asked for at a time: each is kept if the class allows it.
_FACTS = 25


def random_members(
    members: ProblemClass, chance: random.Random, number: int, sizes: tuple[int, ...] = (2, 3, 4)
) -> Iterator[Problem]:
    """At most so many members, of at most so many objects a kind; some attempts fail."""
    theory = members.theory
    acyclic = [Path(r, (), theory.signatures_of(r)[0][0]) for r in members.acyclic]
    reasoner = Reasoner(theory, acyclic, [one for _, one in members.invariants])
    condition = Condition("member", lambda _: [])
    for i in range(number):
        size = sizes[i % len(sizes)]
        solver, result = reasoner.query(condition, reasoner.pool, size)
        if result != reasoner.z3.sat:
            continue
        atoms = [
            reasoner.words.apply(f"{word} {predicate}", tuple(kinds), row)
            for word, known in (("state", theory.given.init), ("goal", theory.given.goal))
            for predicate, *kinds in sorted(known)
            if predicate not in theory.marks
            for row in itertools.product(
                *(reasoner.translation(size).elements(kind) for kind in kinds)
            )
        ]
        for atom in chance.sample(atoms, min(_FACTS, len(atoms))):
            wanted = atom if chance.random() < 0.7 else reasoner.z3.Not(atom)
            solver.push()
            solver.add(wanted)
            if solver.check() != reasoner.z3.sat:
                solver.pop()
        if solver.check() != reasoner.z3.sat:
            continue
        structure = Model(reasoner, solver.model(), size, condition)
        problem = problem_of(theory, structure, f"member-{i}")
        if members.reason_against(problem) is None:
            yield problem
