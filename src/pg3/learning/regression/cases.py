"""Conditional effects in regression: an action with those of its effects that a plan has used.

An action whose conditional effects provide what the goal or a later action needs becomes an action
of its own: with the conditions of these effects among its preconditions, their variables among its
parameters, and their effects among its effects. Its rules do the action itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.pddl.model import Action, Literal, Parameter
from pg3.pddl.plans import GroundAction
from pg3.semantics.effects import Case, Effects

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl.model import Atom, Domain
    from pg3.semantics.task import Task

# Stands between the name of an action and the numbers of its effects; names have no spaces.
_WHEN = " when "


def base_name(name: str) -> str:
    """The name of the action itself."""
    return name.partition(_WHEN)[0]


def with_effects(action: Action, numbers: Sequence[int]) -> Action:
    """The action with some of its conditional effects, by their numbers, which may come again."""
    parameters, precondition = list(action.parameters), list(action.precondition)
    effects = list(action.effects)
    for place, number in enumerate(numbers):
        effect = action.conditional[number]
        binding = {v.name: f"{v.name}-{place}" for v in effect.variables}
        parameters += [Parameter(binding[v.name], v.types) for v in effect.variables]
        own = effect.substitute(binding)
        precondition += own.conditions
        effects += own.effects
    return Action(
        f"{action.name}{_WHEN}{','.join(map(str, numbers))}",
        tuple(parameters),
        tuple(dict.fromkeys(precondition)),
        tuple(dict.fromkeys(effects)),
        action.cost,
    )


def used_effects(
    task: Task, goal: Atom, plan: Sequence[tuple[int, GroundAction]]
) -> list[tuple[GroundAction, tuple[int, ...]]]:
    """The actions of a plan for a goal, each with the objects and numbers of the effects used.

    The plan has with each action the state before it.
    """
    effects = Effects(task.problem)
    wanted = {Literal(goal)}
    found: list[tuple[GroundAction, tuple[int, ...]]] = []
    for state, action in reversed(plan):
        always, *conditional = effects.cases(action, task.atoms(state))
        provided, used = set(always.effects), list[Case]()
        for case in conditional:
            if not wanted.isdisjoint(set(case.effects) - provided):
                used.append(case)
                provided.update(case.effects)
        objects = tuple(name for case in used for name in case.objects)
        whole = GroundAction(action.name, (*action.objects, *objects))
        found.append((whole, tuple(case.number for case in used)))
        if not wanted.isdisjoint(provided):
            schema = task.domain.action(action.name).ground(action.objects)
            wanted = wanted.difference(provided).union(schema.precondition)
            wanted.update(*(case.conditions for case in used))
    return found[::-1]


def has_conditional_effects(domain: Domain) -> bool:
    """Whether an action has any."""
    return any(action.conditional for action in domain.actions)
