"""Travel: a run of pure moves along roads that never change, taken as one step.

A plan for one goal goes from stop to stop, and how many stops there are says nothing about the goal.
So where an action is a pure move (`operators.moves`) along static relations, its runs in a plan are
put together: one step from where it starts to where something else happens, which needs no edge
between the two but a way. Regressed, such a step is a move to the next stop on a shortest way,
`(next E x y z)`, if it comes first, and a condition `(reach E x z)` if it comes later.

While plans are regressed a way is a predicate of its own, `reach E`: a name with a space in it,
which no domain can have.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, OBJECT, Atom, Literal, Parameter
from pg3.plans import GroundAction
from pg3.policy.derived import NEXT, REACH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from pg3.operators.moves import Move
    from pg3.pddl.model import Action, Domain
    from pg3.policy.model import Rule
    from pg3.regression.suffixes import Step
    from pg3.task import Task

_WAY = f"{REACH} "

# No name of a variable in a suffix.
_STOP = "?stop"


class Road(NamedTuple):
    """A pure move along roads that never change, and the action that goes any way along them."""

    move: Move
    travel: Action

    def others(self, action: GroundAction) -> list[str]:
        """The objects that are no ends."""
        ends = self.move.start, self.move.end
        return [one for i, one in enumerate(action.objects) if i not in ends]

    def to(self, arguments: Sequence[str], end: str) -> tuple[str, ...]:
        """The arguments with another end."""
        return (*arguments[: self.move.end], end, *arguments[self.move.end + 1 :])


def roads_of(moves: Mapping[str, Move], domain: Domain) -> dict[str, Road]:
    """The moves whose runs can be put together, by the names of their actions.

    All that such an action asks of its ends is the edge, and that what is moved is there; all that
    it does is to move it. It has its edges for itself: along a way that several actions share, the
    next stop does not say which of them leads there.
    """
    if REACH in domain.predicate_index or NEXT in domain.predicate_index:
        return {}
    shared = Counter(move.edges for move in moves.values())
    roads = {}
    for name, move in moves.items():
        action = domain.actions[domain.action_index[name]]
        names = [parameter.name for parameter in action.parameters]
        start, end = names[move.start], names[move.end]
        gone = [Literal(effect.atom) for effect in action.effects if not effect.positive]
        rest, of_ends = [], []
        for condition in action.precondition:
            if condition in move.conditions:
                continue
            if {start, end}.isdisjoint(condition.atom.terms):
                rest.append(condition)
            elif condition.atom.predicate != EQUALS or {*condition.atom.terms} != {start, end}:
                of_ends.append(condition)
        fixed = all(c.atom.predicate not in domain.fluents for c in move.conditions)
        if shared[move.edges] == 1 and fixed and of_ends == gone and len(action.effects) == 2:
            way = Atom(_WAY + move.edges, (*move.graph(names)[1:], start, end))
            needs = (Literal(way), *of_ends, *rest)
            roads[name] = Road(move, replace(action, precondition=needs))
    return roads


def written(rule: Rule, roads: Mapping[str, Road]) -> Rule:
    """A rule with travels as conditions on paths; one for a travel goes to the next stop.

    The stop is bound last: where to go is settled before, and is the same from stop to stop.
    """
    road = roads.get(rule.action)
    conditions = [_condition(literal) for literal in rule.preconditions]
    if road is None:
        return replace(rule, preconditions=tuple(conditions))
    graph, arguments = road.move.graph(rule.arguments), rule.arguments
    start, end = arguments[road.move.start], arguments[road.move.end]
    way = Literal(Atom(REACH, (*graph, start, end)))
    ahead = Literal(Atom(NEXT, (*graph, start, _STOP, end)))
    return replace(
        rule,
        parameters=(*rule.parameters, Parameter(_STOP, (_one_type(road),))),
        # A way with a next stop has two ends.
        preconditions=tuple(
            ahead if condition == way else condition
            for condition in conditions
            if condition.positive
            or condition.atom.predicate != EQUALS
            or {*condition.atom.terms} != {start, end}
        ),
        arguments=road.to(arguments, _STOP),
    )


def _condition(literal: Literal) -> Literal:
    predicate, terms = literal.atom
    if not predicate.startswith(_WAY):
        return literal
    return Literal(Atom(REACH, (predicate.removeprefix(_WAY), *terms)), literal.positive)


def _one_type(road: Road) -> str:
    """A type that every stop has."""
    types = road.travel.parameters[road.move.end].types
    return types[0] if len(types) == 1 else OBJECT


def have_stops(roads: Mapping[str, Road], tasks: Iterable[Task]) -> bool:
    """Whether there are places from which some others are reached only over a stop between."""
    for task in tasks:
        edges: dict[tuple[str, ...], dict[str, set[str]]] = {}
        for number in range(task.space.num_actions):
            name, objects = task.decode_action(number)
            if name in roads:
                move = roads[name].move
                graph = edges.setdefault(move.graph(objects), {})
                graph.setdefault(objects[move.start], set()).add(objects[move.end])
        for graph in edges.values():
            for place, near in graph.items():
                if any(graph.get(stop, set()) - near - {place} for stop in near):
                    return True
    return False


def put_together(
    plan: Sequence[GroundAction],
    goal: Atom,
    roads: Mapping[str, Road],
    step_of: Callable[[GroundAction], Step],
) -> list[GroundAction]:
    """The relevant actions of a plan for a goal, with each run of moves as one travel.

    `step_of` gives an action as a step over objects, a move as a travel. Two moves are one if the
    second is the first to need what the first has moved, takes it on, and nothing between them is
    about where it was. Together they take the second one's turn; if they lead back, both go.
    """
    relevant: list[GroundAction] = []
    needs = {Literal(goal)}
    for action in reversed(plan):
        step = step_of(action)
        if not needs.isdisjoint(step.effects):
            relevant.append(action)
            needs = needs.difference(step.effects).union(step.needs)
    kept: list[GroundAction] = []
    for action in relevant:
        place = _taken_on(action, kept, roads, step_of)
        if place is None:
            kept.insert(0, action)
            continue
        move = roads[action.name].move
        end = kept[place].objects[move.end]
        kept[place] = GroundAction(action.name, roads[action.name].to(action.objects, end))
        if action.objects[move.start] == end:
            del kept[place]
    return kept


def _taken_on(
    action: GroundAction,
    later: Sequence[GroundAction],
    roads: Mapping[str, Road],
    step_of: Callable[[GroundAction], Step],
) -> int | None:
    """The place of the move that goes on where this one ends, None if there is none."""
    road = roads.get(action.name)
    if road is None:
        return None
    (left,), (arrived,) = step_of(action).deletes, step_of(action).adds
    for place, other in enumerate(later):
        step = step_of(other)
        if Literal(arrived) in step.needs:
            same = other.name == action.name and road.others(other) == road.others(action)
            return place if same else None
        if any(one.atom in (left, arrived) for one in (*step.needs, *step.effects)):
            return None
    return None
