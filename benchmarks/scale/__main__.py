"""Growth of the time of a step: `python -m benchmarks.scale`, or `make bench-scale`.

Carries out hand-written policies on generated problems of 1,000, 10,000 and 100,000 objects, each
in a process of its own, and on the two smaller ones also with pymimir's lifted machinery. Then
learned policies on larger problems than those that they were learned from. Prints the tables of
docs/results/scale.md; with --plot also writes its picture.
"""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from pathlib import Path

from benchmarks.scale.built_in import DERIVED_CASES, LEARNED_CASES
from benchmarks.scale.cases import CASES, EFFECT_CASES, MOOSE_CASES, Case
from benchmarks.scale.measure import PYMIMIR_STEPS, RivalRun, Run, in_own_process
from benchmarks.scale.plot import write_plot

SIZES = (1_000, 10_000, 100_000)
FOREST_SIZES = (32 * 32, 100 * 100, 300 * 300)
# The largest problems that MOOSE's authors report.
MOOSE_SIZES = {"gripper": 48_500, "miconic": 1_950, "logistics": 1_260}
RIVAL_LIMIT = 10_000
SEED = 1

# What the project promises.
FLAT = ("ferry", "gripper", "miconic", "delivery")
WANTED_GROWTH = 3
WANTED_LONGEST = 50_000
WANTED_FERRY_SECONDS = 30
WANTED_FERRY_MEGABYTES = 2000
WANTED_OVER_PYMIMIR = 10_000

HEADER = (
    "| domain | objects | steps | load, s | prepare, s | median, µs | 99 %, µs | longest, µs |"
    " peak, MB | to validated plan, s |"
)
RULER = "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"

Runs = dict[str, dict[int, Run]]
RivalRuns = dict[str, dict[int, RivalRun]]


def run(names: list[str], largest: int, with_rival: bool, plot: Path | None) -> None:
    """Measure, print as it comes, then say which promises are kept."""
    print(f"Policies carried out step by step, seed {SEED}, one core ({platform.machine()})")
    print()
    print(f"{HEADER} growth |")
    print(f"{RULER}--:|")
    runs: Runs = {name: {} for name in names}
    rivals: RivalRuns = {name: {} for name in names}
    for name in names:
        for size in FOREST_SIZES if name == "forest" else SIZES:
            if size > largest * 1.1:
                continue
            ours, theirs = _measure(CASES[name], size, with_rival and size < RIVAL_LIMIT * 1.1)
            runs[name][size] = ours
            if theirs is not None:
                rivals[name][size] = theirs
            growth = ours.median / next(iter(runs[name].values())).median
            print(f"{_row(name, ours)} {growth:.1f}x |", flush=True)
    if with_rival:
        print()
        _print_rivals(runs, rivals)
    print()
    learned = [*run_effects(largest), *run_learned()] if list(CASES) == names else []
    for line in [*_promises(runs, rivals), *learned]:
        print(line)
    if plot is not None:
        write_plot(
            plot,
            {n: [(run.objects, run.median) for run in by.values()] for n, by in runs.items()},
            {n: [(size, run.median) for size, run in by.items()] for n, by in rivals.items()},
        )


def _measure(case: Case, size: int, with_rival: bool) -> tuple[Run, RivalRun | None]:
    with tempfile.TemporaryDirectory() as folder:
        domain, problem = Path(folder, "domain.pddl"), Path(folder, "problem.pddl")
        domain.write_text(case.domain)
        problem.write_text(case.problem(size, SEED))
        ours = Run(**json.loads(in_own_process("pg3", domain, problem, case.policy)))
        if not with_rival:
            return ours, None
        theirs = in_own_process("pymimir", domain, problem, case.policy)
        return ours, RivalRun(**json.loads(theirs))


def run_moose() -> None:
    """Print what the policies for MOOSE's domains take on the largest sizes that it reports."""
    print(HEADER)
    print(RULER)
    for name, size in MOOSE_SIZES.items():
        ours, _ = _measure(MOOSE_CASES[name], size, with_rival=False)
        print(_row(name, ours), flush=True)


def run_effects(largest: int) -> list[str]:
    """Print what numbers and conditional effects take; a line for each: kept or missed."""
    print("Policies with numbers (fleet) and conditional effects (carriers):")
    print()
    print(f"{HEADER} growth |")
    print(f"{RULER}--:|")
    lines = []
    for name, case in EFFECT_CASES.items():
        runs = []
        for size in SIZES:
            if size <= largest:
                runs.append(_measure(case, size, False)[0])
                growth = runs[-1].median / runs[0].median
                print(f"{_row(name, runs[-1])} {growth:.1f}x |", flush=True)
        good = growth <= WANTED_GROWTH and all(run.status == "solved" for run in runs)
        lines.append(_judged(good, f"{name}: growth of a step {growth:.1f}x"))
    print()
    return lines


def run_learned() -> list[str]:
    """Print what learned policies take; a line for each of the two tables: kept or missed."""
    lines = []
    for title, cases in (
        ("Learned policies for MOOSE's domains", LEARNED_CASES),
        ("Learned policies with derived predicates and paths", DERIVED_CASES),
    ):
        print(f"{title}:")
        print()
        print(f"{HEADER} processor a step, µs |")
        print(f"{RULER}--:|")
        good = True
        for name, (case, sizes) in cases.items():
            for size in sizes:
                ours, _ = _measure(case, size, with_rival=False)
                good &= ours.status == "solved" and ours.valid
                print(f"{_row(name, ours)} {ours.mean:.1f} |", flush=True)
        print()
        lines.append(_judged(good, f"{title}: all solved, every step validated"))
    return lines


def _row(name: str, run: Run) -> str:
    if run.status != "solved":
        total = run.status
    elif not run.valid:
        total = "plan not valid"
    else:
        total = f"{run.total:.1f}"
    return (
        f"| {name} | {run.objects:,} | {run.steps:,} | {run.load:.2f} | {run.prepare:.2f} |"
        f" {run.median:.2f} | {run.percentile_99:.1f} | {run.longest:,.0f} |"
        f" {run.megabytes:,.0f} | {total} |"
    )


def _print_rivals(runs: Runs, rivals: RivalRuns) -> None:
    print(f"The same policies in pymimir 0.13.63, the first {PYMIMIR_STEPS} steps:")
    print()
    print("| domain | objects | steps | median, ms | peak, MB | pg3, its first steps | pg3, all |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for name, by_size in rivals.items():
        for size, theirs in by_size.items():
            ours = runs[name][size]
            print(
                f"| {name} | {ours.objects:,} | {theirs.steps} | {theirs.median / 1e3:.2f} |"
                f" {theirs.megabytes:,.0f} | {theirs.median / ours.opening:,.0f}x faster |"
                f" {theirs.median / ours.median:,.0f}x faster |"
            )


def _promises(runs: Runs, rivals: RivalRuns) -> list[str]:
    """A line for each promise that this run can judge: kept or missed, and by how much."""
    lines = []
    for name, by_size in runs.items():
        if not by_size:
            continue
        smallest, largest = min(by_size), max(by_size)
        growth = by_size[largest].median / by_size[smallest].median
        if name in FLAT and largest > smallest:
            text = f"{name}: median step {growth:.1f} times that of the smallest problem"
            lines.append(_judged(growth <= WANTED_GROWTH, f"{text} (wanted: {WANTED_GROWTH})"))
        longest = max(run.longest for run in by_size.values()) / 1e3
        text = f"{name}: longest step {longest:.2f} ms (wanted: {WANTED_LONGEST // 1000})"
        lines.append(_judged(longest * 1e3 <= WANTED_LONGEST, text))
        solved = all(run.status == "solved" and run.valid for run in by_size.values())
        lines.append(_judged(solved, f"{name}: all solved, every step validated"))
        if name == "ferry":
            ferry = by_size[largest]
            good = ferry.total < WANTED_FERRY_SECONDS and ferry.megabytes < WANTED_FERRY_MEGABYTES
            text = f"ferry: file to validated plan {ferry.total:.1f} s, {ferry.megabytes:.0f} MB"
            wanted = f"(wanted: {WANTED_FERRY_SECONDS} s, {WANTED_FERRY_MEGABYTES} MB)"
            lines.append(_judged(good, f"{text} {wanted}"))
        if rivals[name] and max(rivals[name]) * 1.1 > RIVAL_LIMIT:
            size = max(rivals[name])
            slowest = max(by_size[size].median, by_size[size].opening)
            faster = rivals[name][size].median / slowest
            text = f"{name}: {faster:,.0f} times faster a step than pymimir at {size:,} objects"
            wanted = f"(wanted: {WANTED_OVER_PYMIMIR:,})"
            lines.append(_judged(faster >= WANTED_OVER_PYMIMIR, f"{text} {wanted}"))
    return lines


def _judged(good: bool, text: str) -> str:
    return f"{'kept  ' if good else 'MISSED'}  {text}"


def main() -> None:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description=__doc__)
    parser.add_argument("domains", nargs="*", metavar="DOMAIN", help=f"of {', '.join(CASES)}")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="leave larger problems out")
    parser.add_argument("--no-pymimir", action="store_true", help="leave pymimir out")
    parser.add_argument("--moose", action="store_true", help="MOOSE's domains at its own sizes")
    parser.add_argument("--learned", action="store_true", help="learned policies only")
    parser.add_argument("--effects", action="store_true", help="numbers and conditional effects")
    parser.add_argument("--plot", type=Path, help="an SVG file to write the picture to")
    options = parser.parse_args()
    unknown = [name for name in options.domains if name not in CASES]
    if unknown:
        parser.error(f"no such domain: {', '.join(unknown)}")
    if options.moose:
        run_moose()
        return
    if options.learned:
        print("\n".join(run_learned()))
        return
    if options.effects:
        print("\n".join(run_effects(options.largest)))
        return
    run(options.domains or list(CASES), options.largest, not options.no_pymimir, options.plot)


if __name__ == "__main__":
    main()
