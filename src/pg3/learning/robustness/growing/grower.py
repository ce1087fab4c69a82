"""Larger problems grown from given ones, without a generator and without knowing the domain.

A grown problem is a union of given ones over what they share. The first is the one to be grown.
Of each further one

1. constants, and objects of sorts that all problems have equally many of, are those of the first,
2. the objects of a line (`lines`) are laid onto the line of the grown problem, or put between its
   objects,
3. an object that a static fact determines from shared ones is the same as there: if the pharmacy is
   on one floor, that floor is shared; so is the one object with a mark that never changes,
4. all others are new.

Facts and goals about shared objects alone are those of the first problem. Others come along if they
keep the mined facts true (`mining`); an object that so loses a fact which all of its sort have is
left out. Maps that are always connected are joined by copies of their own edges, relations that are
always complete are completed, objects of different parts are linked as often as those of one,
goals are exchanged between the parts (`exchanges`), and fewer objects have goals (`demands`).
"""

from __future__ import annotations

from itertools import cycle, islice, product
from typing import TYPE_CHECKING

from pg3.learning.robustness.growing.demands import Demands
from pg3.learning.robustness.growing.draft import Draft, without
from pg3.learning.robustness.growing.exchanges import Exchanges
from pg3.learning.robustness.growing.levels import Levels
from pg3.learning.robustness.growing.mining import Mined
from pg3.learning.robustness.growing.redrawing import Redrawing
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.chains import Chains
from pg3.learning.robustness.growing.structure.grids import Grid, is_grid
from pg3.learning.robustness.growing.structure.joining import Joints, Piece
from pg3.learning.robustness.growing.structure.lines import Line, Queue
from pg3.learning.robustness.growing.structure.maps import Shape
from pg3.pddl.model import Atom, Literal, TypedObject, moved_disjunction, objects_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Sequence

    from pg3.learning.robustness.perturbations.permutations import Sort
    from pg3.pddl.model import Problem

# Parts that add no object before we say that no more can be grown.
_IN_VAIN = 20

# A grown problem has at least so many times the objects; else it is none.
_LEAST = 1.2

# The share of grown problems with as many of each resource as the first problem. Mostly there is
# more work, not more hands; but both is seen.
_RESOURCES_KEPT = 0.75

# The share of these, among those that are not redrawn, with as many of each possible resource.
_POSSIBLE = 0.5

# The share of grown problems whose goals are exchanged between the parts.
_EXCHANGED = 0.5

# The share of grown problems in which fewer objects have goals.
_FEWER_GOALS = 0.5

# The share of grown problems in which objects of different parts are linked.
_LINKED = 0.5

# A part may have so many times the objects that are still wanted: some of them are shared.
_ROOM = 1.5

# The most facts of complete relations: as many take seconds.
_MOST_COMPLETED = 300_000


class Grower:
    """Grows problems of one domain; what the given ones have in common is mined once.

    `states` are further reachable states of the problems.
    """

    def __init__(self, problems: Sequence[Problem], states: Iterable[Iterable[Atom]] = ()) -> None:
        self._sources = [Source(problem) for problem in problems]
        self._mined = Mined(self._sources, states)
        self._exchanges = Exchanges(self._sources, self._mined.groups)
        self._demands = Demands(self._sources, self._mined.once_goal)
        self._chains = Chains(self._sources, self._mined)
        self._redrawing = Redrawing(self._sources, self._mined, self._exchanges.true_at_first)
        self._levels = Levels(self._sources, self._mined)

    def grow(
        self, problem: Problem, generator: random.Random, *, times: float, redraw: bool = False
    ) -> Problem | None:
        """A problem with about so many times the objects; None if nothing can be grown.

        With `redraw`, what is chance in its initial state is drawn anew (`redrawing`, `levels`).
        It may have no solution: a planner or a policy has to find out.
        """
        known = next((s for s in self._sources if s.problem is problem), None)
        kept = self._mined.fixed
        if generator.random() < _RESOURCES_KEPT:
            possible = redraw or generator.random() < _POSSIBLE
            kept |= self._mined.possible_resources if possible else self._mined.resources
        first = known or Source(problem)
        growth = _Growth(self._mined, self._sources, first, generator, times, kept)
        if not growth.grow():
            return None
        exchanges = self._exchanges if generator.random() < _EXCHANGED else None
        demands = self._demands if generator.random() < _FEWER_GOALS else None
        if redraw and self._demands.differ:
            growth.ask_otherwise(self._demands, self._exchanges)
        grown = growth.problem(exchanges, demands)
        if grown is not None and self._chains:
            grown = self._chains.lengthened(grown, generator)
        if grown is None or not redraw:
            return grown
        return self._levels.raised(self._redrawing.redrawn(grown, generator), generator)


class _Growth:
    """One problem being grown."""

    def __init__(
        self,
        mined: Mined,
        sources: Sequence[Source],
        first: Source,
        generator: random.Random,
        times: float,
        kept: frozenset[Sort],
    ) -> None:
        self._mined = mined
        self._sources = sources
        self._first = first
        self._generator = generator
        self._target = round(times * len(first.problem.objects))
        self._draft = Draft(mined, (o.name for o in first.domain.constants))
        self._lines: dict[int, Line] = {}
        self._queues = [
            Queue(map_, sources, generator) for map_ in mined.maps if map_.is_shared_out
        ]
        # The objects that parts share, besides constants.
        self._shared: set[str] = set()
        # The part that other objects are from.
        self._part_of: dict[str, int] = {}
        # The sorts that a grown problem has as many objects of as the first one.
        self._kept = kept
        connected = [map_ for map_ in mined.maps if map_.shape is Shape.CONNECTED]
        self._joints = [
            (map_, Joints(map_, sources, self._draft))
            for map_ in connected
            if not is_grid(map_, mined)
        ]
        self._grids = [
            Grid(map_, first, sources, self._draft, generator)
            for map_ in connected
            if is_grid(map_, mined)
        ]

    def grow(self) -> bool:
        """Add parts until the problem is large enough; false if it does not become larger."""
        first, draft = self._first, self._draft
        kept = sum(
            1
            for name in first.types
            if name not in first.constants and not self._grows(first.sorts[name])
        )
        growing = len(first.problem.objects) - kept
        if not growing or not first.problem.goal_literals:
            return False
        self._lay_lines((self._target - kept) / growing)
        self._base = self._add(first, is_first=True)
        in_vain = 0
        while len(draft.types) < self._target and in_vain < _IN_VAIN:
            before = len(draft.types)
            self._add(self._part(self._target - before), is_first=False)
            in_vain = in_vain + 1 if len(draft.types) == before else 0
        self._describe_lines()
        for queue in self._queues:
            for atom in queue.facts():
                draft.init.add(atom)
        self._complete()
        if self._generator.random() < _LINKED:
            self._link_parts()
        return len(draft.types) >= _LEAST * len(first.problem.objects)

    def _part(self, room: int) -> Source:
        """A problem to add, where there is room for so many objects."""
        if self._grids:
            return self._first
        fitting = [s for s in self._sources if len(s.problem.objects) <= _ROOM * room]
        return self._generator.choice(
            fitting or [min(self._sources, key=lambda s: len(s.problem.objects))]
        )

    def _grows(self, sort: Sort) -> bool:
        """Whether a grown problem has more objects of a sort."""
        map_ = self._mined.map_of(sort)
        if map_ is not None and map_.is_line and not map_.lengthens:
            return False
        return sort not in self._kept and sort[0] not in self._mined.fixed_types

    def _lay_lines(self, factor: float) -> None:
        """Make the lines, each longer by this factor."""
        draft = self._draft
        for number, map_ in enumerate(self._mined.maps):
            if not map_.is_line or map_.is_shared_out:
                continue
            given = len(map_.line(self._first)) or 1
            constants = sum(1 for v in map_.vertices(self._first) if v in self._first.constants)
            length = given
            if any(self._grows(sort) for sort in map_.sorts):
                length = constants + max(1, round(factor * (given - constants)))
            line = Line(map_, self._first, self._sources, length, draft.names, self._generator)
            self._lines[number] = line
            for name in line.objects:
                if name not in self._first.constants:
                    draft.add_object(name, line.type, (line.type,))
                    self._shared.add(name)
            for atom in line.facts():
                draft.init.add(atom)
            draft.values.update(line.values())

    # -- parts -------------------------------------------------------------------------------------

    def _add(self, source: Source, *, is_first: bool) -> dict[str, str]:
        """Add the objects, facts and goals of a problem; returns their names in the grown one."""
        draft, mined = self._draft, self._mined
        name_of = {name: name for name in source.constants}
        for line in self._lines.values():
            name_of |= line.placed(source)
        if not is_first and not self._identify(source, name_of):
            return name_of
        shared = set(name_of.values())
        new = {name: draft.names.new(name) for name in source.types if name not in name_of}
        name_of |= new
        sort_of = {new_name: source.sorts[old] for old, new_name in new.items()}

        kept, lost = [], []
        for atom in source.init:
            if self._is_on_line(atom, source):
                continue
            moved = atom.substitute(name_of)
            if is_first:
                kept.append(moved)
            elif shared.issuperset(moved.terms) or atom.predicate in mined.single_paths:
                continue
            elif draft.init.admits(moved):
                kept.append(moved)
            else:
                lost.append(moved)
        removed: set[str] = set()
        pending = {term for atom in lost for term in atom.terms if term in sort_of}
        while pending:
            out, added = draft.lacking(pending, kept, sort_of)
            kept += added
            pending = (
                {
                    term
                    for atom in kept
                    if not out.isdisjoint(atom.terms)
                    for term in atom.terms
                    if term in sort_of
                }
                - removed
                - out
            )
            removed |= out
            kept = without(kept, removed)
        part = len(set(self._part_of.values()))
        for old, name in new.items():
            if name not in removed:
                draft.add_object(name, source.types[old], source.sorts[old])
                self._part_of[name] = part
        for atom in kept:
            draft.init.add(atom)
        self._add_goals(source, name_of, shared, removed, is_first=is_first)
        for atom, value in source.problem.function_values.items():
            moved = atom.substitute(name_of)
            if removed.isdisjoint(moved.terms) and not self._is_on_line(atom, source):
                draft.values.setdefault(moved, value)
        self._join(source, name_of, removed)
        return name_of

    def _add_goals(
        self,
        source: Source,
        name_of: dict[str, str],
        shared: set[str],
        removed: set[str],
        *,
        is_first: bool,
    ) -> None:
        goal = self._draft.goal
        for atom in source.problem.goal:
            moved = atom.substitute(name_of)
            if is_first or (
                removed.isdisjoint(moved.terms)
                and not shared.issuperset(moved.terms)
                and goal.admits(moved)
                and self._draft.choices.admits(moved)
            ):
                goal.add(moved)
        for atom in source.problem.negative_goal:
            moved = atom.substitute(name_of)
            if is_first or (removed.isdisjoint(moved.terms) and not shared.issuperset(moved.terms)):
                self._draft.negative[Literal(moved, False)] = None
        for disjunction in source.problem.disjunctions:
            alternatives = moved_disjunction(disjunction, name_of)
            about = objects_of(alternatives)
            if is_first or (removed.isdisjoint(about) and not shared.issuperset(about)):
                self._draft.add_disjunction(alternatives, is_first=is_first)

    def _identify(self, source: Source, name_of: dict[str, str]) -> bool:
        """Add the objects that are those of the first problem.

        False if the static facts about them do not hold there: what the part wants may need them.
        """
        for sort, names in source.of_sort.items():
            ours = [self._base[name] for name in self._first.of_sort.get(sort, ())]
            if sort[0] in self._mined.fixed_types:
                if len(names) != len(ours):
                    return False
            elif sort not in self._kept:
                continue
            if ours:
                for old, name in zip(names, cycle(ours), strict=False):
                    name_of.setdefault(old, name)
        # The one object with a mark that never changes, the laundry, is the same in all parts.
        marked = {atom.predicate: self._base[atom.terms[0]] for atom in self._alone(self._first)}
        for atom in self._alone(source):
            if atom.predicate in marked:
                name_of.setdefault(atom.terms[0], marked[atom.predicate])
        self._follow_determined(source, name_of)
        return all(
            atom.substitute(name_of) in self._draft.init.atoms
            for atom in source.static
            if all(term in name_of for term in atom.terms)
            and atom.predicate not in self._mined.single_paths
            and not self._is_on_line(atom, source)
            and not self._is_described(atom, source)
        )

    def _alone(self, source: Source) -> list[Atom]:
        """The static facts about one object, each the only one of its predicate in any problem."""
        return [a for a in source.static if len(a.terms) == 1 and a.predicate in self._mined.once]

    def _is_described(self, atom: Atom, source: Source) -> bool:
        """Whether an atom is about an object of a line, which gets facts of its own in the end."""
        return any(
            source.sorts[t] in line.map.sorts for line in self._lines.values() for t in atom.terms
        )

    def _follow_determined(self, source: Source, name_of: dict[str, str]) -> None:
        """Add the objects that static facts determine from shared ones."""
        determined = self._draft.init.determined
        known = set(name_of.values())
        again = True
        while again:
            again = False
            for atom in source.static:
                for (predicate, place, rest), value in self._draft.init.keys(atom):
                    if value in name_of or not all(term in name_of for term in rest):
                        continue
                    key = (predicate, place, tuple([name_of[term] for term in rest]))
                    same = determined.get(key)
                    if (
                        same is not None
                        and same not in known
                        and self._draft.sorts.get(same) == source.sorts[value]
                    ):
                        name_of[value] = same
                        known.add(same)
                        again = True

    def _is_on_line(self, atom: Atom, source: Source) -> bool:
        """Whether an atom is about two objects of one line: the line has such facts of its own."""
        if len(atom.terms) < 2:
            return False
        lines = [line.map.sorts for line in self._lines.values()]
        for sorts in (*lines, *(queue.map.sorts for queue in self._queues)):
            if sum(1 for term in atom.terms if source.sorts[term] in sorts) > 1:
                return atom.predicate not in source.domain.fluents
        return False

    # -- maps --------------------------------------------------------------------------------------

    def _join(self, source: Source, name_of: dict[str, str], removed: set[str]) -> None:
        """Join the part's maps with what is there, if maps are always connected."""
        for map_, joints in self._joints:
            vertices = [
                name for old in map_.vertices(source) if (name := name_of[old]) not in removed
            ]
            joints.add(Piece(source, name_of, vertices), self._generator)
        for queue in self._queues:
            names = [name_of[old] for old in queue.map.line(source)]
            queue.add([name for name in names if name not in removed])
        for grid in self._grids:
            grid.add({old: new for old, new in name_of.items() if new not in removed})

    def _describe_lines(self) -> None:
        """Say of the objects of lines what is said of such objects in given problems."""
        draft = self._draft
        laid = set(self._base.values())
        for line in self._lines.values():
            for place, name in enumerate(line.objects):
                if name in laid or name in self._first.constants:
                    continue
                source = self._generator.choice(self._sources)
                model = line.model(place, source)
                if model is None:
                    continue
                own = {model: name}
                for atom in source.init:
                    if model in atom.terms and all(
                        term == model or term in source.constants for term in atom.terms
                    ):
                        moved = atom.substitute(own)
                        if draft.init.admits(moved) and not self._is_on_line(atom, source):
                            draft.init.add(moved)

    def _complete(self) -> None:
        """Complete the relations that are complete in all given problems."""
        draft, generator = self._draft, self._generator
        of_sort: dict[Sort, list[str]] = {}
        for name, sort in {**self._constant_sorts(), **draft.sorts}.items():
            of_sort.setdefault(sort, []).append(name)
        for signatures, is_function in (
            (self._mined.complete, False),
            (self._mined.complete_functions, True),
        ):
            for predicate, sorts in signatures:
                values = [v for atom, v in draft.values.items() if atom.predicate == predicate]
                different = (
                    Atom(predicate, terms)
                    for terms in product(*(of_sort.get(sort, ()) for sort in sorts))
                    if len(set(terms)) == len(terms)
                )
                atoms = islice(different, _MOST_COMPLETED)
                if not is_function:
                    draft.init.add_all(predicate, atoms)
                    continue
                for atom in atoms:
                    if atom not in draft.values:
                        back = Atom(predicate, atom.terms[::-1])
                        draft.values[atom] = draft.values.get(back, generator.choice(values))

    def _link_parts(self) -> None:
        """Link objects of different parts as often as those of one."""
        of_sort: dict[Sort, list[str]] = {}
        for name in self._part_of:
            of_sort.setdefault(self._draft.sorts[name], []).append(name)
        for (predicate, (one, two)), share in self._mined.links.items():
            for pair in product(of_sort.get(one, ()), of_sort.get(two, ())):
                apart = self._part_of[pair[0]] != self._part_of[pair[1]]
                if apart and self._generator.random() < share:
                    self._draft.init.add(Atom(predicate, pair))

    def _constant_sorts(self) -> dict[str, Sort]:
        return {name: self._first.sorts[name] for name in self._first.constants}

    # -- the end -----------------------------------------------------------------------------------

    def ask_otherwise(self, demands: Demands, exchanges: Exchanges) -> None:
        """Ask of some objects what given problems ask of others of their kind."""
        draft = self._draft
        sorts = {**self._constant_sorts(), **draft.sorts}

        def admitted(goal: Iterable[Atom]) -> bool:
            facts = draft.no_goals()
            for atom in goal:
                if not facts.admits(atom):
                    return False
                facts.add(atom)
            return True

        if admitted(draft.goal.atoms):
            other = demands.other(
                list(draft.goal.atoms),
                draft.init.atoms,
                sorts,
                exchanges,
                admitted,
                self._generator,
            )
            draft.goal = draft.no_goals()
            for atom in other:
                draft.goal.add(atom)

    def problem(self, exchanges: Exchanges | None, demands: Demands | None) -> Problem | None:
        """The problem as it is now, with other goals; None if it is solved from the start."""
        draft, first = self._draft, self._first.problem
        atoms = list(draft.goal.atoms)
        sorts = {**self._constant_sorts(), **draft.sorts}
        if exchanges is not None:
            atoms = exchanges.exchanged(atoms, draft.init.atoms, sorts, self._generator)
        if demands is not None:
            fewer = demands.fewer(atoms, draft.init.atoms, sorts, self._generator)
            atoms = fewer if self._is_open(fewer) else atoms
        if not self._is_open(atoms):
            return None
        goal = [*map(Literal, atoms), *draft.negative]
        by_type: dict[str, list[TypedObject]] = {o.type: [] for o in first.objects}
        for name, type_ in draft.types.items():
            by_type.setdefault(type_, []).append(TypedObject(name, type_))
        for objects in by_type.values():
            self._generator.shuffle(objects)
        return first.replace(
            name=f"{first.name}-grown",
            objects=[o for objects in by_type.values() for o in objects],
            init=draft.init.atoms,
            goal=goal,
            function_values=draft.values,
            disjunctions=draft.disjunctions,
        )

    def _is_open(self, goal: Iterable[Atom]) -> bool:
        """Whether these goals, or the negative ones, are not all achieved from the start."""
        init = self._draft.init.atoms
        return any(atom not in init for atom in goal) or any(
            literal.atom in init for literal in self._draft.negative
        )
