"""Problems of the built-in domains at the scale of the benchmark, and what is carried out on them.

The learned policies in `learned/` are what `pg3 learn DOMAIN TRAINING -o FILE`, with nothing set,
made of the training problems of MOOSE's benchmark, and of those of our own generators where MOOSE
has none. The shape of the problems here is that of MOOSE's test problems, as far as our generators
have it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.scale.cases import Case
from pg3.domains import DOMAINS
from pg3.pddl import write_problem

if TYPE_CHECKING:
    from collections.abc import Callable

LEARNED = Path(__file__).parent / "learned"


def _case(domain: str, policy: Path, sizes: Callable[[int], dict[str, int]]) -> Case:
    def problem(objects: int, seed: int) -> str:
        ranges = {name: (number, number) for name, number in sizes(objects).items()}
        return write_problem(*DOMAINS[domain].problems(seed=seed, count=1, sizes=ranges))

    return Case(DOMAINS[domain].text, problem, policy)


def _learned(domain: str, name: str, sizes: Callable[[int], dict[str, int]]) -> Case:
    return _case(domain, LEARNED / f"{name}.policy", sizes)


def _two_rooms(objects: int, seed: int) -> str:
    """As in MOOSE: all balls are in the robot's room and go to the other one."""
    balls = [f"ball{i}" for i in range(1, objects - 3)]
    there = " ".join(f"(ball {ball}) (at {ball} rooma)" for ball in balls)
    goal = " ".join(f"(at {ball} roomb)" for ball in balls)
    return f"""\
(define (problem gripper-{objects}-{seed})
  (:domain gripper-strips)
  (:objects rooma roomb left right {" ".join(balls)})
  (:init (room rooma) (room roomb) (gripper left) (gripper right) (free left) (free right)
    (at-robby rooma) {there})
  (:goal (and {goal})))
"""


# By name: the case, and the numbers of objects that it is measured with.
LEARNED_CASES: dict[str, tuple[Case, tuple[int, ...]]] = {
    "ferry": (
        _learned("ferry-typed", "ferry", lambda n: {"cars": 6 * n // 10, "locations": 4 * n // 10}),
        (1_000, 20_000),
    ),
    "gripper": (
        Case(DOMAINS["gripper"].text, _two_rooms, LEARNED / "gripper.policy"),
        (1_000, 48_500),
    ),
    "miconic": (
        _learned("miconic-once", "miconic", lambda n: {"passengers": n // 2, "floors": n // 2}),
        (1_000, 1_950),
    ),
    "transport": (
        _learned(
            "transport",
            "transport",
            lambda n: {
                "vehicles": 15 * n // 100,
                "packages": 45 * n // 100,
                "locations": 40 * n // 100,
                "capacity": 2,
            },
        ),
        (1_000, 5_000),
    ),
    "logistics": (
        _learned(
            "logistics",
            "logistics",
            lambda n: {
                "cities": n // 10,
                "locations": 3,
                "airplanes": n // 40,
                "packages": n // 2 - n // 40,
            },
        ),
        (1_260, 5_000),
    ),
    "satellite": (
        _learned(
            "satellite",
            "satellite",
            lambda n: {
                "satellites": 23 * n // 100,
                "instruments": 46 * n // 100,
                "modes": 3,
                "directions": 25 * n // 100,
                "goals": 30 * n // 100,
            },
        ),
        (1_000, 5_000),
    ),
    "rovers": (
        _learned(
            "rovers",
            "rovers",
            lambda n: {
                "rovers": 11 * n // 100,
                "waypoints": 27 * n // 100,
                "cameras": 11 * n // 100,
                "objectives": 27 * n // 100,
                "goals": 75 * n // 100,
            },
        ),
        (1_000, 2_000),
    ),
    "barman": (
        _learned(
            "barman",
            "barman",
            lambda n: {
                "shots": 45 * n // 100,
                "goals": 40 * n // 100,
                "ingredients": 5 * n // 100,
                "cocktails": 40 * n // 100,
            },
        ),
        (1_000, 5_000),
    ),
}

# Learned from the training problems of our own generators, seed 0: derived predicates and paths.
DERIVED_CASES: dict[str, tuple[Case, tuple[int, ...]]] = {
    "blocksworld": (
        _learned("blocksworld", "blocksworld", lambda n: {"blocks": n}),
        (1_000, 10_000),
    ),
    "transport-roads": (
        _learned(
            "transport-roads",
            "transport-roads",
            lambda n: {
                "vehicles": 4,
                "packages": n // 2 - 4,
                "locations": n // 2,
                "capacity": 3,
            },
        ),
        (1_000, 5_000),
    ),
}
