"""Macro moves: a run of moves along relations that never change, taken as one step.

How many stops a plan for one goal makes says nothing about the goal. So where an action is a pure
move (`operators.moves`), a run of it in a plan becomes one macro move: from where the run starts to
where something else happens. It needs no edge between the two but a path. Regressed, a macro move
is a move to the next stop on a shortest path, `(next E x y z)`, if it comes first, and a condition
`(reach E x z)` if it comes later. Several actions may move the same thing, each along edges of its
own: forwards and backwards, by stairs and by lift. They share their paths, and each has rules.

An edge may ask for something that changes, a *gate*: a door is open, a street is clear. Macro moves
follow open paths. Where a plan opens a gate on its way, the step through it begins a macro move of
its own kind, to its end by way of this stop. That needs a path whose gates may be closed, a *road*,
`(next R x y z)`, and the open gate: so what opens the gate to the next stop is learned as well.

In small problems much happens in one place, so their plans lack the moves that others need. But a
path may have no edge at all. So there can be a macro move before every action that needs something
to be somewhere, and the plans of small problems give the rules of large ones. Likewise there can be
a closed gate on the way of every macro move: a plan that meets none is taken as one that does, with
an action that opens it.

While plans are regressed, a path is a predicate of its own, `reach E` or `next E`: a name with a
space in it, which no domain can have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import kind_of, static_edges
from pg3.pddl.model import EQUALS, Action, Atom, Literal, Parameter
from pg3.pddl.plans import GroundAction
from pg3.policy.derived import NEXT, REACH, is_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pg3.learning.operators.moves import Move
    from pg3.pddl.model import Domain, Problem
    from pg3.policy.model import Rule
    from pg3.semantics.task import Task

_PATH, _AHEAD = f"{REACH} ", f"{NEXT} "

# No variable of a suffix has this name.
_STOP = "?stop"


class Variant(NamedTuple):
    """One of the actions of a macro move.

    `places` are the numbers of the macro move's parameters for those of the action, None for its
    `labels`, which the macro move does not have. Over these, `edge` is what tells the action's
    edges from those of other variants, and `gates` are what it asks of its edges and changes.
    """

    action: Action
    places: tuple[int | None, ...]
    edge: tuple[Literal, ...]
    gates: tuple[Literal, ...]
    labels: tuple[Parameter, ...] = ()

    @property
    def ahead(self) -> str:
        """The name of the macro move that begins with this action, to a given stop."""
        return _AHEAD + self.action.name


class MacroMove(NamedTuple):
    """A run of moves of one thing as one action, which follows any path.

    `start`, `end` and `leading` are the numbers of its parameters for the two ends and for what
    comes before them in the relation `edges`, and in `road`, the same without gates. `deleted` are
    the atoms that it deletes: several things may move together. `rest` are its conditions that
    change and are not about the ends, and `marks` are further predicates that become true of its
    end. `sides` are its effects that are not about the ends: one step has them as well as many.
    """

    action: Action
    start: int
    end: int
    leading: tuple[int, ...]
    edges: str
    road: str
    deleted: tuple[Atom, ...]
    rest: tuple[Literal, ...]
    marks: frozenset[str]
    sides: tuple[Literal, ...]
    variants: tuple[Variant, ...]

    @property
    def names(self) -> list[str]:
        """The names of the parameters."""
        return [parameter.name for parameter in self.action.parameters]

    @property
    def conditions(self) -> tuple[Atom, Atom]:
        """The conditions of rules on the relation, with arbitrary terms."""
        graph = (self.edges, *"?" * len(self.leading))
        # The road has as many terms.
        return Atom(REACH, (*graph, "?", "?")), Atom(NEXT, (*graph, "?", "?", "?"))

    def variant(self, name: str) -> Variant:
        """The variant of an action."""
        return next(one for one in self.variants if one.action.name == name)

    def of(self, move: GroundAction) -> GroundAction:
        """A move of one of the variants as a macro move of one step."""
        objects = [""] * len(self.action.parameters)
        for place, one in zip(self.variant(move.name).places, move.objects, strict=True):
            if place is not None:
                objects[place] = one
        return GroundAction(self.action.name, tuple(objects))

    def labels(self, move: GroundAction) -> tuple[str, ...]:
        """The objects of a variant's move that name its edge."""
        places = self.variant(move.name).places
        return tuple(o for place, o in zip(places, move.objects, strict=True) if place is None)

    def gates(self, move: GroundAction) -> list[Literal]:
        """What changes and had to be true of the edge of a variant's move."""
        variant = self.variant(move.name)
        names = [*self.names, *(label.name for label in variant.labels)]
        objects = (*self.of(move).objects, *self.labels(move))
        binding = dict(zip(names, objects, strict=True))
        return [gate.substitute(binding) for gate in variant.gates]

    def empty_for(self, need: Literal, needs: Iterable[Literal]) -> GroundAction | None:
        """The macro move without a step that ends where something is needed; None if impossible.

        What else it asks for and can change must be among the `needs` there, and nothing that it
        does on the side.
        """
        first, *others = self.deleted
        if self.marks or not need.positive or need.atom.predicate != first.predicate:
            return None
        conditions = (*map(Literal, others), *self.rest)
        terms = (*first.terms, *(t for c in conditions for t in c.atom.terms))
        found = {name: name for name in terms if name not in self.names}
        if not bind(first, need.atom, found):
            return None
        for condition in conditions:
            alike = [n for n in needs if n.positive == condition.positive]
            if not any(bind(condition.atom, one.atom, found) for one in alike):
                return None
        end = self.names[self.end]
        found[end] = found[self.names[self.start]]
        if not found.keys() >= {*self.names}:
            return None
        # Without a step there are no side effects.
        sides = {side.substitute(found) for side in self.sides}
        if any(one in sides or one.negated in sides for one in needs):
            return None
        return GroundAction(self.action.name, tuple(found[name] for name in self.names))

    def mover(self, action: GroundAction) -> GroundAction:
        """The macro move without its two ends: who moves."""
        ends = self.start, self.end
        others = tuple([one for i, one in enumerate(action.objects) if i not in ends])
        return GroundAction(action.name, others)

    def to(self, arguments: Sequence[str], end: str) -> tuple[str, ...]:
        """The arguments with another end."""
        return (*arguments[: self.end], end, *arguments[self.end + 1 :])

    def graph(self, arguments: Sequence[str]) -> tuple[str, ...]:
        """The relation and what comes before the ends in it."""
        return (self.edges, *(arguments[i] for i in self.leading))

    def schemas(self) -> Iterator[Action]:
        """The actions that stand for macro moves in a rewritten plan: to an end, by way of a stop.

        The last parameters of the latter are the stop and the labels of the edge to it.
        """
        yield self.action
        names = self.names
        stop = Parameter(_STOP, self.action.parameters[self.end].types)
        graph, start, end = self.graph(names), names[self.start], names[self.end]
        ahead = Literal(Atom(_AHEAD + self.road, (*graph[1:], start, _STOP, end)))
        for variant in self.variants:
            if variant.gates:
                named = [c for c in variant.edge if c not in variant.gates and variant.labels]
                gates = [c.substitute({end: _STOP}) for c in (*named, *variant.gates)]
                yield replace(
                    self.action,
                    name=variant.ahead,
                    parameters=(*self.action.parameters, stop, *variant.labels),
                    precondition=(ahead, *self.action.precondition[1:], *gates),
                )


def bind(condition: Atom, atom: Atom, binding: dict[str, str]) -> bool:
    """Whether an atom is what a condition asks for; what is bound for that is added."""
    if condition.predicate != atom.predicate:
        return False
    new = dict(binding)
    for name, one in zip(condition.terms, atom.terms, strict=True):
        if new.setdefault(name, one) != one:
            return False
    binding.update(new)
    return True


def macro_moves_of(
    moves: Mapping[str, Move], roads: Mapping[str, Move], domain: Domain
) -> dict[str, MacroMove]:
    """The moves whose runs can be one step, by the names of their actions; see `moves.roads`.

    Such an action asks nothing of its ends but its edge and gates, and that what moves is at the
    start. Apart from side effects it does nothing but the move, and can be done again from its end.
    Actions that share edges of their own share a macro move.
    """
    groups: dict[tuple[object, ...], list[str]] = {}
    for name, move in moves.items():
        is_own = move.edges not in domain.predicate_index
        groups.setdefault(kind_of(name, move, domain) if is_own else (name,), []).append(name)
    found: dict[str, MacroMove] = {}
    for names in groups.values():
        road = roads[names[0]].edges
        parts = [
            part
            for name in names
            if (part := _part(domain.action(name), moves[name], road, domain)) is not None
        ]
        if len(parts) < len(names):
            continue
        macro = _alone(parts[0]) if len(parts) == 1 else _shared(parts)
        if macro is not None and all(is_graph(c, domain) for c in macro.conditions):
            found |= dict.fromkeys(names, macro)
    return found


class _Part(NamedTuple):
    """An action that can be a variant, over its own parameters, and what it asks for."""

    action: Action
    move: Move
    road: str
    deleted: tuple[Atom, ...]
    static: tuple[Literal, ...]
    gates: tuple[Literal, ...]
    rest: tuple[Literal, ...]
    fluent_rest: tuple[Literal, ...]
    marks: frozenset[str]

    @property
    def sides(self) -> tuple[Literal, ...]:
        """What the action does that is not about the edge."""
        return self.move.sides


def _part(action: Action, move: Move, road: str, domain: Domain) -> _Part | None:
    names = [parameter.name for parameter in action.parameters]
    ends = {names[move.start], names[move.end]}
    about = ends.union(names[i] for i in move.labels)
    effects = [effect for effect in action.effects if effect not in move.sides]
    gone = tuple(effect.atom for effect in effects if not effect.positive)
    onwards = {names[move.start]: names[move.end]}
    for atom in gone:
        if Literal(atom) not in action.precondition:
            return None
        if Literal(atom.substitute(onwards)) not in effects:
            return None
    start, end = action.parameters[move.start], action.parameters[move.end]
    if len(end.types) != 1 or not (
        move.types
        or any(domain.is_a(below, start.types) for below in domain.subtypes[end.types[0]])
    ):
        return None  # the second: from a hall into a room, and then no further
    static, gates, rest = list[Literal](), list[Literal](), list[Literal]()
    for condition in action.precondition:
        predicate, terms = condition.atom
        if condition.atom in gone or (predicate == EQUALS and {*terms} == ends):
            continue
        if condition in move.conditions:
            (gates if predicate in domain.changing else static).append(condition)
        elif about.isdisjoint(terms):
            rest.append(condition)
        else:
            return None
    arrived = {atom.substitute(onwards) for atom in gone}
    marks = frozenset(e.atom.predicate for e in effects if e.positive and e.atom not in arrived)
    fluent = tuple(c for c in rest if c.atom.predicate in domain.changing)
    conditions = (tuple(static), tuple(gates), tuple(rest), fluent)
    return _Part(action, move, road, gone, *conditions, marks)


def _alone(part: _Part) -> MacroMove:
    """The macro move of one action."""
    action, move = part.action, part.move
    given = [parameter.name for parameter in action.parameters]
    kept = [i for i in range(len(given)) if i not in move.labels]
    path = Atom(_PATH + move.edges, (*move.graph(given)[1:], *_ends(part)))
    needs = (Literal(path), *map(Literal, part.deleted), *part.rest)
    edge = (*part.static, *part.gates) if move.labels else ()
    types = dict(zip((*move.leading, move.start, move.end), move.types, strict=False))
    own = tuple(
        action.parameters[i]._replace(types=types.get(i, action.parameters[i].types)) for i in kept
    )
    places = tuple(kept.index(i) if i in kept else None for i in range(len(given)))
    return MacroMove(
        action=replace(action, parameters=own, precondition=needs),
        start=kept.index(move.start),
        end=kept.index(move.end),
        leading=tuple(kept.index(i) for i in move.leading),
        edges=move.edges,
        road=part.road,
        deleted=part.deleted,
        rest=part.fluent_rest,
        marks=part.marks,
        sides=part.sides,
        variants=(Variant(action, places, edge, part.gates, _labels(part)),),
    )


def _shared(parts: Sequence[_Part]) -> MacroMove | None:
    """The macro move of actions that move the same thing; None if they differ but in edges."""
    first, model = parts[0], _alone(parts[0])
    variants = []
    for part in parts:
        # What moves and its two ends have the same places in what is deleted.
        if [a.predicate for a in part.deleted] != [a.predicate for a in first.deleted]:
            return None
        terms = [t for atom in part.deleted for t in atom.terms]
        alike = dict(zip(terms, (t for atom in first.deleted for t in atom.terms), strict=True))
        alike[_ends(part)[1]] = _ends(first)[1]
        names = [parameter.name for parameter in part.action.parameters]
        labels = [label.name for label in _labels(part)]
        if {alike.get(name) for name in names if name not in labels} != {*model.names}:
            return None
        if any(alike[term] != term for term in terms if term not in names):
            return None
        if {c.substitute(alike) for c in part.rest} != {*first.rest} or part.marks != first.marks:
            return None
        if {c.substitute(alike) for c in part.sides} != {*first.sides}:
            return None
        edge = tuple(c.substitute(alike) for c in (*part.static, *part.gates))
        places = tuple(None if name in labels else model.names.index(alike[name]) for name in names)
        gates = edge[len(part.static) :]
        variants.append(Variant(part.action, places, edge, gates, _labels(part)))
    schema = replace(model.action, name=_PATH + model.edges)
    return model._replace(action=schema, variants=tuple(variants))


def _labels(part: _Part) -> tuple[Parameter, ...]:
    return tuple(part.action.parameters[i] for i in part.move.labels)


def _ends(part: _Part) -> tuple[str, str]:
    parameters = part.action.parameters
    return parameters[part.move.start].name, parameters[part.move.end].name


def schemas_of(macro_moves: Mapping[str, MacroMove]) -> dict[str, Action]:
    """The actions that stand for macro moves in rewritten plans, by name."""
    return {one.name: one for macro in macro_moves.values() for one in macro.schemas()}


def rules_along_paths(
    rule: Rule, macro_moves: Mapping[str, MacroMove], domain: Domain
) -> tuple[Rule, ...]:
    """A rule of a suffix with conditions on paths, as rules for the domain's actions.

    One whose action is a macro move goes to the next stop. The stop is bound last, so that the
    destination is chosen before and stays the same from stop to stop. For a step through a gate
    that is open there is no rule of its own: it is on an open path to the end or to the next gate.
    """
    conditions = tuple(_condition(literal) for literal in rule.preconditions)
    rule = replace(rule, preconditions=conditions)
    for name, macro in macro_moves.items():
        if rule.action == macro.action.name:
            made = (_to_next_stop(rule, macro, variant) for variant in macro.variants)
            return tuple(r for one in made if (r := _for_action(one, domain)) is not None)
        if rule.action == macro.variant(name).ahead:
            return ()
    return (rule,)


def _to_next_stop(rule: Rule, macro: MacroMove, variant: Variant) -> Rule:
    graph, arguments = macro.graph(rule.arguments), rule.arguments
    start, end = arguments[macro.start], arguments[macro.end]
    path = Literal(Atom(REACH, (*graph, start, end)))
    ahead = Literal(Atom(NEXT, (*graph, start, _STOP, end)))
    stop = Parameter(_STOP, macro.action.parameters[macro.end].types)
    binding = dict(zip(macro.names, macro.to(arguments, _STOP), strict=True))
    # A path with a next stop has two different ends.
    conditions = [
        ahead if condition == path else condition
        for condition in rule.preconditions
        if condition.positive
        or condition.atom.predicate != EQUALS
        or {*condition.atom.terms} != {start, end}
    ]
    # No variable of a suffix has a letter in its name.
    labels = {label.name: f"?via{i}" if i else "?via" for i, label in enumerate(variant.labels)}
    conditions += [condition.substitute(binding | labels) for condition in variant.edge]
    named = iter(labels.values())
    own = tuple(
        next(named) if place is None else binding[macro.names[place]] for place in variant.places
    )
    added = (Parameter(labels[label.name], label.types) for label in variant.labels)
    return replace(
        rule,
        name=variant.action.name,
        parameters=(*rule.parameters, stop, *added),
        preconditions=tuple(dict.fromkeys(conditions)),
        action=variant.action.name,
        arguments=own,
    )


def _for_action(rule: Rule, domain: Domain) -> Rule | None:
    """The rule for what its action takes, which may be less than other actions of a way take."""
    types = {p.name: p.types for p in rule.parameters} | {
        c.name: (c.type,) for c in domain.constants
    }
    asked = zip(rule.arguments, domain.action(rule.action).parameters, strict=True)
    for term, accepted in ((term, parameter.types) for term, parameter in asked):
        names = types[term]
        types[term] = tuple(
            dict.fromkeys(
                [name for name in names if domain.is_a(name, accepted)]
                + [name for name in accepted if domain.is_a(name, names)]
            )
        )
        if not types[term]:
            return None
    return replace(rule, parameters=tuple(p._replace(types=types[p.name]) for p in rule.parameters))


def _condition(literal: Literal) -> Literal:
    predicate, terms = literal.atom
    for word, prefix in ((REACH, _PATH), (NEXT, _AHEAD)):
        if predicate.startswith(prefix):
            return Literal(Atom(word, (predicate.removeprefix(prefix), *terms)), literal.positive)
    return literal


def movers(macro_moves: Mapping[str, MacroMove], task: Task) -> frozenset[GroundAction]:
    """Who can make which macro move somewhere in a problem: the actions without their ends."""
    return frozenset(macro.mover(done) for macro, done in _moves_in(task, macro_moves))


def have_stops(
    macro_moves: Mapping[str, MacroMove],
    moves: Mapping[str, Move],
    domain: Domain,
    problems: Iterable[Problem],
) -> bool:
    """Whether some place of the problems is two moves away from another and not one."""
    for problem in problems if macro_moves else ():
        edges: dict[tuple[str, ...], dict[str, set[str]]] = {}
        for move, action in ((moves[name], domain.action(name)) for name in macro_moves):
            for *leading, start, end in static_edges(move, action, problem):
                graph = edges.setdefault((move.edges, *leading), {})
                graph.setdefault(start, set()).add(end)
        for graph in edges.values():
            for place, near in graph.items():
                if any(graph.get(stop, set()) - near - {place} for stop in near):
                    return True
    return False


def _moves_in(
    task: Task, macro_moves: Mapping[str, MacroMove]
) -> Iterator[tuple[MacroMove, GroundAction]]:
    """The moves that are possible in a problem, as macro moves of one step."""
    for number in range(task.space.num_actions if macro_moves else 0):
        action = task.decode_action(number)
        if action.name in macro_moves:
            macro = macro_moves[action.name]
            yield macro, macro.of(action)
