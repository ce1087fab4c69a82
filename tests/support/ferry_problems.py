"""Small Ferry problems, for tests that learn; the example domain and its policy."""

from __future__ import annotations

import random

from pg3.pddl import read_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy import read_policy
from tests.conftest import REPOSITORY

FERRY = read_domain(REPOSITORY / "examples" / "ferry" / "domain.pddl")
POLICY = read_policy(REPOSITORY / "examples" / "policies" / "ferry.policy", FERRY)


def ferry_problem(
    start: dict[str, str],
    goal: dict[str, str],
    places: int,
    name: str = "ferry",
    more_goals: tuple[Literal, ...] = (),
) -> Problem:
    """Cars at places, to be brought to other places; the ferry is at l0."""
    locations = [f"l{i}" for i in range(places)]
    init = [
        *(Atom("location", (place,)) for place in locations),
        *(Atom("car", (car,)) for car in start),
        *(Atom("not-eq", (a, b)) for a in locations for b in locations if a != b),
        *(Atom("at", (car, place)) for car, place in start.items()),
        Atom("at-ferry", ("l0",)),
        Atom("empty-ferry", ()),
    ]
    return Problem.of(
        name,
        FERRY,
        [TypedObject(one, "object") for one in (*locations, *start)],
        init,
        [*(Literal(Atom("at", (car, place))) for car, place in goal.items()), *more_goals],
    )


def small_ferry_problems(number: int, seed: int = 0) -> list[Problem]:
    """Problems of two or three cars, none where it should be, and four or five places."""
    generator = random.Random(seed)
    problems = []
    for i in range(number):
        places = generator.randint(4, 5)
        cars = [f"c{k}" for k in range(generator.randint(2, 3))]
        start = {car: f"l{generator.randrange(places)}" for car in cars}
        goal = {
            car: f"l{(int(at[1:]) + generator.randrange(1, places)) % places}"
            for car, at in start.items()
        }
        problems.append(ferry_problem(start, goal, places, f"ferry-{i}"))
    return problems
