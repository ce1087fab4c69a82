"""A* with h_add: pg3 against pymimir, pyperplan and Fast Downward, in one run.

The problems are those of our own generators for the paper's six domains: the training problems,
whose search takes a millisecond, and larger ones, whose search takes up to half a second.

The measure is expanded states a second of search, of processor time. Reading, translating and
grounding are not counted for anybody, and every repetition starts from nothing: no state, successor
or value is known. pymimir runs its grounded successor generator, its own A* and its own h_add, all
native, with its own count of expansions; its eager A* is the one that, like ours, evaluates every
generated state. So does Fast Downward's `astar(add())`, a process of its own: its expansions and
its search time are what it reports.
"""

from __future__ import annotations

import contextlib
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.fast_downward import FastDownward
from benchmarks.native_output import native_output_hidden
from pg3 import Task, plan
from pg3.domains import PAPER_DOMAINS
from pg3.pddl import write_domain, write_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pg3.pddl import Problem

# Three training problems of each seed.
SEEDS, TRAINING = (0, 1), 3
# Three larger ones a domain, of the test split or of these sizes: all planners solve them.
LARGER = 3
SIZES = {
    "delivery": {"locations": (10, 12), "requests": (5, 6), "extra": (0, 0)},
    "forest": {"height": (25, 30), "width": (25, 30)},
    "miconic": {"buildings": (2, 2), "floors": (12, 16), "passengers": (3, 5)},
    "spanner": {"spanners": (6, 7), "nuts": (6, 6), "locations": (6, 8)},
}
# It has negative preconditions, which pyperplan cannot read.
NOT_FOR_PYPERPLAN = "forest"

# What the project promises, as medians over the problems.
WANTED_OVER_PYMIMIR = 3
WANTED_OVER_PYPERPLAN = 100

# A search of a training problem takes a millisecond: repeat until the clock can be trusted. What is
# not counted takes longer, so not for ever.
ENOUGH_SECONDS, ENOUGH_SEARCHES = 0.2, 10
# pyperplan needs minutes for some of them; its rate is steady long before.
PYPERPLAN_SECONDS = 1.0
# Fast Downward's clock, of processor time too, has microseconds; its start takes longer.
FAST_DOWNWARD_RUNS = 3

RIVALS = ("pymimir", "pymimir, lazy", "Fast Downward", "pyperplan")


class Effort(NamedTuple):
    """Expansions and the seconds they took, over all repetitions."""

    expansions: int
    seconds: float

    @property
    def rate(self) -> float:
        """Expansions a second."""
        return self.expansions / self.seconds


class Row(NamedTuple):
    """Expansions a second on one problem; rivals that cannot read it are not there."""

    group: str
    domain: str
    problem: str
    ours: float
    theirs: dict[str, float]


def problems() -> Iterator[tuple[str, str, Problem]]:
    """The group, the domain and the problem."""
    for name, source in PAPER_DOMAINS.items():
        for seed in SEEDS:
            for problem in source.problems("train", seed=seed, count=TRAINING):
                yield "training", name, problem
    for name, source in PAPER_DOMAINS.items():
        for problem in source.problems("test", seed=0, count=LARGER, sizes=SIZES.get(name)):
            yield "larger", name, problem


def run() -> None:
    """Print the rates for each problem, and the medians of the ratios."""
    print("A* with h_add, expansions a second of search (problems of pg3's own generators)")
    print(f"  {'':21}{'pg3':>10}", *(f"{rival:>13}" for rival in RIVALS))
    rows = []
    for group, domain, problem in problems():
        row = _measure(group, domain, problem)
        rows.append(row)
        rates = (
            f"{row.theirs[rival]:13,.0f}" if rival in row.theirs else f"{'-':>13}"
            for rival in RIVALS
        )
        print(f"  {row.problem:21}{row.ours:10,.0f}", *rates, flush=True)
    print(f"  {'median of pg3 / theirs':31}", *(f"{rival:>13}" for rival in RIVALS))
    for group in ("training", "larger"):
        some = [row for row in rows if row.group == group]
        for domain in PAPER_DOMAINS:
            _print_medians(f"{group}, {domain}", [row for row in some if row.domain == domain])
        _print_medians(f"{group}, all {len(some)}", some)
    _print_medians(f"all {len(rows)}", rows)
    print(f"  wanted: {WANTED_OVER_PYMIMIR}x pymimir, {WANTED_OVER_PYPERPLAN}x pyperplan")


def _print_medians(name: str, rows: list[Row]) -> None:
    cells = []
    for rival in RIVALS:
        ratios = [row.ours / row.theirs[rival] for row in rows if rival in row.theirs]
        cells.append(f"{statistics.median(ratios):12.1f}x" if ratios else f"{'-':>13}")
    print(f"  {name:31}", *cells)


def _measure(group: str, domain: str, problem: Problem) -> Row:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        domain_file, problem_file = folder / "domain.pddl", folder / "problem.pddl"
        domain_file.write_text(write_domain(problem.domain))
        problem_file.write_text(write_problem(problem))
        ours = _repeat(lambda: _ours(problem)).rate
        theirs = {
            "pymimir": _repeat(_pymimir(domain_file, problem_file, eager=True)).rate,
            "pymimir, lazy": _repeat(_pymimir(domain_file, problem_file, eager=False)).rate,
            "Fast Downward": _fast_downward(domain_file, problem_file, folder).rate,
        }
        if domain != NOT_FOR_PYPERPLAN:
            theirs["pyperplan"] = _pyperplan(domain_file, problem_file).rate
    return Row(group, domain, problem.name, ours, theirs)


def _fast_downward(domain_file: Path, problem_file: Path, folder: Path) -> Effort:
    planner = FastDownward(domain_file, problem_file, folder)
    runs = [planner.search() for _ in range(FAST_DOWNWARD_RUNS)]
    return Effort(sum(expansions for expansions, _ in runs), sum(seconds for _, seconds in runs))


def _repeat(search: Callable[[], Effort]) -> Effort:
    expansions, seconds = 0, 0.0
    for _ in range(ENOUGH_SEARCHES):
        effort = search()
        expansions += effort.expansions
        seconds += effort.seconds
        if seconds > ENOUGH_SECONDS:
            break
    return Effort(expansions, seconds)


def _ours(problem: Problem) -> Effort:
    task = Task(problem)
    assert task.ground() is None
    start = time.process_time()
    outcome = plan(task)
    seconds = time.process_time() - start
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
            start = time.process_time()
            result = find(context, heuristic, options)
            seconds = time.process_time() - start
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
        if seconds + time.process_time() - start > PYPERPLAN_SECONDS:
            raise _EnoughError
        expansions += 1
        return successors(state)

    task.get_successor_states = counted
    with contextlib.suppress(_EnoughError):
        while seconds < ENOUGH_SECONDS:
            heuristic = hAddHeuristic(task)
            start = time.process_time()
            try:
                astar_search(task, heuristic)
            finally:
                seconds += time.process_time() - start
    return Effort(expansions, seconds)
