"""Learn the domains of a set and execute their policies: `python -m benchmarks.learners SET`.

For each domain `pg3 learn` in a process of its own under limits, then `pg3 evaluate` on the test
problems. A line a domain, each as soon as it is known; the same facts, the policy and the tests
that failed go to a file of JSON lines. What the file has of the same code, problems, limits and
options is not measured again, so a run can be stopped and gone on with.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.foreign import FOREIGN
from benchmarks.generality.cases import REPOSITORY, fingerprint
from benchmarks.generality.store import code, stamp
from benchmarks.learners.measure import Budget, measure
from benchmarks.learners.results import Results
from benchmarks.learners.sets import SETS, problem_set
from benchmarks.learners.tables import HEADS, comparison, head, line, results_in, summary, table

if TYPE_CHECKING:
    from benchmarks.generality.cases import Case
    from benchmarks.generality.store import Result

RESULTS = REPOSITORY / "build" / "learners"


def _key(given: argparse.Namespace, case: Case, seed: int) -> Result:
    """All that a result depends on."""
    return {
        "set": given.set,
        "domain": case.name.removeprefix(f"{given.set}/"),
        "seed": seed,
        "options": given.option,
        "shuffles": given.shuffles,
        "budget": list(_budget(given)),
        "code": code(),
        "fingerprint": fingerprint(case.domain, *case.training, *case.testing),
    }


def _budget(given: argparse.Namespace) -> Budget:
    return Budget(given.cpu, given.megabytes, given.problem_seconds)


def run(given: argparse.Namespace) -> None:
    """Measure what the file of results does not have, and print all."""
    try:
        chosen = problem_set(given.set)
    except ImportError as error:
        sys.exit(f"{given.set}: {error}")
    if not chosen.names:
        sys.exit(f"{given.set}: there are no files in {FOREIGN}")
    for name in given.domains:
        if name not in chosen.names:
            sys.exit(f"{given.set} has no {name}, only {', '.join(chosen.names)}")
    results = Results(given.output or RESULTS / f"{given.set}.jsonl")
    options = [part for text in given.option for part in _option(text)]

    def one(work: tuple[str, int]) -> Result:
        name, seed = work
        folder = RESULTS / "problems" / given.set / f"{name}-{seed}"
        case = chosen.case(name, seed, folder)
        key = _key(given, case, seed)
        found = results.find(key)
        if found is None:
            learning_seed = 0 if chosen.generated else seed
            measured = measure(case, learning_seed, _budget(given), options, given.shuffles)
            found = {**key, **stamp(), **measured}
            results.add(found)
        print(line(found), flush=True)
        return found

    work = [
        (n, seed) for n in given.domains or chosen.names for seed in given.seeds or chosen.seeds
    ]
    print("\n".join(head(HEADS)), flush=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        print(f"\n{summary([*pool.map(one, work)])}")


def _option(text: str) -> list[str]:
    """`as-printed` and `score=pg3` as `pg3 learn` takes them."""
    name, equals, value = text.partition("=")
    return [f"--{name}", value] if equals else [f"--{name}"]


def _seeds(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    """Measure, or print the tables of what was measured."""
    budget = Budget()
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.learners",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("set", nargs="?", choices=SETS, metavar="SET", help=f"one of {', '.join(SETS)}")
    add("domains", nargs="*", metavar="DOMAIN", help="some of its domains; by default all")
    add("-o", "--output", type=Path, metavar="FILE", help="results (build/learners/SET.jsonl)")
    add(
        "--seeds", type=_seeds, help="0, or 0-9; of the problems, or of learning if there are files"
    )
    add("--cpu", type=int, default=budget.cpu_seconds, help="seconds to learn (%(default)s)")
    add("--megabytes", type=int, default=budget.megabytes, help="to learn (%(default)s)")
    add(
        "--problem-seconds",
        type=int,
        default=budget.problem_seconds,
        help="of a policy on one problem (%(default)s)",
    )
    add("--shuffles", type=int, default=0, help="orders of the objects to test as well")
    add("--option", action="append", default=[], help="of pg3 learn: as-printed, or score=pg3")
    add("--jobs", type=int, default=1, help="domains at the same time (%(default)s)")
    add("--table", type=Path, metavar="FILE", help="print the table of results, of SET if given")
    add("--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="print two side by side")
    given = parser.parse_args()
    if given.table:
        print("\n".join(table(results_in(given.table, given.set))))
    elif given.compare:
        print("\n".join(comparison(*(results_in(path, given.set) for path in given.compare))))
    elif given.set:
        run(given)
    else:
        parser.error(f"SET is missing: {', '.join(SETS)}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
