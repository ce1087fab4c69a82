"""Macro moves: a run of pure moves along relations that never change, taken as one step.

How many stops a plan for one goal makes says nothing about the goal. So where an action is a pure
move (`operators.moves`) along static relations, a run of it in a plan becomes one macro move: from
where the run starts to where something else happens. It needs no edge between the two but a path.
Regressed, a macro move is a move to the next stop on a shortest path, `(next E x y z)`, if it comes
first, and a condition `(reach E x z)` if it comes later.

In small problems much happens in one place, so their plans lack the moves that others need. But a
path may have no edge at all. So there can be a macro move before every action that needs something
to be somewhere, and the plans of small problems give the rules of large ones.

While plans are regressed, a path is a predicate of its own, `reach E`: a name with a space in it,
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
    from pg3.learning.regression.steps import Step
    from pg3.pddl.model import Action, Domain
    from pg3.policy.model import Rule
    from pg3.semantics.task import Task

_PATH = f"{REACH} "

# No variable of a suffix has this name.
_STOP = "?stop"


class MacroMove(NamedTuple):
    """A pure move along static relations, and the `action` that follows any path along them.

    `deleted` is the atom that the action deletes, over its parameters. The action `can_be_empty` if
    `deleted` says who moves, if all other conditions are static, and if it leaves no `marks`:
    further predicates that become true of its end.
    """

    move: Move
    action: Action
    deleted: Atom
    can_be_empty: bool
    marks: frozenset[str] = frozenset()

    @property
    def conditions(self) -> tuple[Atom, Atom]:
        """The conditions of rules on the relations, with arbitrary terms."""
        graph = (self.move.edges, *"?" * len(self.move.leading))
        return Atom(REACH, (*graph, "?", "?")), Atom(NEXT, (*graph, "?", "?", "?"))

    def empty_for(self, need: Literal) -> GroundAction | None:
        """The macro move without a step that ends where something is needed; None if impossible."""
        if not self.can_be_empty or not need.positive:
            return None
        if need.atom.predicate != self.deleted.predicate:
            return None
        objects = dict(zip(self.deleted.terms, need.atom.terms, strict=True))
        names = [parameter.name for parameter in self.action.parameters]
        if any(term not in names and one != term for term, one in objects.items()):
            return None
        objects[names[self.move.end]] = objects[names[self.move.start]]
        return GroundAction(self.action.name, tuple(objects[name] for name in names))

    def mover(self, action: GroundAction) -> GroundAction:
        """The action without its two ends: who moves."""
        ends = self.move.start, self.move.end
        others = tuple([one for i, one in enumerate(action.objects) if i not in ends])
        return GroundAction(action.name, others)

    def to(self, arguments: Sequence[str], end: str) -> tuple[str, ...]:
        """The arguments with another end."""
        return (*arguments[: self.move.end], end, *arguments[self.move.end + 1 :])


def macro_moves_of(moves: Mapping[str, Move], domain: Domain) -> dict[str, MacroMove]:
    """The moves whose runs can be one step, by the names of their actions.

    The only conditions of such an action on its ends are the edge, and that what moves is at the
    start; its only effect is the move. No other action uses its edges: on a path that several
    actions share, the next stop does not say which of them leads there.
    """
    shared = Counter(move.edges for move in moves.values())
    found = {}
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
            path = Atom(_PATH + move.edges, (*move.graph(names)[1:], start, end))
            needs = (Literal(path), *of_ends, *rest)
            (deleted,) = (literal.atom for literal in gone)
            can_be_empty = (
                not marks
                and set(names) <= {*deleted.terms, end}
                and not any(condition.atom.predicate in domain.changing for condition in rest)
            )
            macro = MacroMove(
                move, replace(action, precondition=needs), deleted, can_be_empty, marks
            )
            if all(is_graph(condition, domain) for condition in macro.conditions):
                found[name] = macro
    return found


def with_path_conditions(rule: Rule, macro_moves: Mapping[str, MacroMove]) -> Rule:
    """A rule with conditions on paths; one whose action is a macro move goes to the next stop.

    The stop is bound last, so that the destination is chosen before and stays the same from stop to
    stop.
    """
    macro = macro_moves.get(rule.action)
    conditions = [_condition(literal) for literal in rule.preconditions]
    if macro is None:
        return replace(rule, preconditions=tuple(conditions))
    graph, arguments = macro.move.graph(rule.arguments), rule.arguments
    start, end = arguments[macro.move.start], arguments[macro.move.end]
    path = Literal(Atom(REACH, (*graph, start, end)))
    ahead = Literal(Atom(NEXT, (*graph, start, _STOP, end)))
    return replace(
        rule,
        parameters=(
            *rule.parameters,
            Parameter(_STOP, macro.action.parameters[macro.move.end].types),
        ),
        # A path with a next stop has two different ends.
        preconditions=tuple(
            ahead if condition == path else condition
            for condition in conditions
            if condition.positive
            or condition.atom.predicate != EQUALS
            or {*condition.atom.terms} != {start, end}
        ),
        arguments=macro.to(arguments, _STOP),
    )


def _condition(literal: Literal) -> Literal:
    predicate, terms = literal.atom
    if not predicate.startswith(_PATH):
        return literal
    return Literal(Atom(REACH, (predicate.removeprefix(_PATH), *terms)), literal.positive)


def movers(macro_moves: Mapping[str, MacroMove], task: Task) -> frozenset[GroundAction]:
    """Who can make which macro move somewhere in a problem: the actions without their ends."""
    numbers = range(task.space.num_actions if macro_moves else 0)
    actions = (task.decode_action(number) for number in numbers)
    return frozenset(macro_moves[a.name].mover(a) for a in actions if a.name in macro_moves)


def have_stops(macro_moves: Mapping[str, MacroMove], tasks: Iterable[Task]) -> bool:
    """Whether some place of the problems is two moves away from another and not one."""
    if not macro_moves:
        return False
    for task in tasks:
        edges: dict[tuple[str, ...], dict[str, set[str]]] = {}
        for number in range(task.space.num_actions):
            name, objects = task.decode_action(number)
            if name in macro_moves:
                move = macro_moves[name].move
                graph = edges.setdefault(move.graph(objects), {})
                graph.setdefault(objects[move.start], set()).add(objects[move.end])
        for graph in edges.values():
            for place, near in graph.items():
                if any(graph.get(stop, set()) - near - {place} for stop in near):
                    return True
    return False


class MacroPlanner:
    """Rewrites a plan for one goal: its relevant actions, with macro moves for moves.

    A macro move comes before every action that needs something to be somewhere that can move. It is
    empty if the thing is there already: in another problem it may have to come from elsewhere, and
    the rule is the same. Moves become part of the macro move that they serve.
    """

    def __init__(
        self,
        macro_moves: Mapping[str, MacroMove],
        movers: Collection[GroundAction],
        step_of: Callable[[GroundAction], Step],
    ) -> None:
        """`step_of` gives an action as a step over objects, a move as a macro move."""
        self._macro_moves = macro_moves
        self._movers = movers
        self._step_of = step_of

    def rewrite(self, goal: Atom, plan: Sequence[GroundAction]) -> list[GroundAction]:
        """The rewritten plan of a plan that reaches a goal."""
        found: list[GroundAction] = []
        needs = {Literal(goal)}
        for action in reversed(plan):
            step = self._step_of(action)
            if needs.isdisjoint(step.effects):
                continue
            needs = needs.difference(step.effects).union(step.needs)
            if action.name in self._macro_moves:
                self._put_move(action, found)
            else:
                found[:0] = [*self._empty_moves(step), action]
        return found

    def _put_move(self, move: GroundAction, later: list[GroundAction]) -> None:
        """Put a move as late as possible, as a part of the macro move that goes on from its end."""
        macro = self._macro_moves[move.name]
        step = self._step_of(move)
        if not step.deletes:
            return  # from a place to itself
        (left,) = step.deletes
        (arrived,) = (atom for atom in step.adds if atom.predicate == macro.move.moved)
        marks = {Literal(atom) for atom in step.adds if atom != arrived}
        if any(not marks.isdisjoint(self._step_of(other).needs) for other in later):
            later.insert(0, move)
            return
        place = 0
        for number, other in enumerate(later):
            then = self._step_of(other)
            if Literal(arrived) in then.needs:
                if other.name == move.name and macro.mover(other) == macro.mover(move):
                    end = other.objects[macro.move.end]
                    later[number] = GroundAction(move.name, macro.to(move.objects, end))
                    return
                place = number
                break
            if any(one.atom in (left, arrived) for one in (*then.needs, *then.effects)):
                break
        later.insert(place, move)

    def _empty_moves(self, step: Step) -> list[GroundAction]:
        """Empty macro moves before a step, for each thing that it needs somewhere and can move."""
        found = []
        for need in step.needs:
            for macro in self._macro_moves.values():
                empty = macro.empty_for(need)
                if empty is not None and macro.mover(empty) in self._movers:
                    found.append(empty)
        return found
