"""Problems that begin where random steps lead."""

from __future__ import annotations

import random

from pg3.domains import DOMAINS
from pg3.learning.robustness.random_starts import random_starts
from pg3.learning.training import Training
from tests.extended.problems import blocksworld


def test_towers_can_be_taken_up_from_anywhere() -> None:
    problems = [blocksworld(size, random.Random(size)) for size in (3, 4)]
    training = Training(problems)
    found = random_starts(training, 0)
    assert len(found) == 100
    assert {frozenset(task.problem.goal) for task in found} == {
        frozenset(problem.goal) for problem in problems
    }
    assert len({frozenset(task.initial_state) for task in found}) > 10
    assert all(plan is not None for plan in Training(found).plans)
    again = random_starts(Training(problems), 0)
    assert [task.problem for task in again] == [task.problem for task in found]


def test_there_are_none_where_steps_cannot_be_undone() -> None:
    training = Training(DOMAINS["floortile"].problems("train", seed=0, count=3))
    assert random_starts(training, 0) == []
