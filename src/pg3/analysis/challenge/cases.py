"""Problems to try a policy on: generated, permuted, and with starts that actions lead to."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING

from pg3.analysis.challenge.trial import MEGABYTES, Trial
from pg3.domains.chance import Chance
from pg3.errors import Pg3Error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pg3.domains import BuiltInDomain, Range
    from pg3.pddl import Atom, Problem
    from pg3.pddl.plans import GroundAction
    from pg3.semantics.task import Task

# How a case came about, as messages have it. The last two start from a state that the problem's
# author may not have had in mind.
AS_IT_IS = "as it is"
PERMUTED = "with its objects permuted"
WALKED = "after random actions"
ON_THE_WAY = "after a part of the policy's way and random actions"
KINDS = (AS_IT_IS, PERMUTED, WALKED, ON_THE_WAY)

# Sizes grow from the least to those of the test split in so many steps, with so many problems each.
_LEVELS = 12
_AT_EACH_LEVEL = 5

# Random actions before a start: few, for what goes wrong is mostly near the usual ways.
_LONGEST_WALK = 20
_DEVIATION = 3


@dataclass(frozen=True, slots=True)
class Case:
    """A problem to try, the name of the one that it was made of, and how."""

    problem: Problem
    origin: str
    kind: str


def generated_cases(
    domain: BuiltInDomain, trial: Trial, *, seed: int, walks: bool = True
) -> Iterator[Case]:
    """Cases of a built-in domain without end, small ones first; see `given_cases`."""
    for number, problem in enumerate(_growing(domain, seed)):
        yield from _variations(problem, trial, f"{seed}/{number}", walks)


def given_cases(
    problems: Sequence[Problem], trial: Trial, *, seed: int, walks: bool = True
) -> Iterator[Case]:
    """Cases made of given problems: each as it is, then variations of all in turn, without end.

    Without `walks` every case starts as its problem does.
    """
    for problem in problems:
        yield Case(problem, problem.name, AS_IT_IS)
    for turn in count() if problems else ():
        for number, problem in enumerate(problems):
            yield from islice(
                _variations(problem, trial, f"{seed}/{turn}/{number}", walks), 1, None
            )


def _growing(domain: BuiltInDomain, seed: int) -> Iterator[Problem]:
    """Problems from the least sizes to those of the test split, and on with these for ever."""
    for level in count():
        sizes = {}
        for size in domain.sizes:
            top = max(split.sizes[size.name][1] for split in domain.splits.values())
            sizes[size.name] = _range(size.least, top, min(level, _LEVELS))
        try:
            yield from islice(domain.stream("test", seed=seed + level, sizes=sizes), _AT_EACH_LEVEL)
        except Pg3Error:
            # Impossible sizes, or no further problem of them. The largest are as a split has them.
            if level > _LEVELS:
                raise


def _range(least: int, top: int, level: int) -> Range:
    high = least + -(-(top - least) * level**2 // _LEVELS**2)
    return max(least, high // 2), high


def _variations(problem: Problem, trial: Trial, seed: str, walks: bool) -> Iterator[Case]:
    """The problem as it is, permuted, and where asked for with other starts.

    A start that solves the problem already is no case; neither is one that no file can state, nor
    one of a problem that is too large to be grounded.
    """
    chance = Chance(f"pg3/challenge/{seed}")
    yield Case(problem, problem.name, AS_IT_IS)
    permuted = permute(problem, chance)
    yield Case(permuted, problem.name, PERMUTED)
    if not walks:
        return
    task = trial.task(permuted)
    if task.ground(megabytes=MEGABYTES) is not None:
        return
    start = _walk(task, task.space.initial, chance.between(1, _LONGEST_WALK), chance)
    if _is_start(task, start):
        yield Case(start_from(permuted, task.atoms(start)), problem.name, WALKED)
    way = states_on(task, trial.execute(task).plan)
    if len(way) > 1:
        start = _walk(task, chance.choose(way), chance.between(1, _DEVIATION), chance)
        if _is_start(task, start):
            yield Case(start_from(permuted, task.atoms(start)), problem.name, ON_THE_WAY)


def _is_start(task: Task, state: int) -> bool:
    return not task.space.is_goal(state) and can_be_stated(task, state)


def permute(problem: Problem, chance: Chance) -> Problem:
    """The same problem with its objects in another order, and names exchanged among like objects.

    A policy takes the first objects that satisfy a rule, so the order matters; names must not.
    Objects are alike in type and in what is always said of them alone: a car has no room's name.
    """
    order = chance.sample(problem.objects, len(problem.objects))
    sorts = {o.name: [o.type] for o in order}
    for predicate, terms in problem.init:
        if len(terms) == 1 and predicate not in problem.domain.fluents and terms[0] in sorts:
            sorts[terms[0]].append(predicate)
    groups: dict[tuple[str, ...], list[str]] = {}
    for name, sort in sorts.items():
        groups.setdefault(tuple(sorted(sort)), []).append(name)
    name_of: dict[str, str] = {}
    for names in groups.values():
        name_of |= zip(names, chance.sample(names, len(names)), strict=True)
    return problem.replace(
        objects=[o._replace(name=name_of[o.name]) for o in order],
        init=[atom.substitute(name_of) for atom in problem.init],
        goal=[goal.substitute(name_of) for goal in problem.goal_literals],
        function_values={
            atom.substitute(name_of): value for atom, value in problem.function_values.items()
        },
    )


def start_from(problem: Problem, state: Collection[Atom]) -> Problem:
    """The problem with another initial state, its atoms in an order that is always the same."""
    kept = [atom for atom in problem.init if atom in state]
    return problem.replace(init=[*kept, *sorted(set(state).difference(kept))])


def can_be_stated(task: Task, state: int) -> bool:
    """Whether a problem file may have the state as its :init.

    An action of wider types than a predicate's can make true what no file may say.
    """
    types = {o.name: o.type for o in task.problem.all_objects}
    return all(task.domain.accepts(atom, types, types) for atom in task.atoms(state))


def states_on(task: Task, plan: Sequence[GroundAction]) -> list[int]:
    """The states that a plan leads through, the first one included, as numbers of the kernel."""
    states = [task.space.initial]
    for action in plan:
        states.append(task.space.apply(states[-1], task.action_number(action)))
    return states


def _walk(task: Task, state: int, steps: int, chance: Chance) -> int:
    for _ in range(steps):
        successors = task.space.successors(state)
        if not successors:
            break
        _, state = chance.choose(successors)
    return state
