"""Travel: a run of pure moves along roads that never change, taken as one step.

A plan for one goal goes from stop to stop, and how many stops there are says nothing about the
goal. So where an action is a pure move (`operators.moves`) along static relations, its runs in a
plan are put together: one step from where it starts to where something else happens, which needs no
edge between the two but a way. Regressed, such a step is a move to the next stop on a shortest way,
`(next E x y z)`, if it comes first, and a condition `(reach E x z)` if it comes later.

In small problems much happens in one place, so that their plans lack the travels that others need.
But a way may have no edge at all, so that there can be a travel before everything that asks where
somebody is, and the plans of small problems give the rules of large ones.

While plans are regressed a way is a predicate of its own, `reach E`: a name with a space in it,
which no domain can have.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import EQUALS, Atom, Literal, Parameter
from pg3.pddl.plans import GroundAction
from pg3.policy.derived import NEXT, REACH, is_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from pg3.learning.operators.moves import Move
    from pg3.learning.regression.suffixes import Step
    from pg3.pddl.model import Action, Domain
    from pg3.policy.model import Rule
    from pg3.semantics.task import Task

_WAY = f"{REACH} "

# No name of a variable in a suffix.
_STOP = "?stop"


class Road(NamedTuple):
    """A pure move along roads that never change, and the action that goes any way along them.

    `left` is what no longer holds after it, over its parameters. One `can_stay` if that says who
    travels, if all else that is asked of a travel is static, and if it leaves no `marks`: atoms of
    these predicates are true of its end as well.
    """

    move: Move
    travel: Action
    left: Atom
    can_stay: bool
    marks: frozenset[str] = frozenset()

    @property
    def conditions(self) -> tuple[Atom, Atom]:
        """What rules say of the roads, of objects that do not matter here."""
        graph = (self.move.edges, *"?" * len(self.move.leading))
        return Atom(REACH, (*graph, "?", "?")), Atom(NEXT, (*graph, "?", "?", "?"))

    def stay(self, need: Literal) -> GroundAction | None:
        """The travel of no step to where something is needed; None where there is none."""
        if not self.can_stay or not need.positive or need.atom.predicate != self.left.predicate:
            return None
        objects = dict(zip(self.left.terms, need.atom.terms, strict=True))
        names = [parameter.name for parameter in self.travel.parameters]
        if any(term not in names and one != term for term, one in objects.items()):
            return None
        objects[names[self.move.end]] = objects[names[self.move.start]]
        return GroundAction(self.travel.name, tuple(objects[name] for name in names))

    def traveller(self, action: GroundAction) -> GroundAction:
        """The action with the objects that are no ends."""
        ends = self.move.start, self.move.end
        others = tuple([one for i, one in enumerate(action.objects) if i not in ends])
        return GroundAction(action.name, others)

    def to(self, arguments: Sequence[str], end: str) -> tuple[str, ...]:
        """The arguments with another end."""
        return (*arguments[: self.move.end], end, *arguments[self.move.end + 1 :])


def roads_of(moves: Mapping[str, Move], domain: Domain) -> dict[str, Road]:
    """The moves whose runs can be put together, by the names of their actions.

    All that such an action asks of its ends is the edge, and that what is moved is there; all that
    it does is to move it. It has its edges for itself: along a way that several actions share, the
    next stop does not say which of them leads there.
    """
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
        fixed = all(c.atom.predicate not in domain.changing for c in move.conditions)
        marks = frozenset(
            e.atom.predicate
            for e in action.effects
            if e.positive and e.atom.predicate != move.moved
        )
        one_type = len(action.parameters[move.end].types) == 1
        alone = shared[move.edges] == 1 and one_type
        if alone and fixed and of_ends == gone and len(gone) == 1:
            way = Atom(_WAY + move.edges, (*move.graph(names)[1:], start, end))
            needs = (Literal(way), *of_ends, *rest)
            (left,) = (literal.atom for literal in gone)
            can_stay = (
                not marks
                and set(names) <= {*left.terms, end}
                and not any(condition.atom.predicate in domain.changing for condition in rest)
            )
            road = Road(move, replace(action, precondition=needs), left, can_stay, marks)
            if all(is_graph(condition, domain) for condition in road.conditions):
                roads[name] = road
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
        parameters=(
            *rule.parameters,
            Parameter(_STOP, road.travel.parameters[road.move.end].types),
        ),
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


def travellers(roads: Mapping[str, Road], task: Task) -> frozenset[GroundAction]:
    """Who can go along which road somewhere in a problem: the actions without their ends."""
    numbers = range(task.space.num_actions if roads else 0)
    actions = (task.decode_action(number) for number in numbers)
    return frozenset(roads[one.name].traveller(one) for one in actions if one.name in roads)


def have_stops(roads: Mapping[str, Road], tasks: Iterable[Task]) -> bool:
    """Whether there are places from which some others are reached only over a stop between."""
    if not roads:
        return False
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


class Itinerary:
    """The relevant actions of a plan for a goal, with travels for moves.

    Whatever asks that something that can travel is somewhere has a travel before it, if only of no
    step, where it was there already: in another problem it may have to come from elsewhere, and the
    rule is the same. Moves become part of the travel that they are for.
    """

    def __init__(
        self,
        roads: Mapping[str, Road],
        who: Collection[GroundAction],
        step_of: Callable[[GroundAction], Step],
    ) -> None:
        """`step_of` gives an action as a step over objects, a move as a travel."""
        self._roads = roads
        self._who = who
        self._step_of = step_of

    def of(self, goal: Atom, plan: Sequence[GroundAction]) -> list[GroundAction]:
        """The itinerary of a plan that reaches a goal."""
        found: list[GroundAction] = []
        needs = {Literal(goal)}
        for action in reversed(plan):
            step = self._step_of(action)
            if needs.isdisjoint(step.effects):
                continue
            needs = needs.difference(step.effects).union(step.needs)
            if action.name in self._roads:
                self._put_move(action, found)
            else:
                found[:0] = [*self._stays(step), action]
        return found

    def _put_move(self, move: GroundAction, later: list[GroundAction]) -> None:
        """Put a move as late as possible, as a part of the travel that goes on from its end."""
        road = self._roads[move.name]
        step = self._step_of(move)
        if not step.deletes:
            return  # from a place to itself
        (left,) = step.deletes
        (arrived,) = (atom for atom in step.adds if atom.predicate == road.move.moved)
        marks = {Literal(atom) for atom in step.adds if atom != arrived}
        if any(not marks.isdisjoint(self._step_of(other).needs) for other in later):
            later.insert(0, move)
            return
        place = 0
        for number, other in enumerate(later):
            then = self._step_of(other)
            if Literal(arrived) in then.needs:
                if other.name == move.name and road.traveller(other) == road.traveller(move):
                    end = other.objects[road.move.end]
                    later[number] = GroundAction(move.name, road.to(move.objects, end))
                    return
                place = number
                break
            if any(one.atom in (left, arrived) for one in (*then.needs, *then.effects)):
                break
        later.insert(place, move)

    def _stays(self, step: Step) -> list[GroundAction]:
        """Travels of no step before a step, for all that it needs somewhere and that can travel."""
        stays = []
        for need in step.needs:
            for road in self._roads.values():
                stay = road.stay(need)
                if stay is not None and road.traveller(stay) in self._who:
                    stays.append(stay)
        return stays
