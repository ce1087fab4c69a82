"""Triangle tables of plans in domains with numbers.

A step adds the comparisons that it makes true, and deletes those that it makes false. Where several
steps are needed to make one true, the last of them adds it and is linked to the others.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.learning.operators.triangle_tables.triangle_table import TriangleTable
from pg3.pddl.model import Atom
from pg3.pddl.numbers import comparison_of, is_comparison

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.learning.operators.triangle_tables.triangle_table import Step
    from pg3.semantics.task import Task


def table_with_numbers(task: Task, plan: Sequence[int], steps: Sequence[Step]) -> TriangleTable:
    """The table of a plan, given in the kernel's numbers and as steps of the domain."""
    number = task.space.initial
    states = [frozenset(task.all_atoms(number))]
    for action in plan:
        number = task.space.apply(number, action)
        states.append(frozenset(task.all_atoms(number)))
    changed = [
        {effect.function for effect in task.domain.action(name).ground(objects).numeric}
        for (name, objects), *_ in steps
    ]
    found = []
    made_way = []
    for k, (before, after) in enumerate(pairwise(states)):
        adds = {atom for atom in after - before if is_comparison(atom.predicate)}
        deletes = {atom for atom in before - after if is_comparison(atom.predicate)}
        found.append(
            steps[k]._replace(adds=steps[k].adds | adds, deletes=steps[k].deletes | deletes)
        )
        helpers = set[int]()
        for predicate, terms in adds:
            comparison = comparison_of(predicate)
            binding = dict(zip(comparison.places, terms, strict=True))
            read = {function.substitute(binding) for function in comparison.functions}
            # The steps since it was true the last time, of those that touch its numbers.
            for j in range(k - 1, -1, -1):
                if Atom(predicate, terms) in states[j + 1]:
                    break
                if not read.isdisjoint(changed[j]):
                    helpers.add(j)
        made_way.append(tuple(sorted(helpers)))
    return TriangleTable(states[0], tuple(found), frozenset(), tuple(made_way))
