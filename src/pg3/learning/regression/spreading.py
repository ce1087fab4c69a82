"""Conditions that spread along a static relation, and plans in which they have spread far.

Water flows on from a wet pipe to the next one; a wall is built on the one below it. An action makes
something true of an object where it is true of a neighbour, which stays so. How many of these steps
a plan needs says nothing about its goal. So a rule is learned for any one of them: it asks for an
object that the condition can spread to at once, and from which it can spread on, `(reach R y z)`,
to where it is needed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pg3.learning.operators.moves import differing_places, static_relations
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.pddl.plans import GroundAction
from pg3.policy.derived import REACH, is_graph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pg3.pddl.model import Action, Domain
    from pg3.policy.model import Rule

# No parameter of an action has this name, nor an action the prefix.
_FAR, _SPREADING = "?far", "spread "


class Spread(NamedTuple):
    """An action by which a condition spreads.

    `schema` stands for it in rewritten plans. Its last parameter is the object that the condition
    is then taken to be true of. `start` and `end` are the numbers of the parameters between which
    the condition spreads, `predicate` is its predicate.
    """

    schema: Action
    predicate: str
    start: int
    end: int


def spreads_of(domain: Domain) -> dict[str, Spread]:
    """The actions by which conditions spread, by their names."""
    return {
        action.name: spread
        for action in domain.actions
        if (spread := _spread(action, domain)) is not None
    }


def _spread(action: Action, domain: Domain) -> Spread | None:
    names = [parameter.name for parameter in action.parameters]
    for added, positive in action.effects:
        for needed, is_needed in action.precondition:
            if not (positive and is_needed and added.predicate == needed.predicate):
                continue
            places = differing_places(needed, added)
            if len(places) != 1 or Literal(needed, False) in action.effects:
                continue
            start, end = needed.terms[places[0]], added.terms[places[0]]
            if not {start, end} <= {*names}:
                continue
            for relation in static_relations(action, start, end, domain):
                if {*relation.terms} != {start, end} or not is_graph(
                    Atom(REACH, (relation.predicate, "?", "?")), domain
                ):
                    continue
                ends = (end, _FAR) if relation.terms == (start, end) else (_FAR, end)
                path = Literal(Atom(f"{REACH} {relation.predicate}", ends))
                far = added.substitute({end: _FAR})
                schema = replace(
                    action,
                    name=_SPREADING + action.name,
                    parameters=(
                        *action.parameters,
                        Parameter(_FAR, action.parameters[names.index(end)].types),
                    ),
                    precondition=(*action.precondition, Literal(added, False), path),
                    effects=(*action.effects, Literal(far)),
                )
                return Spread(schema, added.predicate, names.index(start), names.index(end))
    return None


def rewritten(
    plan: Sequence[GroundAction], spreads: Mapping[str, Spread]
) -> Iterator[Sequence[GroundAction]]:
    """The plan, with one step at a time by which a condition spreads to where it is in the end."""
    steps = [number for number, action in enumerate(plan) if action.name in spreads]
    if not steps:
        yield plan
    for number in steps:
        spread = spreads[plan[number].name]
        before = [action for action in plan[:number] if action.name not in spreads]
        after = [action for action in plan[number + 1 :] if action.name not in spreads]
        for far in _reached(plan[number:], spread.predicate, spreads):
            objects = (*plan[number].objects, far)
            yield [*before, GroundAction(spread.schema.name, objects), *after]


def _reached(
    plan: Sequence[GroundAction], predicate: str, spreads: Mapping[str, Spread]
) -> list[str]:
    """What a condition spreads to from the first action of a plan on."""
    found = [plan[0].objects[spreads[plan[0].name].end]]
    for action in plan[1:]:
        spread = spreads.get(action.name)
        if spread is None or spread.predicate != predicate:
            continue
        if action.objects[spread.start] in found:
            found.append(action.objects[spread.end])
    return found


def rule_of_spread(rule: Rule, spreads: Mapping[str, Spread]) -> Rule:
    """A rule of a suffix whose action may stand for a spread, as a rule for the domain's action."""
    name = rule.action.removeprefix(_SPREADING)
    if name == rule.action or name not in spreads:
        return rule
    return replace(rule, name=name, action=name, arguments=rule.arguments[:-1])
