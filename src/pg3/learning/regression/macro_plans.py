"""Plans with macro moves: a plan for one goal, rewritten, and what it tells of closed gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.regression.macro_moves import bind
from pg3.pddl.model import Atom, Literal
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pg3.learning.regression.macro_moves import MacroMove
    from pg3.learning.regression.rules.steps import Step
    from pg3.pddl.model import Action, Domain, Parameter


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
        domain: Domain,
        types: Mapping[str, str],
    ) -> None:
        """`step_of` gives an action, or a macro move (`schemas_of`), as a step over objects.

        `types` are those of the objects.
        """
        self._macro_moves = macro_moves
        self._movers = movers
        self._step_of = step_of
        self._domain = domain
        self._types = types

    def rewrite(self, goal: Atom, plan: Sequence[GroundAction]) -> list[GroundAction]:
        """The rewritten plan of a plan that reaches a goal."""
        found: list[GroundAction] = []
        needs = {Literal(goal)}
        opened = self._opened(plan)
        for number in reversed(range(len(plan))):
            action = plan[number]
            macro = self._macro_moves.get(action.name)
            step = self._step_of(action if macro is None else macro.of(action))
            if needs.isdisjoint(step.effects):
                continue
            needs = needs.difference(step.effects).union(step.needs)
            if macro is None:
                found[:0] = [*self._empty_moves(step, self._types), action]
            else:
                gates = [gate for gate in macro.gates(action) if number > opened.get(gate, number)]
                needs.update(gates)
                self._put_move(macro, action, bool(gates), found)
        return found

    def with_closed_gates(
        self, plan: Sequence[GroundAction]
    ) -> Iterator[tuple[list[GroundAction], dict[str, str]]]:
        """Ends of a rewritten plan that begin at a closed gate, and the types of their objects.

        Each macro move meets one, with whatever action opens it.
        """
        by_schema = {macro.action.name: macro for macro in self._macro_moves.values()}
        openers = [one for one in self._domain.actions if one.name not in self._macro_moves]
        for number, move in enumerate(plan):
            for gate in _closed_gates(by_schema.get(move.name), move, self._types):
                for opener, known in gate.opened_by(openers, self._domain):
                    before = self._empty_moves(self._step_of(opener), known)
                    yield [*before, opener, gate.ahead, *plan[number + 1 :]], known

    def _opened(self, plan: Sequence[GroundAction]) -> dict[Literal, int]:
        """When a plan first makes something true, other than by a move."""
        found: dict[Literal, int] = {}
        for number, action in enumerate(plan):
            if action.name not in self._macro_moves:
                for effect in self._step_of(action).effects:
                    found.setdefault(effect, number)
        return found

    def _put_move(
        self, macro: MacroMove, action: GroundAction, through_gate: bool, later: list[GroundAction]
    ) -> None:
        """Put a move as late as possible, as a part of the macro move that goes on from its end.

        One through a gate that the plan has opened keeps its stop.
        """
        move = macro.of(action)
        step = self._step_of(move)
        if not step.deletes:
            return  # from a place to itself

        def on_the_way_to(end: str) -> GroundAction:
            objects = macro.to(move.objects, end)
            if not through_gate:
                return GroundAction(move.name, objects)
            stop = move.objects[macro.end]
            ahead = macro.variant(action.name).ahead
            return GroundAction(ahead, (*objects, stop, *macro.labels(action)))

        here = on_the_way_to(move.objects[macro.end])
        left = set(step.deletes)
        arrived = {atom for atom in step.adds if atom.predicate not in macro.marks}
        marks = {Literal(atom) for atom in step.adds if atom not in arrived}
        if any(not marks.isdisjoint(self._step_of(other).needs) for other in later):
            later.insert(0, here)
            return
        place, forbidden = 0, {need.negated for need in step.needs}
        for number, other in enumerate(later):
            then = self._step_of(other)
            if any(Literal(atom) in then.needs for atom in arrived):
                if other.name == move.name and macro.mover(other) == macro.mover(move):
                    later[number] = on_the_way_to(other.objects[macro.end])
                    return
                place = number
                break
            if any(one.atom in left | arrived for one in (*then.needs, *then.effects)):
                break
            if not forbidden.isdisjoint(then.effects):
                break
        later.insert(place, here)

    def _empty_moves(self, step: Step, types: Mapping[str, str]) -> list[GroundAction]:
        """Empty macro moves before a step, for each thing that it needs somewhere and can move.

        Not at a place that is no end of such a move: walks may lead only from hall to hall.
        """
        found = []
        for need in step.needs:
            for macro in dict.fromkeys(self._macro_moves.values()):
                empty = macro.empty_for(need, step.needs)
                if empty is None or macro.mover(empty) not in self._movers:
                    continue
                pairs = zip(empty.objects, macro.action.parameters, strict=True)
                if all(self._domain.is_a(types[one], parameter.types) for one, parameter in pairs):
                    found.append(empty)
        return found


class _ClosedGate(NamedTuple):
    """What must become true for a macro move to go `ahead`, between two places of its own.

    `movers` are the objects of the move besides its ends.
    """

    literal: Literal
    ahead: GroundAction
    movers: tuple[str, ...]
    types: Mapping[str, str]

    def opened_by(
        self, actions: Iterable[Action], domain: Domain
    ) -> Iterator[tuple[GroundAction, dict[str, str]]]:
        """The actions that open it, and the types of all objects.

        Whoever moves opens it, if it can; other objects are new.
        """
        for action in actions:
            for effect in action.effects:
                found = {constant.name: constant.name for constant in domain.constants}
                if effect.positive != self.literal.positive:
                    continue
                if not bind(effect.atom, self.literal.atom, found):
                    continue
                known = dict(self.types)
                for parameter in action.parameters:
                    able = [one for one in self.movers if domain.is_a(known[one], parameter.types)]
                    if parameter.name not in found:
                        found[parameter.name] = able[0] if able else _new(parameter, known)
                arguments = tuple(found[parameter.name] for parameter in action.parameters)
                if all(
                    domain.is_a(known[one], parameter.types)
                    for one, parameter in zip(arguments, action.parameters, strict=True)
                ):
                    yield GroundAction(action.name, arguments), known


def _closed_gates(
    macro: MacroMove | None, move: GroundAction, types: Mapping[str, str]
) -> Iterator[_ClosedGate]:
    """The gates that a macro move may meet on its way."""
    for variant in macro.variants if macro is not None else ():
        assert macro is not None
        known = dict(types)
        start = _new(macro.action.parameters[macro.start], known)
        stop = _new(macro.action.parameters[macro.end], known)
        labels = {label.name: _new(label, known) for label in variant.labels}
        objects = list(move.objects)
        objects[macro.start] = start
        binding = dict(zip(macro.names, objects, strict=True)) | labels
        binding[macro.names[macro.end]] = stop
        ahead = GroundAction(variant.ahead, (*objects, stop, *labels.values()))
        for gate in variant.gates:
            yield _ClosedGate(gate.substitute(binding), ahead, macro.mover(move).objects, known)


def _new(parameter: Parameter, types: dict[str, str]) -> str:
    """The name of a new object for a parameter; its type is added."""
    name = f"new {len(types)}"
    types[name] = parameter.types[0]
    return name
