"""A* with h_add on training problems: pg3 against pymimir and pyperplan, in one run.

The measure is expanded states a second of search. Reading and grounding are not counted for
anybody, and every repetition starts from nothing: no state, successor or value is known. pymimir
runs its grounded successor generator, its own A* and its own h_add, all native, with its own
count of expansions; its eager A* is the one that, like ours, evaluates every generated state.
"""

from __future__ import annotations

import contextlib
import dataclasses
import statistics
import tempfile
import time
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.native_output import native_output_hidden
from pg3 import Task, plan, read_domain, read_problem
from pg3.pddl import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.pddl import Problem

PAPER = Path(__file__).parents[2] / "shared" / "problems" / "paper"
DOMAINS = ("ferry", "gripper", "spanner", "miconic")

# What the project promises, as medians over the problems.
WANTED_OVER_PYMIMIR = 3
WANTED_OVER_PYPERPLAN = 100

# A search of a training problem takes a millisecond: repeat until the clock can be trusted.
ENOUGH_SECONDS = 0.2
# pyperplan needs minutes for some of them; its rate is steady long before.
PYPERPLAN_SECONDS = 1.0


class Effort(NamedTuple):
    """Expansions and the seconds they took, over all repetitions."""

    expansions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Expansions a second."""
        return self.expansions / self.seconds


class Row(NamedTuple):
    """The rates on one problem."""

    domain: str
    problem: str
    ours: float
    pymimir: float
    pymimir_lazy: float
    pyperplan: float

    @property
    def over_pymimir(self) -> float:
        """How many times pymimir's rate ours is."""
        return self.ours / self.pymimir

    @property
    def over_pyperplan(self) -> float:
        """How many times pyperplan's rate ours is."""
        return self.ours / self.pyperplan


def run() -> None:
    """Print the rates and ratios for each problem, and their medians."""
    print("A* with h_add, expansions a second of search (training problems, seed 0)")
    if not PAPER.is_dir():
        print("  not run: the shared problems are not beside the repository")
        return
    print(
        f"  {'':20}{'pg3':>10}{'pymimir':>10}{'(lazy)':>10}{'pyperplan':>10}"
        f"{'/pymimir':>11}{'/pyperplan':>11}"
    )
    rows = []
    for domain in DOMAINS:
        for path in sorted((PAPER / domain / "train" / "seed0").glob("*.pddl")):
            row = _measure(domain, path)
            rows.append(row)
            print(
                f"  {domain:8} {row.problem:10} {row.ours:10,.0f}{row.pymimir:10,.0f}"
                f"{row.pymimir_lazy:10,.0f}{row.pyperplan:10,.0f}"
                f"{row.over_pymimir:10.1f}x{row.over_pyperplan:10.0f}x",
                flush=True,
            )
    for domain in DOMAINS:
        _print_medians(domain, [row for row in rows if row.domain == domain])
    _print_medians("all", rows)
    print(f"  wanted: {WANTED_OVER_PYMIMIR}x pymimir, {WANTED_OVER_PYPERPLAN}x pyperplan")


def _print_medians(name: str, rows: list[Row]) -> None:
    over_pymimir = statistics.median(row.over_pymimir for row in rows)
    over_lazy = statistics.median(row.ours / row.pymimir_lazy for row in rows)
    over_pyperplan = statistics.median(row.over_pyperplan for row in rows)
    print(
        f"  median, {name:8} {over_pymimir:7.1f}x pymimir {over_lazy:7.1f}x its lazy A*"
        f" {over_pyperplan:7.0f}x pyperplan"
    )


def _measure(domain_name: str, path: Path) -> Row:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the authors' Miconic files lack a parenthesis
        problem = read_problem(path, read_domain(PAPER / domain_name / "domain.pddl"))
    with tempfile.TemporaryDirectory() as folder:
        domain_file, problem_file = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        # Some of the authors' files use types without saying so, which pymimir does not forgive.
        strict = dataclasses.replace(problem.domain, requirements=(":strips", ":typing"))
        domain_file.write_text(write_domain(strict))
        problem_file.write_text(write_problem(problem))
        return Row(
            domain_name,
            path.stem,
            _repeat(lambda: _ours(problem)).rate,
            _repeat(_pymimir(domain_file, problem_file, eager=True)).rate,
            _repeat(_pymimir(domain_file, problem_file, eager=False)).rate,
            _pyperplan(domain_file, problem_file).rate,
        )


def _repeat(search: Callable[[], Effort]) -> Effort:
    expansions, seconds = 0, 0.0
    while seconds < ENOUGH_SECONDS:
        effort = search()
        expansions += effort.expansions
        seconds += effort.seconds
    return Effort(expansions, seconds)


def _ours(problem: Problem) -> Effort:
    task = Task(problem)
    assert task.ground() is None
    start = time.perf_counter()
    outcome = plan(task)
    seconds = time.perf_counter() - start
    assert outcome.solved
    return Effort(outcome.expansions, seconds)


def _pymimir(domain_file: Path, problem_file: Path, *, eager: bool) -> Callable[[], Effort]:
    from pymimir.advanced import formalism, search  # noqa: PLC0415

    options_class: Any = search.AStarEagerOptions if eager else search.AStarLazyOptions
    handler_class: Any = (
        search.DefaultAStarEagerEventHandler if eager else search.DefaultAStarLazyEventHandler
    )
    find: Any = search.find_solution_astar_eager if eager else search.find_solution_astar_lazy
    problem = formalism.Problem.create(domain_file, problem_file, formalism.ParserOptions())
    grounded = search.SearchContextOptions(search.GroundedOptions())

    def once() -> Effort:
        with native_output_hidden():
            context = search.SearchContext.create(problem, grounded)
            heuristic = search.AddHeuristic.create(search.LiftedGrounder(problem))
            options = options_class()
            options.event_handler = handler_class(problem)
            start = time.perf_counter()
            result = find(context, heuristic, options)
            seconds = time.perf_counter() - start
        assert result.status == search.SearchStatus.SOLVED
        return Effort(options.event_handler.get_statistics().get_num_expanded(), seconds)

    return once


class _EnoughError(Exception):
    """Raised inside pyperplan's search when it has been watched for long enough."""


def _pyperplan(domain_file: Path, problem_file: Path) -> Effort:
    from pyperplan import planner  # noqa: PLC0415
    from pyperplan.heuristics.relaxation import hAddHeuristic  # noqa: PLC0415
    from pyperplan.search import astar_search  # noqa: PLC0415

    task: Any = planner._ground(planner._parse(str(domain_file), str(problem_file)))
    successors = task.get_successor_states
    expansions, seconds = 0, 0.0
    start = 0.0

    def counted(state: Any) -> Any:
        nonlocal expansions
        if seconds + time.perf_counter() - start > PYPERPLAN_SECONDS:
            raise _EnoughError
        expansions += 1
        return successors(state)

    task.get_successor_states = counted
    with contextlib.suppress(_EnoughError):
        while seconds < ENOUGH_SECONDS:
            heuristic = hAddHeuristic(task)
            start = time.perf_counter()
            try:
                astar_search(task, heuristic)
            finally:
                seconds += time.perf_counter() - start
    return Effort(expansions, seconds)
