"""Plans of learned policies before and after `--improve`, next to LAMA's best plan.

On the problems of docs/results/generality.md for which LAMA's best plan after 60 seconds is known:
one a domain. The work is limited, not the time, so that every machine prints the same but the
processor times. With `--prefer short-plans` the policies are learned with that option. MOOSE's
problems are left out where its files are missing (benchmarks/foreign.py).
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from benchmarks.foreign import MOOSE_PROBLEMS
from pg3 import Limits, execute, learn, read_domain, read_problem
from pg3.domains import DOMAINS
from pg3.learning.config import Preference
from pg3.planning import improve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl import Domain, Problem

LAMA = Path(__file__).parents[1] / "docs" / "results" / "generality-lama.jsonl"


def references() -> dict[str, int]:
    """The steps of LAMA's best plans, by problem: "miconic-once-p15"."""
    lines = map(json.loads, LAMA.read_text(encoding="utf-8").splitlines())
    return {line["name"]: line["steps"] for line in lines if line["part"] == "best"}


def case(name: str, number: str) -> tuple[Domain, Sequence[Problem], Problem] | None:
    """The domain, its training problems and the problem; None if the files are missing."""
    if not name.startswith("moose-"):
        builtin = DOMAINS[name]
        test = builtin.problems("test", seed=0)
        return builtin.domain, builtin.problems("train", seed=0), test[int(number) - 1]
    folder = MOOSE_PROBLEMS / name.removeprefix("moose-")
    if not folder.is_dir():
        return None
    domain = read_domain(folder / "domain.pddl")
    train = [read_problem(path, domain) for path in sorted((folder / "training").glob("*.pddl"))]
    return domain, train, read_problem(folder / "testing" / f"p{number}.pddl", domain)


def main() -> None:
    """Print a line for each problem."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("domains", nargs="*", help="some of the domains; all if none is named")
    parser.add_argument("--expansions", type=int, default=300_000)
    parser.add_argument("--prefer", choices=get_args(Preference), default="short-policy")
    chosen = parser.parse_args()
    print(f"{'problem':<26}{'policy':>8}{'improved':>10}{'LAMA':>6}{'ratio':>7}{'CPU s':>7}")
    ratios, before = [], []
    for key, best in sorted(references().items()):
        name, _, number = key.rpartition("-p")
        found = case(name, number) if name in chosen.domains or not chosen.domains else None
        if found is None or best is None:
            continue
        domain, train, problem = found
        plan = execute(problem, learn(domain, train, prefer=chosen.prefer).policy).plan
        start = time.process_time()
        better = improve(problem, plan, limits=Limits(expansions=chosen.expansions))
        used = time.process_time() - start
        ratios.append(better.validation.steps / best)
        before.append(len(plan) / best)
        print(
            f"{key:<26}{len(plan):>8}{better.validation.steps:>10}{best:>6}"
            f"{ratios[-1]:>7.2f}{used:>7.1f}",
            flush=True,
        )
    if ratios:
        mean = sum(ratios) / len(ratios)
        print(f"mean ratio {mean:.3f} of {len(ratios)}, at most {max(ratios):.2f}")
        mean = sum(before) / len(before)
        print(f"of the policies' own plans {mean:.3f}, at most {max(before):.2f}")


if __name__ == "__main__":
    main()
