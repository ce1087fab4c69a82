"""Random starts: training problems that begin where a random walk ends.

A few small problems do not show every state that a policy meets in larger ones. Where actions can
be undone (blocks unstacked, vehicles sent back), the end of a random walk is as good a start as any
other. Where many walks end in states without a plan, random starts are no fair test: a policy need
not leave a dead end that it does not enter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from pg3 import _native
    from pg3.learning.robustness.perturbations.permutations import RandomSource
    from pg3.pddl.model import Atom, Problem


def random_walk(
    space: _native.StateSpace, steps: int, generator: RandomSource, start: int | None = None
) -> int:
    """The state after so many random actions, fewer in a dead end; from the initial state on."""
    return states_of_walk(space, steps, generator, start)[-1]


def states_of_walk(
    space: _native.StateSpace, steps: int, generator: RandomSource, start: int | None = None
) -> list[int]:
    """The states that a random walk visits, the first one included."""
    states = [space.initial if start is None else start]
    for _ in range(steps):
        # Not all successors: there may be very many, and the space keeps every state.
        actions = memoryview(space.applicable(states[-1])).cast("i")
        if not actions:
            break
        states.append(space.apply(states[-1], generator.choice(actions)))
    return states


def started_from(problem: Problem, state: Collection[Atom]) -> Problem:
    """The problem with another initial state, its atoms in an order that is always the same."""
    kept = [atom for atom in problem.init if atom in state]
    return problem.replace(init=[*kept, *sorted(set(state).difference(kept))])
