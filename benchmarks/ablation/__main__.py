"""What is lost without each part of the learner, and with each constant halved and doubled.

Each variant learns each domain of some sets in a process of its own under limits; `pg3 evaluate`
then executes the policies on the test problems. A line a variant. FOLDER/results.jsonl has all
facts; what it has of the same code, problems and limits is not measured again, so a run can be
stopped and gone on with.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.ablation.variants import BASELINE, VARIANTS
from benchmarks.generality.cases import REPOSITORY, fingerprint
from benchmarks.generality.store import code, stamp
from benchmarks.learners.measure import Budget, measure
from benchmarks.learners.results import Results
from benchmarks.learners.sets import SETS, problem_set
from benchmarks.learners.tables import row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.generality.store import Result

HEADS = ("variant", "solved completely", "tests solved", "rules", "CPU s", "differs")


def run(given: argparse.Namespace) -> None:
    """Measure what the file of results does not have, and print all."""
    names = [
        name
        for name in VARIANTS
        if any(fnmatchcase(name, pattern) for pattern in given.variants or "*")
    ]
    sets = {name: problem_set(name) for name in given.sets}
    domains = [
        (name, domain)
        for name, chosen in sets.items()
        for domain in chosen.names
        if not given.domains or domain in given.domains
    ]
    unknown = sorted({*given.domains}.difference(domain for _, domain in domains))
    if unknown or not names:
        sys.exit(f"there is no {', '.join(unknown or given.variants)}")
    results = Results(given.output / "results.jsonl")
    budget = Budget(given.cpu, given.megabytes)

    def one(work: tuple[str, tuple[str, str]]) -> Result:
        variant, (chosen, domain) = work
        case = sets[chosen].case(domain, 0, given.output / "problems" / chosen / domain)
        key = {
            "variant": variant,
            "set": chosen,
            "domain": domain,
            "budget": list(budget),
            "code": code(),
            "fingerprint": fingerprint(case.domain, *case.training, *case.testing),
        }
        found = results.find(key)
        if found is None:
            command = (sys.executable, "-m", "benchmarks.ablation.child", variant)
            found = {**key, **stamp(), **measure(case, 0, budget, command=command)}
            results.add(found)
        return found

    print(f"{row(*HEADS)}\n|---|--:|--:|--:|--:|---|", flush=True)
    with ThreadPoolExecutor(given.jobs) as pool:
        found = pool.map(one, product((BASELINE, *names), domains))
        baseline = [*islice(found, len(domains))]
        print(line(BASELINE, baseline, baseline), flush=True)
        for name in names:
            print(line(name, [*islice(found, len(domains))], baseline), flush=True)


def line(name: str, results: Sequence[Result], baseline: Sequence[Result]) -> str:
    """The line of one variant; a domain whose tests solved differ is named, others are counted."""
    pairs = [*zip(baseline, results, strict=True)]
    differs = [
        f"{now['domain']} {was['tests_solved']} → {now['tests_solved']}"
        + (" (no policy)" if now["policy"] is None else "")
        for was, now in pairs
        if was["tests_solved"] != now["tests_solved"]
    ]
    others = sum(
        was["tests_solved"] == now["tests_solved"] and was["policy"] != now["policy"]
        for was, now in pairs
    )
    if others:
        differs.append(f"{others} other {'policy' if others == 1 else 'policies'}")
    return row(
        name,
        f"{sum(r['tests_solved'] == r['tests'] for r in results)}/{len(results)}",
        f"{sum(r['tests_solved'] for r in results)}/{sum(r['tests'] for r in results)}",
        sum(r["rules"] or 0 for r in results),
        f"{sum(r['cpu_seconds'] for r in results):.0f}",
        ", ".join(differs),
    )


def main() -> None:
    """Measure, or list the variants."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.ablation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--list", action="store_true", help="print the names of the variants")
    add("--variants", nargs="+", metavar="NAME", help="some variants: names, or patterns with *")
    add("--sets", nargs="+", choices=SETS, default=["workplace", "built-in"], metavar="SET")
    add("--domains", nargs="+", default=[], metavar="DOMAIN", help="some of the sets' domains")
    add("-o", "--output", type=Path, default=REPOSITORY / "build" / "ablation", metavar="FOLDER")
    add("--cpu", type=int, default=Budget().cpu_seconds, help="seconds to learn (%(default)s)")
    add("--megabytes", type=int, default=Budget().megabytes, help="to learn (%(default)s)")
    add("--jobs", type=int, default=1, help="domains at the same time (%(default)s)")
    given = parser.parse_args()
    if given.list:
        print("\n".join(VARIANTS))
    else:
        run(given)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
