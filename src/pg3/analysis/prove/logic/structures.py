"""Finite structures: a state with its goal, in which formulas are true or false.

Sampled states, problems whose membership is asked for, and countermodels of the solver are all
structures. Positive conditions are joined over indexes, so a formula like "each car is in at most
one place" takes time in proportion to the number of facts.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from typing import TYPE_CHECKING

from pg3.analysis.prove.logic.formulas import (
    ATOMS,
    Formula,
    Term,
    conjunction,
    free,
    negate,
    parts_of,
    variables_for,
)
from pg3.analysis.prove.logic.theory import facts_of, kind_of_objects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.analysis.prove.logic.theory import Theory
    from pg3.pddl.model import Atom, Problem

Objects = tuple[str, ...]
Binding = dict[Term, str]


class Graphs:
    """Edges and distances along static relations; the states of a problem share them."""

    def __init__(self) -> None:
        self.edges: dict[tuple[str, Objects, str], dict[str, list[str]]] = {}
        self.distances: dict[tuple[str, Objects, str], dict[str, int]] = {}


class Structure:
    """Objects by kind, and relations: those of the state, of the goal and of the negated goal."""

    def __init__(self, theory: Theory, kind_of: Mapping[str, str]) -> None:
        self.theory = theory
        self.kind_of = kind_of
        self.objects: dict[str, list[str]] = {kind: [] for kind in theory.kinds}
        for name, kind in kind_of.items():
            self.objects[kind].append(name)
        self.relations: dict[tuple[str, str], dict[Objects, None]] = defaultdict(dict)
        self._index: dict[tuple[str, str, int], dict[str, list[Objects]]] = {}
        self.graphs = Graphs()
        self._linked: dict[tuple[str, str], list[str]] = {}
        self._known: dict[Formula, bool] = {}
        self._extensions: dict[tuple[Sequence[Term], Formula], frozenset[Objects] | None] = {}

    def rows(self, word: str, predicate: str) -> dict[Objects, None]:
        """The tuples of a relation."""
        return self.relations.get((word, predicate), {})

    def _rows_with(self, word: str, predicate: str, place: int, name: str) -> list[Objects]:
        key = (word, predicate, place)
        if key not in self._index:
            index: dict[str, list[Objects]] = defaultdict(list)
            for row in self.rows(word, predicate):
                index[row[place]].append(row)
            self._index[key] = index
        return self._index[key].get(name, [])

    # -- paths -------------------------------------------------------------------------------------

    def distances(self, relation: str, leading: Objects, target: str) -> dict[str, int]:
        """How many edges lead from each object to the target; objects that cannot are missing."""
        key = (relation, leading, target)
        if key not in self.graphs.distances:
            into = self._edges_into(relation, leading, self.kind_of[target])
            found = {target: 0}
            queue = [target]
            for node in queue:
                for near in into.get(node, ()):
                    if near not in found:
                        found[near] = found[node] + 1
                        queue.append(near)
            self.graphs.distances[key] = found
        return self.graphs.distances[key]

    def _edges_into(self, relation: str, leading: Objects, kind: str) -> dict[str, list[str]]:
        """For each object the objects from which an edge leads to it."""
        key = (relation, leading, kind)
        if key not in self.graphs.edges:
            kinds = [self.kind_of[name] for name in leading]
            nodes = variables_for((*kinds, kind, kind))
            edge = self.theory.edge(relation, nodes)
            bound = dict(zip(nodes, leading, strict=False))
            into: dict[str, list[str]] = {}
            # A derived relation is a disjunction, of which each part can be joined.
            for part in edge[1] if edge[0] == "or" else (edge,):
                for binding in self.bindings([part], bound, nodes[-2:]):
                    near = into.setdefault(binding[nodes[-1]], [])
                    if binding[nodes[-2]] not in near:
                        near.append(binding[nodes[-2]])
            self.graphs.edges[key] = into
        return self.graphs.edges[key]

    def path_holds(self, word: str, relation: str, row: Objects) -> bool:
        """Whether a condition on paths is true of objects."""
        if word == "derived":
            kind = self.kind_of[row[0]]
            variable, definition = self.theory.recursive_definition(relation, kind)
            return self.holds(definition, {variable: row[0]})
        if word == "linked":
            return row[1] in self._linked_from(relation, row[0])
        length = 2 if word == "reach" else 3
        leading, ends = row[:-length], row[-length:]
        steps = self.distances(relation, leading, ends[-1])
        if word == "reach":
            return ends[0] in steps
        if word == "closer":
            far = len(self.kind_of) + 1
            return steps.get(ends[0], far) < steps.get(ends[1], far)
        if ends[0] not in steps or steps.get(ends[1], -2) + 1 != steps[ends[0]]:
            return False
        kind = self.kind_of[ends[0]]
        return ends[0] in self._edges_into(relation, leading, kind).get(ends[1], ())

    def _linked_from(self, relation: str, start: str) -> list[str]:
        """The objects to which edges of the state lead from an object, and the object."""
        if (relation, start) not in self._linked:
            found = [start]
            for node in found:
                near = self._rows_with("state", relation, 0, node)
                found += [row[1] for row in near if row[1] not in found]
            self._linked[relation, start] = found
        return self._linked[relation, start]

    # -- formulas ----------------------------------------------------------------------------------

    def satisfies(self, formula: Formula) -> bool:
        """Whether a closed formula is true; remembered."""
        if formula not in self._known:
            self._known[formula] = self.holds(formula, {})
        return self._known[formula]

    def holds(self, formula: Formula, binding: Mapping[Term, str]) -> bool:
        """Whether a formula is true under a binding of its free variables."""
        word = formula[0]
        if word in ATOMS:
            row = tuple(binding[t] if t.is_variable else t.name for t in formula[2])
            return row in self.rows(word, formula[1])
        if word == "=":
            one, other = (binding[t] if t.is_variable else t.name for t in formula[1:])
            return one == other
        if word == "not":
            return not self.holds(formula[1], binding)
        if word == "and":
            return all(self.holds(part, binding) for part in formula[1])
        if word == "or":
            return any(self.holds(part, binding) for part in formula[1])
        if word == "path":
            row = tuple(binding[t] if t.is_variable else t.name for t in formula[3])
            return self.path_holds(formula[1], formula[2], row)
        inner = {t: o for t, o in binding.items() if t not in formula[1]}
        body = formula[2] if word == "exists" else negate(formula[2])
        found = next(self.bindings([body], inner, formula[1]), None) is not None
        return found if word == "exists" else not found

    def bindings(
        self, formulas: Sequence[Formula], binding: Mapping[Term, str], variables: Iterable[Term]
    ) -> Iterator[Binding]:
        """The bindings of the variables, beyond those given, that make all formulas true."""
        parts = parts_of(_flat(conjunction(formulas)))
        open_ = [v for v in variables if v not in binding]
        yield from self._join(list(parts), dict(binding), open_)

    def _join(self, parts: list[Formula], binding: Binding, open_: list[Term]) -> Iterator[Binding]:
        rest = []
        for part in parts:
            if any(v in free(part) for v in open_):
                rest.append(part)
            elif not self.holds(part, binding):
                return
        if not open_:
            yield binding
            return
        best: tuple[int, Formula, Iterable[Objects]] | None = None
        for part in rest:
            if part[0] in ATOMS:
                rows = self._candidates(part, binding)
                if best is None or len(rows) < best[0]:
                    best = (len(rows), part, rows)
        if best is None:
            variable = next((v for part in rest for v in open_ if v in free(part)), open_[0])
            for name in self.objects[variable.kind]:
                others = [v for v in open_ if v != variable]
                yield from self._join(rest, {**binding, variable: name}, others)
            return
        _, chosen, candidates = best
        others_left = [part for part in rest if part is not chosen]
        for row in list(candidates):
            extended = self._unify(chosen[2], row, binding)
            if extended is not None:
                left = [v for v in open_ if v not in extended]
                yield from self._join(others_left, extended, left)

    def _candidates(self, atom: Formula, binding: Binding) -> dict[Objects, None] | list[Objects]:
        found: dict[Objects, None] | list[Objects] = self.rows(atom[0], atom[1])
        for place, term in enumerate(atom[2]):
            name = binding.get(term) if term.is_variable else term.name
            if name is not None:
                here = self._rows_with(atom[0], atom[1], place, name)
                if len(here) < len(found):
                    found = here
        return found

    def _unify(self, terms: Sequence[Term], row: Objects, binding: Binding) -> Binding | None:
        extended = dict(binding)
        for term, name in zip(terms, row, strict=True):
            if self.kind_of[name] != term.kind:
                return None
            if not term.is_variable:
                if term.name != name:
                    return None
            elif extended.setdefault(term, name) != name:
                return None
        return extended

    def extension(
        self, variables: tuple[Term, ...], formula: Formula, most: int | None = None
    ) -> frozenset[Objects] | None:
        """The set of tuples that satisfy a formula; None if more than `most` are; remembered."""
        key = (variables, formula)
        if key not in self._extensions:
            found = self.bindings([formula], {}, variables)
            rows = [tuple(b[v] for v in variables) for b in itertools.islice(found, most)]
            full = most is not None and len(rows) >= most
            self._extensions[key] = None if full else frozenset(rows)
        return self._extensions[key]


def _flat(formula: Formula) -> Formula:
    """Negations pushed into the outer conjunction, so that its positive atoms can be joined."""
    if formula[0] == "and":
        return conjunction(_flat(part) for part in formula[1])
    if formula[0] == "not" and formula[1][0] == "or":
        return conjunction(_flat(negate(part)) for part in formula[1][1])
    return formula


def structure_of(
    theory: Theory, problem: Problem, facts: Iterable[Atom] | None = None
) -> Structure | None:
    """A state of a problem with its goal (the initial one if no facts are given).

    None if some object is of no kind.
    """
    kind_of: dict[str, str] = {}
    for name, kind in kind_of_objects(problem, theory.kinds.values()).items():
        if kind is None:
            return None
        kind_of[name] = kind
    found = Structure(theory, kind_of)
    for word, atoms in (
        ("state", facts_of(problem) if facts is None else facts),
        ("goal", problem.goal),
        ("avoid", problem.negative_goal),
    ):
        for atom in atoms:
            found.relations[word, atom.predicate][atom.terms] = None
    return found
