"""A problem while it is grown: facts and goals are taken only if they keep the mined facts true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.names import Names
from pg3.pddl.model import Atom

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.learning.robustness.growing.mining import Mined
    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Disjunction, Literal
    from pg3.pddl.numbers import Number


class Facts:
    """Atoms that may be true together, as far as the mined facts tell."""

    def __init__(self, mined: Mined, once: frozenset[str]) -> None:
        self._mined = mined
        self._once = once
        self.atoms: dict[Atom, None] = {}
        self._instances: set[tuple[int, tuple[str, ...]]] = set()
        self._predicates: set[str] = set()
        # What the other arguments of a static predicate determine.
        self.determined: dict[tuple[str, int, tuple[str, ...]], str] = {}

    def admits(self, atom: Atom) -> bool:
        """Whether the atom goes with those that are there."""
        if atom in self.atoms:
            return True
        predicate = atom.predicate
        if predicate in self._once and predicate in self._predicates:
            return False
        if predicate in self._mined.parts_of and not self._instances.isdisjoint(
            self._mined.instances(atom)
        ):
            return False
        return predicate not in self._mined.single or not any(
            key in self.determined for key, _ in self.keys(atom)
        )

    def add(self, atom: Atom) -> None:
        """Take an atom, whatever it goes with."""
        self.atoms[atom] = None
        predicate = atom.predicate
        self._predicates.add(predicate)
        if predicate in self._mined.parts_of:
            self._instances.update(self._mined.instances(atom))
        if predicate in self._mined.single:
            self.determined.update(self.keys(atom))

    def add_all(self, predicate: str, atoms: Iterable[Atom]) -> None:
        """Take atoms of one predicate, of which there may be very many."""
        if predicate in self._mined.parts_of or predicate in self._mined.single:
            for atom in atoms:
                self.add(atom)
        elif more := dict.fromkeys(atoms):
            self.atoms |= more
            self._predicates.add(predicate)

    def keys(self, atom: Atom) -> Iterable[tuple[tuple[str, int, tuple[str, ...]], str]]:
        """For each place that the other arguments determine: these, and what is there."""
        predicate, terms = atom
        return (
            ((predicate, place, (*terms[:place], *terms[place + 1 :])), terms[place])
            for place in self._mined.single.get(predicate, ())
        )


class Draft:
    """The parts of a grown problem so far."""

    def __init__(self, mined: Mined, constants: Iterable[str]) -> None:
        self.mined = mined
        self.names = Names(constants)
        self.types: dict[str, str] = {}
        self.sorts: dict[str, Sort] = {}
        self.init = Facts(mined, mined.once)
        self.goal = self.no_goals()
        self.negative: dict[Literal, None] = {}
        self.disjunctions: dict[Disjunction, None] = {}
        # What they ask for.
        self.choices = Facts(mined, frozenset())
        self.values: dict[Atom, Number] = {}

    def no_goals(self) -> Facts:
        """Goals, none so far."""
        return Facts(self.mined, self.mined.once_goal)

    def add_disjunction(self, disjunction: Disjunction, *, is_first: bool) -> None:
        """Take a goal with alternatives, if none of them excludes what another goal asks for."""
        atoms = [one.atom for part in disjunction for one in part if one.positive]
        if is_first or all(self.choices.admits(a) and self.goal.admits(a) for a in atoms):
            self.disjunctions[disjunction] = None
            for atom in atoms:
                self.choices.add(atom)

    def add_object(self, name: str, type_: str, sort: Sort) -> None:
        """Take an object under its new name."""
        self.types[name] = type_
        self.sorts[name] = sort

    def lacking(
        self, names: Iterable[str], facts: Iterable[Atom], sort_of: dict[str, Sort]
    ) -> tuple[set[str], list[Atom]]:
        """Those of new objects of which the facts do not say what is said of all of their sort.

        Also facts that say it of others: a place that nothing is in any more is free.
        """
        mined = self.mined
        said: dict[str, set[tuple[str, int]]] = {name: set() for name in names}
        covered: dict[str, set[int]] = {name: set() for name in said}
        taken: set[tuple[int, tuple[str, ...]]] = set()
        for atom in facts:
            for place, term in enumerate(atom.terms):
                if term in said:
                    said[term].add((atom.predicate, place))
            for number, instance in mined.instances(atom):
                taken.add((number, instance))
                if len(instance) == 1 and instance[0] in covered:
                    covered[instance[0]].add(number)
        lacking: set[str] = set()
        added: list[Atom] = []
        for name, found in said.items():
            sort = sort_of[name]
            for number, sorts in enumerate(mined.exact):
                if sort in sorts and number not in covered[name]:
                    filler = Atom(mined.fillers[number].get(sort, ""), (name,))
                    own = set(mined.instances(filler))
                    # One person drives one car: what fills one group may be in another one, too.
                    if not own or own & taken or not self.init.admits(filler):
                        lacking.add(name)
                    else:
                        added.append(filler)
                        found.add((filler.predicate, 0))
                        taken |= own
                        covered[name].update(n for n, _ in own)
            if not mined.always.get(sort, frozenset()) <= found:
                lacking.add(name)
        return lacking, [atom for atom in added if atom.terms[0] not in lacking]


def without(atoms: Iterable[Atom], removed: set[str]) -> list[Atom]:
    """The atoms that mention none of these objects."""
    return [atom for atom in atoms if removed.isdisjoint(atom.terms)]
