"""Problems that begin somewhere else: where random steps lead in a training problem.

A few small problems do not show every state that a policy will meet in larger ones. Where steps can
be undone, as towers can be rebuilt and vehicles sent back, what random walks lead to is as good a
problem as any other. Where many of them lead to where nothing helps any more, what is left is no
fair test either: no policy need know its way out of a mess that it does not make.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from pg3.learning.training import random_walk, shuffled
from pg3.pddl.model import Literal, Problem

if TYPE_CHECKING:
    from pg3.learning.training import Training
    from pg3.semantics.task import Task

# About so many problems in all, after walks of these lengths.
_DETOURS = 100
_LENGTHS = (2, 5, 10, 20, 50)

# If a planner does not find its way from one in so many, there are none.
_HOPELESS = 10


def detours(training: Training, seed: int) -> list[Task]:
    """Such problems, made of all training problems alike, with their objects shuffled, or none."""
    generator = random.Random(seed)
    found: list[Task] = []
    hopeless = 0
    for _ in range(max(1, _DETOURS // len(training))):
        for place, task in enumerate(training.tasks):
            training.budget.check()
            state = random_walk(task.space, generator.choice(_LENGTHS), generator)
            if training.is_solvable(place, state):
                found.append(training.task(shuffled(_from(task, state), generator)))
            else:
                hopeless += 1
                if hopeless * _HOPELESS > _DETOURS:
                    return []
    return found


def _from(task: Task, state: int) -> Problem:
    """The problem with another initial state."""
    problem = task.problem
    return Problem.of(
        problem.name,
        problem.domain,
        problem.objects,
        task.atoms(state),
        [
            *(Literal(atom) for atom in problem.goal),
            *(Literal(atom, False) for atom in problem.negative_goal),
        ],
        function_values=problem.function_values,
    )
