"""Actions that shift one argument of an atom along a static relation: the one detector.

An action *shifts* an atom if it deletes it and adds it with another object in one place (`shifts`).
It is a *pure move* if a static relation holds between the two objects and it has no other effects,
with four exceptions. Where two things cannot be in one place, it may exchange what says so: the
place that it leaves becomes free, the place that it enters was free. It may leave a mark that no
action deletes or forbids: the place was visited. It may shift further atoms between the same
objects: two who carry something go together. And it may have side effects that are the same
wherever it goes and do not keep it from going on: on the way the light goes out.

A road or a door may be an object itself, a *label* of the edge: a parameter of the action that
nothing connects with what moves. One can go from x to y if some label allows it.

`ways` has the relations that the moves go along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pg3.pddl.model import Action, Atom, Domain, Problem, TypeNames
    from pg3.pddl.plans import GroundAction


class Shift(NamedTuple):
    """Two effects of an action: an atom is deleted, and added with another term at one `place`.

    `others` are the other effects.
    """

    deleted: Atom
    added: Atom
    place: int
    others: tuple[Literal, ...]

    @property
    def start(self) -> str:
        """The term before."""
        return self.deleted.terms[self.place]

    @property
    def end(self) -> str:
        """The term after."""
        return self.added.terms[self.place]


def shifts(action: Action) -> Iterator[Shift]:
    """The shifts among an action's effects."""
    for come in action.effects:
        for gone in action.effects:
            if gone.positive or not come.positive or gone.atom.predicate != come.atom.predicate:
                continue
            if len(places := differing_places(gone.atom, come.atom)) == 1:
                others = tuple(e for e in action.effects if e not in (gone, come))
                yield Shift(gone.atom, come.atom, places[0], others)


def differing_places(one: Atom, other: Atom) -> list[int]:
    """Where two atoms of one predicate have different terms."""
    pairs = zip(one.terms, other.terms, strict=True)
    return [place for place, (x, y) in enumerate(pairs) if x != y]


def static_relations(action: Action, start: str, end: str, domain: Domain) -> list[Atom]:
    """The positive preconditions on two terms whose truth no action changes."""
    return [
        atom
        for atom, positive in action.precondition
        if positive and is_static(atom, domain) and {start, end} <= set(atom.terms)
    ]


def is_static(atom: Atom, domain: Domain) -> bool:
    """Whether no action changes an atom's truth; equality is none of the domain's predicates."""
    return atom.predicate in domain.predicate_index and atom.predicate not in domain.changing


class Move(NamedTuple):
    """A pure move.

    `moved` is the predicate of the shifted atom, `place` the place of the shifted term in it.
    `start` and `end` are the numbers of the action's parameters for the two ends, `conditions` the
    preconditions that make the edge. `edges` is the relation; `leading` are the numbers of the
    parameters that come before the ends in it, `labels` those of parameters that name the edge.
    `sides` are the effects that are not about the edge. `types` are those of the arguments of
    `edges` if actions share them whose own types differ; these actions have the same `family`.
    """

    edges: str
    start: int
    end: int
    moved: str
    place: int
    conditions: tuple[Literal, ...]
    leading: tuple[int, ...] = ()
    labels: tuple[int, ...] = ()
    sides: tuple[Literal, ...] = ()
    types: tuple[TypeNames, ...] = ()
    family: int = 0

    def edge(self, action: Action, done: GroundAction) -> set[Literal]:
        """What had to be true of the ends for the move."""
        binding = {p.name: o for p, o in zip(action.parameters, done.objects, strict=True)}
        return {condition.substitute(binding) for condition in self.conditions}

    def graph(self, objects: Sequence[str]) -> tuple[str, ...]:
        """The relation and what comes before the ends in it, for the objects of an action."""
        return (self.edges, *(objects[i] for i in self.leading))


def moves_of(domain: Domain) -> dict[str, Move]:
    """The pure moves by the names of their actions."""
    return {
        action.name: move
        for action in domain.actions
        if (move := _pure_move(action, domain)) is not None
    }


def kind_of(name: str, move: Move, domain: Domain) -> tuple[object, ...]:
    """What the moves have in common that are a way together: who moves, and from where to where."""
    if move.types:
        return move.moved, move.place, move.types, move.family
    parameters = domain.actions[domain.action_index[name]].parameters
    shared = (*move.leading, move.start, move.end)
    others = [p.types for i, p in enumerate(parameters) if i not in (*shared, *move.labels)]
    return move.moved, move.place, tuple(parameters[i].types for i in shared), tuple(sorted(others))


def static_edges(move: Move, action: Action, problem: Problem) -> Iterator[tuple[str, ...]]:
    """What stands before the ends, and the ends, of a move's edges in a problem, gates aside."""
    domain = problem.domain
    wanted = [c.atom for c in move.conditions if c.positive and is_static(c.atom, domain)]
    facts: dict[str, list[tuple[str, ...]]] = {atom.predicate: [] for atom in wanted}
    for predicate, terms in problem.init:
        if predicate in facts:
            facts[predicate].append(terms)
    found: list[dict[str, str]] = [{c.name: c.name for c in domain.constants}]
    for atom in wanted:
        # A join by what is bound already: relations of places may be as large as places squared.
        known = {i: term for i, term in enumerate(atom.terms) if term in next(iter(found), {})}
        matching: dict[tuple[str, ...], list[dict[str, str]]] = {}
        for terms in facts[atom.predicate]:
            bound = dict(zip(atom.terms, terms, strict=True))
            if tuple(map(bound.__getitem__, atom.terms)) == terms:
                matching.setdefault(tuple(terms[i] for i in known), []).append(bound)
        found = [
            binding | bound
            for binding in found
            for bound in matching.get(tuple(map(binding.__getitem__, known.values())), ())
        ]
    names = [action.parameters[i].name for i in (*move.leading, move.start, move.end)]
    for binding in found:
        yield tuple(binding.get(name, "") for name in names)


def _pure_move(action: Action, domain: Domain) -> Move | None:
    """The move with its relation, or "" for a relation of its own."""
    names = [parameter.name for parameter in action.parameters]
    marks = _marks(domain)
    for shift in shifts(action):
        start, end = shift.start, shift.end
        if start not in names or end not in names:
            continue
        labels = _labels(action, shift, domain)
        if not _are_joined(action, shift, labels, domain):
            continue
        about = {start, end, *labels}
        edges = [
            literal
            for literal in action.precondition
            if is_static(literal.atom, domain) and not about.isdisjoint(literal.atom.terms)
        ]
        mentioned = [t for edge in edges for t in edge.atom.terms if t in names]
        leading = [t for t in dict.fromkeys(mentioned) if t not in about]
        free = [c for c in action.precondition if _is_gate(c, shift, about, domain)]
        together = _shifted_together(shift)
        rest = [
            effect
            for effect in shift.others
            if effect not in together and not (effect.positive and effect.atom.predicate in marks)
        ]
        sides = _side_effects(rest, action, shift, about)
        rest = [effect for effect in rest if effect not in sides]
        move = Move(
            edges="",
            start=names.index(start),
            end=names.index(end),
            moved=shift.added.predicate,
            place=shift.place,
            conditions=(*edges, *free),
            leading=tuple(names.index(t) for t in leading),
            labels=tuple(names.index(t) for t in labels),
            sides=sides,
        )
        if not rest and is_plain(move.conditions, move, action, domain):
            return move._replace(edges=edges[0].atom.predicate)
        if not rest or _is_swap(rest, start, end):
            return move
    return None


def _side_effects(
    effects: Sequence[Literal], action: Action, shift: Shift, about: set[str]
) -> tuple[Literal, ...]:
    """The effects that are not about the edge, after which the action can be done again."""
    return tuple(
        effect
        for effect in effects
        if about.isdisjoint(effect.atom.terms)
        and effect.atom.predicate != shift.added.predicate
        and effect.negated not in action.precondition
    )


def _shifted_together(shift: Shift) -> set[Literal]:
    """The other effects that shift atoms between the same two terms."""
    found = set()
    for gone in shift.others:
        come = Literal(gone.atom.substitute({shift.start: shift.end}))
        if not gone.positive and come.atom != gone.atom and come in shift.others:
            found |= {gone, come}
    return found


def _labels(action: Action, shift: Shift, domain: Domain) -> list[str]:
    """The parameters that no condition mentions together with others than the ends and labels.

    Nor does an effect. Only a static condition may mention who moves, too: who can take which road.
    """
    names = [parameter.name for parameter in action.parameters]
    fixed = {t for effect in action.possible_effects for t in effect.atom.terms}
    labels = [name for name in names if name not in fixed]
    ends, mover = {shift.start, shift.end}, {*shift.deleted.terms}
    again = True
    while again:
        apart = {
            term
            for condition in action.precondition
            if not {*condition.atom.terms}
            <= {*labels, *ends, *(mover if is_static(condition.atom, domain) else ())}
            for term in condition.atom.terms
        }
        again = not apart.isdisjoint(labels)
        labels = [name for name in labels if name not in apart]
    # One that is in no condition could be anything.
    mentioned = {term for condition in action.precondition for term in condition.atom.terms}
    return [name for name in labels if name in mentioned]


def _are_joined(action: Action, shift: Shift, labels: Sequence[str], domain: Domain) -> bool:
    """Whether static facts join the two ends, the one to the other or both to a label."""
    return bool(static_relations(action, shift.start, shift.end, domain)) or any(
        static_relations(action, shift.start, label, domain)
        and static_relations(action, label, shift.end, domain)
        for label in labels
    )


def _is_gate(condition: Literal, shift: Shift, about: set[str], domain: Domain) -> bool:
    """Whether a condition is about the edge alone, and can change otherwise than by the move."""
    predicate, terms = condition.atom
    if predicate not in domain.changing or predicate == shift.added.predicate:
        return False
    return bool(terms) and {*terms} <= about


def is_plain(conditions: Sequence[Literal], move: Move, action: Action, domain: Domain) -> bool:
    """Whether conditions are one on a relation that is the edges, for all objects in it."""
    ends = (*move.leading, move.start, move.end)
    terms = tuple(action.parameters[i].name for i in ends)
    is_one = not move.labels and [c.atom.terms for c in conditions] == [terms]
    return is_one and _accepts_all(action, conditions[0].atom, domain)


def _accepts_all(action: Action, edge: Atom, domain: Domain) -> bool:
    """Whether the action takes all objects that the relation can be about."""
    types = {parameter.name: parameter.types for parameter in action.parameters}
    relation = domain.predicates[domain.predicate_index[edge.predicate]]
    return all(
        domain.is_a(one, types[term])
        for term, parameter in zip(edge.terms, relation.parameters, strict=True)
        for one in parameter.types
    )


def _marks(domain: Domain) -> set[str]:
    """The predicates that are only ever made true, and of which nothing asks that they are not."""
    wiped = [
        literal.atom.predicate
        for action in domain.actions
        for literal in (*action.precondition, *action.possible_effects)
        if not literal.positive
    ]
    # What an axiom reads it may read negated.
    return set() if domain.axioms else set(domain.fluents.difference(wiped))


def _is_swap(rest: Sequence[Literal], start: str, end: str) -> bool:
    """Whether effects take something from the end and give it to the start."""
    predicates = {effect.atom.predicate for effect in rest}
    return len(predicates) == 1 and {(e.atom.terms, e.positive) for e in rest} == {
        ((start,), True),
        ((end,), False),
    }
