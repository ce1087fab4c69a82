"""Triangle tables (Fikes, Hart and Nilsson 1972): why each action of a plan could be done.

Row k of the table belongs to action k of the plan; its cells list the positive preconditions of
that action by where they come from: an earlier action's column, or the column of the initial state.
A precondition stands in the column of the action that added it last, so nothing in between deletes
it. Actions linked by a cell depend on each other; following the links tells which actions of a plan
serve one end, and regressing that end through them tells what had to hold before.

Only what a later action needs is kept; the original tables also list the effects that nothing uses.
Negative preconditions have no cells.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Atom, Literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from pg3.pddl.model import Domain
    from pg3.pddl.plans import GroundAction
    from pg3.semantics.effects import Case

# The column of the initial state, left of the first action's.
INITIAL = -1


class Step(NamedTuple):
    """A ground action with what it needs and does.

    `conditions` are all its preconditions in the order of the schema, each once: atoms, negated
    atoms and inequalities (the terms of these in alphabetic order; equalities of an object with
    itself are left out). `needs` are the positive atoms among them. An atom that the schema both
    deletes and adds is in `adds` only, as adding comes last.
    """

    action: GroundAction
    conditions: tuple[Literal, ...]
    needs: tuple[Atom, ...]
    adds: frozenset[Atom]
    deletes: frozenset[Atom]

    @classmethod
    def of(cls, action: GroundAction, domain: Domain) -> Step:
        """The step of an action whose name and objects fit the domain."""
        schema = domain.actions[domain.action_index[action.name]]
        names = [parameter.name for parameter in schema.parameters]
        binding = dict(zip(names, action.objects, strict=True))
        conditions = dict[Literal, None]()
        for literal in schema.precondition:
            atom = literal.atom.substitute(binding)
            if atom.predicate == EQUALS:
                atom = Atom(EQUALS, tuple(sorted(atom.terms)))
                if literal.positive:
                    assert atom.terms[0] == atom.terms[1], f"{action} does not exist"
                    continue
            conditions[Literal(atom, literal.positive)] = None
        effects = [effect.substitute(binding) for effect in schema.effects]
        adds = frozenset(atom for atom, positive in effects if positive)
        return cls(
            action,
            tuple(conditions),
            tuple(atom for atom, positive in conditions if positive),
            adds,
            frozenset(atom for atom, positive in effects if not positive) - adds,
        )

    def with_cases(self, cases: Iterable[Case], wanted: Collection[Atom]) -> Step:
        """The step with all effects that happen, for the reason that their conditions hold.

        The step needs the conditions of those that add something `wanted` later.
        """
        conditions, effects = dict.fromkeys(self.conditions), list[Literal]()
        for case in cases:
            effects += case.effects
            if any(positive and atom in wanted for atom, positive in case.effects):
                asked = (c for c in case.conditions if c.atom.predicate != EQUALS or not c.positive)
                conditions.update(dict.fromkeys(asked))
        adds = frozenset(atom for atom, positive in effects if positive)
        return self._replace(
            conditions=tuple(conditions),
            needs=tuple(a for a, positive in conditions if positive and a.predicate != EQUALS),
            adds=adds,
            deletes=frozenset(atom for atom, positive in effects if not positive) - adds,
        )

    @property
    def inequalities(self) -> tuple[Literal, ...]:
        """The conditions that two objects are different."""
        return tuple(c for c in self.conditions if c.atom.predicate == EQUALS)


@dataclass(frozen=True)
class TriangleTable:
    """The triangle table of a plan: `steps` done one after the other from the state `initial`.

    Steps are named by their index in the plan. Links make sense in a plan that can be done: asking
    for them is a ValueError if a step needs an atom that is false when its turn comes.

    With axioms (`derived_links`), a step may add a derived atom again that is true, as from then on
    there is another reason for it. `made_way` are links that no cell shows, for each step to
    earlier ones.
    """

    initial: AbstractSet[Atom]
    steps: tuple[Step, ...]
    derived: AbstractSet[str] = frozenset()
    made_way: tuple[tuple[int, ...], ...] = ()

    @cached_property
    def suppliers(self) -> tuple[Mapping[Atom, int], ...]:
        """For each step where each atom it needs comes from: an earlier step or INITIAL."""
        rows = []
        # Atoms that steps have touched: who added it last, None if it was deleted since.
        added: dict[Atom, int | None] = {}
        for k, step in enumerate(self.steps):
            row = {}
            for atom in step.needs:
                source = added.get(atom, INITIAL)
                if source is None or (source == INITIAL and atom not in self.initial):
                    raise ValueError(f"{atom} is false when {step.action} is done")
                row[atom] = source
            rows.append(row)
            added.update(dict.fromkeys(step.deletes, None))
            added.update(dict.fromkeys(step.adds, k))
        return tuple(rows)

    def cell(self, step: int, supplier: int) -> tuple[Atom, ...]:
        """What the step needs and the supplier provides; the supplier may be INITIAL."""
        return tuple(atom for atom, source in self.suppliers[step].items() if source == supplier)

    @cached_property
    def consumers(self) -> tuple[tuple[int, ...], ...]:
        """For each step the later ones that it supplies, in plan order: links forward."""
        found: list[list[int]] = [[] for _ in self.steps]
        for k in range(len(self.steps)):
            for source in self.dependencies(k):
                found[source].append(k)
        return tuple(map(tuple, found))

    def dependencies(self, step: int) -> tuple[int, ...]:
        """The earlier steps that supply the step, in plan order: links backward."""
        others = self.made_way[step] if self.made_way else ()
        return tuple(sorted({*self.suppliers[step].values(), *others} - {INITIAL}))

    def holds(self, atom: Atom, before: int) -> bool:
        """Whether an atom is true just before a step; after the plan if that is its length."""
        for step in reversed(self.steps[:before]):
            if atom in step.adds or atom in step.deletes:
                return atom in step.adds
        return atom in self.initial

    def achiever(self, atom: Atom) -> int | None:
        """The step that makes the atom true for good: it is false before and true ever after.

        None if it is true all along or false at the end. A derived atom is made true for good by
        the step that gave it its last reason.
        """
        true, achiever = atom in self.initial, None
        for k, step in enumerate(self.steps):
            if atom in step.deletes:
                true, achiever = False, None
            elif atom in step.adds and (not true or atom.predicate in self.derived):
                true, achiever = True, k
        return achiever

    def edited(self, first: int, last: int) -> tuple[int, ...]:
        """The steps from first to last without those that do nothing for the last one.

        Kept are, besides the two, those on which the last one depends, directly or not.
        """
        kept, pending = {first}, [last]
        while pending:
            step = pending.pop()
            if step not in kept:
                kept.add(step)
                pending.extend(source for source in self.dependencies(step) if source > first)
        return tuple(sorted(kept))

    def preimage(
        self, subsequence: Sequence[int], facts: Iterable[Atom] = ()
    ) -> tuple[Atom, ...] | None:
        """The atoms that must hold for steps of the plan to be done on their own, in plan order.

        From any state that has them, if negative preconditions allow, the steps can be done and
        `facts` hold at the end. None if one of the steps undoes what a later one, or a fact, needs
        and none in between restores it; that never happens to steps that follow each other in the
        plan, nor to `edited` ones. Atoms come in the order in which the steps need them.
        """
        needed = tuple(facts)
        for k in reversed(subsequence):
            step = self.steps[k]
            rest = [atom for atom in needed if atom not in step.adds]
            if not step.deletes.isdisjoint(rest):
                return None
            needed = tuple(dict.fromkeys((*step.needs, *rest)))
        return needed
