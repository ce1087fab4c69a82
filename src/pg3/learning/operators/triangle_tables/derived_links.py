"""Triangle tables of plans in domains with axioms.

A derived atom holds for a *reason*: a proof from atoms that actions make true and false. A step
gives an atom the reason for which it is true later if one proof holds from this step on until then,
and not before. In these tables that step adds the atom: where the atom becomes true, and also where
it would become false without the step (a parcel that is taken out of a van stays where it is).

The step does this only where other atoms are true, so it needs these, too: the conditions of the
proof that have held since before the step. A derived atom among them is not expanded: when a door
is opened, it matters that the room is within reach, not by which path.

Atoms that an axiom needs to be false have no cells. But steps are linked to those that made them
false: to the one that deleted the last of them, and to those that deleted others before.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pg3.learning.operators.triangle_tables.number_links import table_with_numbers
from pg3.learning.operators.triangle_tables.triangle_table import TriangleTable
from pg3.pddl.strata import reachable
from pg3.semantics.datalog import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pg3.learning.operators.triangle_tables.triangle_table import Step
    from pg3.pddl.model import Atom, Domain
    from pg3.semantics.task import Task

    # Atoms in an order of theirs.
    _State = dict[Atom, None]


class DerivedLinks:
    """Makes the triangle tables of one problem's plans.

    That may take long: `check` is called again and again, and raises what ends it.
    """

    def __init__(self, task: Task, check: Callable[[], None] = lambda: None) -> None:
        self._task = task
        self._check = check
        self._axioms = Program(task.domain.axioms, task.problem)
        self._reads = _what_is_read(task.domain)
        self._negating = {
            clause.name
            for clause in task.domain.axioms
            if any(not positive for _, positive in clause.conditions)
        }

    def table(self, plan: Sequence[int], steps: Sequence[Step]) -> TriangleTable:
        """The table of a plan, given in the kernel's numbers and as steps of the domain."""
        number = self._task.space.initial
        states: list[_State] = [dict.fromkeys(self._task.all_atoms(number))]
        for action in plan:
            number = self._task.space.apply(number, action)
            states.append(dict.fromkeys(self._task.all_atoms(number)))
        domain = self._task.domain
        derived = domain.derived.difference(domain.comparisons)
        if domain.has_numbers:
            steps = table_with_numbers(self._task, plan, steps).steps
        reasons = _Reasons(states, self._axioms, derived, self._check)
        needs = [dict.fromkeys(step.needs) for step in steps]
        adds = [set(step.adds) for step in steps]
        deletes = [set(step.deletes) for step in steps]
        for k, (before, after) in enumerate(pairwise(states)):
            adds[k].update(a for a in after if a.predicate in derived and a not in before)
            deletes[k].update(a for a in before if a.predicate in derived and a not in after)
        made_way = [set[int]() for _ in steps]
        wanted: list[Atom] = [atom for atom in self._task.problem.goal if atom in states[-1]]
        for k in range(len(steps), -1, -1):
            if k < len(steps):
                wanted = list(needs[k])
                for atom, positive in steps[k].conditions:
                    last = max((j for j in range(k) if atom in states[j]), default=None)
                    if not positive and atom.predicate in derived and last is not None:
                        made_way[k].add(last)
                        made_way[last].update(self._helpers(atom, last, steps, states))
            for atom in wanted:
                if atom.predicate in derived:
                    giver = reasons.giver(atom, k)
                    if giver >= 0:
                        adds[giver].add(atom)
                        needs[giver].update(dict.fromkeys(reasons.conditions(atom, giver, k)))
                        made_way[giver].update(self._helpers(atom, giver, steps, states))
        return TriangleTable(
            frozenset(states[0]),
            tuple(
                step._replace(
                    needs=tuple(needs[k]), adds=frozenset(adds[k]), deletes=frozenset(deletes[k])
                )
                for k, step in enumerate(steps)
            ),
            derived,
            tuple(tuple(sorted(one)) for one in made_way),
        )

    def _helpers(
        self, atom: Atom, last: int, steps: Sequence[Step], states: Sequence[_State]
    ) -> Iterator[int]:
        """The steps before the last one without which the atom would not be what it is after it.

        They made something true or false that would change the atom if it were not so; a step that
        deletes what was false all along, say, made nothing false. Not for an atom that is true and
        rests on nothing that is false: its proof has all that matters.
        """
        read = self._reads[atom.predicate]
        after = frozenset(states[last + 1])
        if atom in after and self._negating.isdisjoint(read):
            return
        touched: dict[Atom, int] = {}
        for j in range(last + 1):
            touched |= dict.fromkeys(sorted(steps[j].deletes | steps[j].adds), j)
        for other, j in touched.items():
            if j < last and other.predicate in read and _changes(other, states[: last + 2]):
                self._check()
                elsewhere = self._task.derived_atoms(after ^ {other})
                if (atom in elsewhere) != (atom in after):
                    yield j


class _Reasons:
    """Since when derived atoms hold for one and the same reason, along the states of a plan."""

    def __init__(
        self,
        states: Sequence[_State],
        axioms: Program,
        derived: frozenset[str],
        check: Callable[[], None],
    ) -> None:
        self._states = states
        self._check = check
        self._axioms = axioms
        self._derived = derived
        self._known: dict[tuple[int, int], dict[Atom, tuple[Atom, ...]]] = {}

    def giver(self, atom: Atom, before: int) -> int:
        """The step that gave an atom the reason for which it holds before a step; -1 for none."""
        false = [j for j in range(before) if atom not in self._states[j]]
        giver = false[-1] if false else -1
        while atom not in self._lasting(giver, before):
            giver += 1
        return giver

    def conditions(self, atom: Atom, giver: int, before: int) -> Iterator[Atom]:
        """What else the reason needs, and has been so since before the giver."""
        proofs = self._lasting(giver, before)
        earlier = self._lasting(giver - 1, before)
        pending, met = [atom], {atom}
        for one in pending:
            for condition in proofs[one]:
                if condition.predicate not in self._derived:
                    if condition in self._states[giver]:
                        yield condition
                elif condition in earlier:
                    yield condition
                elif condition not in met:
                    met.add(condition)
                    pending.append(condition)

    def _lasting(self, giver: int, before: int) -> dict[Atom, tuple[Atom, ...]]:
        """The derived atoms with proofs that hold from after one step until before another."""
        found = self._known.get((giver, before))
        if found is None:
            self._check()
            states = self._states[giver + 1 : before + 1]
            given = [
                atom
                for atom in states[0]
                if atom.predicate not in self._derived and all(atom in one for one in states[1:])
            ]
            possible = set().union(*states)
            found = self._known[giver, before] = self._axioms.proofs(given, possible)
        return found


def _changes(atom: Atom, states: Sequence[_State]) -> bool:
    """Whether the atom is true in one of the states and false in another."""
    return any((atom in state) != (atom in states[0]) for state in states)


def _what_is_read(domain: Domain) -> dict[str, frozenset[str]]:
    """For each derived predicate all that it depends on, itself included."""
    reads: dict[str, set[str]] = {predicate.name: set() for predicate in domain.predicates}
    for clause in domain.axioms:
        reads[clause.name] |= {atom.predicate for atom, _ in clause.conditions} & reads.keys()
    return {name: frozenset({name, *reachable(name, reads)}) for name in domain.derived}
