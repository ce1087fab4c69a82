"""Of an exported module: a policy and its domain as tables, facts and objects.

The policy here is empty: an exported module has its own values in these tables.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

# == exported ==
# A fact or a condition without its sign: ("at", "car1", "dock").
Atom = tuple[str, ...]


class Condition(NamedTuple):
    """An atom over parameters ("?x") and constants that must hold, or must not.

    The kind is "" for an atom as it is; "any" where "_" in it stands for any object; "reach" for
    (relation, ..., x, z), that the relation leads from x to z in any number of steps; "next" for
    (relation, ..., x, y, z), that y is the next stop from x on a shortest way to z. The last two
    places of the relation are a step; what stands before them says whose steps.
    """

    atom: Atom
    positive: bool
    kind: str = ""


class Sum(NamedTuple):
    """A constant plus functions times coefficients, such as 2 * (fuel ?v).

    A function is ("=", "fuel", "?v") for its value in a state, and (">=", "fuel", "?v") with
    `of_goal` for the number that a goal compares it with by that word.
    """

    functions: tuple[tuple[Fraction | int, bool, Atom], ...]
    constant: Fraction | int


class Comparison(NamedTuple):
    """Two sums of functions of the places, compared by a word; its name is that of its atoms."""

    name: str
    places: tuple[str, ...]
    word: str
    left: Sum
    right: Sum


class Change(NamedTuple):
    """What an action does to a number: "increase", "decrease" or "assign"."""

    word: str
    function: Atom
    amount: Sum


class Rule(NamedTuple):
    """If some objects satisfy the conditions, do the action. Parameters come with their types."""

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    preconditions: tuple[Condition, ...]
    goals: tuple[Condition, ...]
    action: Atom


class Clause(NamedTuple):
    """One way in which a derived atom holds: some objects for the variables satisfy everything."""

    name: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    variables: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[Condition, ...]
    goals: tuple[Condition, ...]


class Effect(NamedTuple):
    """Effects for all objects with which the conditions hold before the action."""

    variables: tuple[tuple[str, tuple[str, ...]], ...]
    conditions: tuple[Condition, ...]
    effects: tuple[Condition, ...]


class Action(NamedTuple):
    """What an action needs and does; adding comes after deleting."""

    parameters: tuple[tuple[str, tuple[str, ...]], ...]
    preconditions: tuple[Condition, ...]
    effects: tuple[Condition, ...]
    conditional: tuple[Effect, ...] = ()
    changes: tuple[Change, ...] = ()


class Run(NamedTuple):
    """How carrying out the policy ended, and the actions that were done.

    The status is "solved", "not applicable" (no rule applies, or the chosen action cannot be done),
    "cycle" (a state came again, which would go on for ever) or "horizon" (`max_steps` were done).
    """

    status: str
    plan: list[tuple[str, tuple[str, ...]]]


# == the policy ==
DOMAIN = ""

# In the order in which rules try them, before all other objects, with their types.
CONSTANTS: tuple[tuple[str, str], ...] = ()

# For each type the types that are it or below it.
SUBTYPES: dict[str, tuple[str, ...]] = {}

# How many objects each predicate takes.
PREDICATES: dict[str, int] = {}

# How many objects each function takes; those for costs only are not here.
FUNCTIONS: dict[str, int] = {}

# Comparisons are atoms that follow from the numbers of a state and of a goal.
COMPARISONS: tuple[Comparison, ...] = ()

# What the domain derives, in groups: each may read those before it, and itself.
AXIOMS: tuple[tuple[Clause, ...], ...] = ()

# The same of the policy's own derived predicates.
DEFINITIONS: tuple[tuple[Clause, ...], ...] = ()

RULES: tuple[Rule, ...] = ()

ACTIONS: dict[str, Action] = {}
# == the policy ends ==


class Facts:
    """A set of atoms that finds quickly the objects that can complete an atom.

    An index is made when it is first asked for, and kept up to date from then on. `numbers` has the
    values of functions, or what a goal compares them with: ("=", "fuel", "van1") -> 3.
    """

    def __init__(self, atoms: Iterable[Sequence[Any]] = ()) -> None:
        self._atoms: set[Atom] = set()
        self.numbers: dict[Atom, Fraction] = {}
        for atom in atoms:
            if _is_number(atom):
                word, function, number = atom
                self.set_number((word, *function), number)
            else:
                self._atoms.add(tuple(atom))
        self._by_predicate: dict[str, set[Atom]] = {}
        for atom in self._atoms:
            self._by_predicate.setdefault(atom[0], set()).add(atom)
        # (predicate, places that are known, place that is asked for) -> what stands at the known
        # places -> each object at the place asked for, with the number of atoms that have it there.
        self._indexes: dict[
            tuple[str, tuple[int, ...], int], dict[tuple[str, ...], dict[str, int]]
        ] = {}
        self._distances: dict[tuple[str, ...], dict[str, int]] = {}

    def __contains__(self, atom: object) -> bool:
        return atom in self._atoms

    def __iter__(self) -> Iterator[Any]:
        yield from self._atoms
        for (word, *function), number in self.numbers.items():
            yield word, tuple(function), number

    def set_number(self, function: Atom, number: Any) -> None:
        """Give a function such as ("=", "fuel", "van1") a value: an integer, a fraction or text."""
        try:
            self.numbers[function] = Fraction(str(number))
        except (ValueError, ZeroDivisionError):
            raise ValueError(f"{number!r} is no number") from None

    def __len__(self) -> int:
        return len(self._atoms)

    def of(self, predicates: Iterable[str]) -> frozenset[Atom]:
        """The atoms of the given predicates, as they are now."""
        return frozenset().union(*[self._by_predicate.get(name, ()) for name in predicates])

    def add(self, atom: Atom) -> None:
        """Make an atom true."""
        if atom not in self._atoms:
            self._atoms.add(atom)
            self._by_predicate.setdefault(atom[0], set()).add(atom)
            self._note(atom, 1)

    def discard(self, atom: Atom) -> None:
        """Make an atom false."""
        if atom in self._atoms:
            self._atoms.remove(atom)
            self._by_predicate[atom[0]].remove(atom)
            self._note(atom, -1)

    def _note(self, atom: Atom, change: int) -> None:
        self._distances.clear()
        for (predicate, known, asked), index in self._indexes.items():
            if predicate == atom[0]:
                counts = index.setdefault(tuple([atom[place] for place in known]), {})
                counts[atom[asked]] = counts.get(atom[asked], 0) + change
                if not counts[atom[asked]]:
                    del counts[atom[asked]]

    def completions(
        self, predicate: str, known: tuple[int, ...], values: tuple[str, ...], asked: int
    ) -> Collection[str]:
        """The objects at one place of the atoms that have the given values at the known places."""
        key = predicate, known, asked
        index = self._indexes.get(key)
        if index is None:
            index = self._indexes[key] = {}
            for atom in self._by_predicate.get(predicate, ()):
                counts = index.setdefault(tuple([atom[place] for place in known]), {})
                counts[atom[asked]] = counts.get(atom[asked], 0) + 1
        return index.get(values, {})

    def some(self, atom: Atom) -> bool:
        """Whether there is such an atom, with any object for each "_"."""
        known = tuple([place for place, term in enumerate(atom) if place and term != "_"])
        asked = atom.index("_", 1)
        return bool(self.completions(atom[0], known, tuple([atom[p] for p in known]), asked))

    def distances(self, relation: Atom, target: str) -> dict[str, int]:
        """How many steps each object is from a target, along the atoms that begin like this."""
        found = self._distances.get((*relation, target))
        if found is None:
            found = self._distances[(*relation, target)] = {target: 0}
            start = len(relation)
            known = (*range(1, start), start + 1)
            pending = [target]
            for node in pending:
                values = (*relation[1:], node)
                for before in self.completions(relation[0], known, values, start):
                    if before not in found:
                        found[before] = found[node] + 1
                        pending.append(before)
        return found


class Objects:
    """The objects of a problem in their order, the domain's constants first."""

    def __init__(self, objects: Mapping[str, str] | Iterable[Sequence[str]]) -> None:
        pairs = objects.items() if isinstance(objects, Mapping) else objects
        self.types = dict(CONSTANTS)
        for name, type_name in pairs:
            if type_name not in SUBTYPES:
                raise ValueError(f"{name}: there is no type {type_name!r}")
            self.types[name] = type_name
        self.number = {name: number for number, name in enumerate(self.types)}
        self._of_types: dict[tuple[str, ...], list[str]] = {}
        self._members: dict[tuple[str, ...], frozenset[str]] = {}

    def of(self, types: tuple[str, ...]) -> list[str]:
        """The objects of any of the types, subtypes included, in order."""
        if types not in self._of_types:
            accepted = {below for name in types for below in SUBTYPES[name]}
            found = [name for name, type_name in self.types.items() if type_name in accepted]
            self._of_types[types] = found
            self._members[types] = frozenset(found)
        return self._of_types[types]

    def members(self, types: tuple[str, ...]) -> frozenset[str]:
        """The same objects as a set."""
        self.of(types)
        return self._members[types]


def _is_number(atom: Sequence[Any]) -> bool:
    return len(atom) == 3 and atom[0] in _WORDS and not isinstance(atom[1], str)


_WORDS = ("<", "<=", "=", ">=", ">")
