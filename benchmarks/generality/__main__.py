"""The comparison of docs/results/generality.md: `python -m benchmarks.generality`.

For each domain: `pg3 learn` with its defaults in a process of its own on one core; the policy on
all test problems, also with their objects shuffled; a hand-written policy on the same; LAMA on a
part of them. Each result is one file under build/generality and is not made twice, so the work can
be stopped, gone on with and made in parts. The page is assembled from what is there.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.foreign import MOOSE_PROBLEMS
from benchmarks.generality.cases import (
    BUILT_IN,
    REPOSITORY,
    built_in_case,
    fingerprint,
    moose_cases,
    spread,
)
from benchmarks.generality.lama import Lama
from benchmarks.generality.measure import learn, sizes, solve
from benchmarks.generality.page import assemble
from benchmarks.generality.store import Result, Store, code
from benchmarks.generality.tables import Findings, learning_table, length_table, size_table
from pg3 import read_domain, read_policy

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.generality.cases import Case

PARTS = ("learn", "solve", "hand", "lama", "best")
RESULTS = REPOSITORY / "build" / "generality"
# LAMA's answers, which do not depend on the code here.
KEPT = REPOSITORY / "docs" / "results" / "generality-lama.jsonl"


class Work:
    """The parts of the work on one case, each result made or taken from the store."""

    def __init__(self, store: Store, chosen: argparse.Namespace) -> None:
        self._store = store
        self._chosen = chosen

    def learn(self, case: Case) -> None:
        """Learn a policy."""
        key = {"code": code(), "problems": fingerprint(case.domain, *case.training)}
        seed = self._chosen.seed
        self._make(
            "learn",
            case.label,
            key | {"seed": seed},
            lambda: {**learn(case, seed), "objects": sizes(case)},
        )

    def solve(self, case: Case) -> None:
        """Try the learned policy."""
        learned = self._store.get("learn", case.label)
        if learned is None or learned["policy"] is None:
            return
        policy = learned["policy"]
        key = {"code": code(), "problems": fingerprint(case.domain, *case.testing, *case.grown)}
        self._make(
            "solve",
            case.label,
            key | {"policy": policy},
            lambda: solve(case, policy, further=True),
        )

    def hand(self, case: Case) -> None:
        """Try the hand-written policy."""
        if case.by_hand is None:
            return
        text = case.by_hand.read_text(encoding="utf-8")
        rules = len(read_policy(case.by_hand, read_domain(case.domain)).rules)
        key = {"code": code(), "problems": fingerprint(case.domain, *case.testing, case.by_hand)}
        self._make(
            "hand", case.label, key, lambda: {"rules": rules, **solve(case, text, further=False)}
        )

    def lama(self, case: Case) -> None:
        """Ask LAMA for its first plan."""
        self._ask(case, "lama", len(case.testing) if self._chosen.all else self._chosen.sample)

    def best(self, case: Case) -> None:
        """Ask LAMA for its best plan."""
        self._ask(case, "best", self._chosen.best_sample)

    def _ask(self, case: Case, part: str, number: int) -> None:
        for path in reversed(spread(case.testing, number) if number else []):
            self._make(
                part,
                f"{case.label}-{path.stem}",
                self.question(case, path),
                partial(self._answer, part, case.domain, path),
            )

    def _answer(self, part: str, domain: Path, path: Path) -> Result:
        return Lama(self._chosen.seconds, first=part == "lama").solve(domain, path)

    def question(self, case: Case, path: Path) -> Result:
        """All that LAMA's answer depends on."""
        return {"problem": fingerprint(case.domain, path), "seconds": self._chosen.seconds}

    def _make(self, part: str, name: str, key: Result, find: Callable[[], Result]) -> None:
        if not self._chosen.again and self._store.has(part, name, key):
            return
        print(f"{part} {name} ...", end=" ", file=sys.stderr, flush=True)
        print(_short(self._store.make(part, name, key, find)), file=sys.stderr, flush=True)

    def findings(self, case: Case) -> Findings:
        """What is known of a case; LAMA's answers only of the problems as they are now."""
        plans: dict[str, dict[str, Result]] = {"lama": {}, "best": {}}
        for part, answers in plans.items():
            for path in case.testing:
                answer = self._store.get(part, f"{case.label}-{path.stem}")
                if answer is not None and answer["key"] == self.question(case, path):
                    answers[path.stem] = answer
        learned, tried, by_hand = (
            self._store.get(part, case.label) for part in ("learn", "solve", "hand")
        )
        if tried is not None and (learned is None or tried["key"]["policy"] != learned["policy"]):
            tried = None
        return Findings(
            case, read_domain(case.domain), learned, tried, by_hand, plans["lama"], plans["best"]
        )


def _short(result: Result) -> str:
    """One result in a few words."""
    if "trials" in result:
        failed = ", ".join(str(len(some)) for some in result["shuffled"])
        solved = sum(trial[2] for trial in result["trials"])
        grown = f", larger {sum(t[2] for t in result['grown'])}/{len(result['grown'])}"
        return (
            f"{solved}/{len(result['trials'])}"
            + (f", shuffled -{failed}" if failed else "")
            + (grown if result["grown"] else "")
        )
    if "said" in result:
        return f"{result['cpu_seconds']} s, {result['megabytes']} MB, {result['said']}"
    return f"{result['steps']} steps, {result['cpu_seconds']} s"


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.generality",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("domains", nargs="*", help="names such as blocksworld or moose/ferry; all by default")
    add("--parts", default=",".join(PARTS), help="some of %(default)s")
    add("--again", action="store_true", help="make results anew that are there already")
    add("--sample", type=int, default=6, help="problems a domain for LAMA (%(default)s)")
    add("--all", action="store_true", help="all problems for LAMA")
    add("--best-sample", type=int, default=1, help="for LAMA's best plan (%(default)s)")
    add("--seconds", type=int, default=60, help="CPU time of LAMA a problem (%(default)s)")
    add("--page", type=Path, help="put the tables into this page, and keep LAMA's answers")
    add("--results", type=Path, default=RESULTS, help="folder of the results")
    add("--moose", type=Path, default=MOOSE_PROBLEMS, help="folder of MOOSE's files, if any")
    add("--larger", type=Path, help="more test problems of theirs: FOLDER/DOMAIN/*.pddl")
    add("--every", type=int, default=1, help="learn from one problem in so many")
    add("--seed", type=int, default=0, help="of learning")
    add("--split-seed", type=int, default=0, help="of our own problems")
    return parser.parse_args()


def main() -> None:
    """Do the work that is asked for, print the tables, put them into the page."""
    chosen = _parse()
    parts = chosen.parts.split(",")
    if not set(parts) <= set(PARTS):
        sys.exit(f"--parts: some of {', '.join(PARTS)}")
    if not chosen.moose.is_dir():
        print("without MOOSE's files, which --moose FOLDER brings in", file=sys.stderr)
    theirs = moose_cases(chosen.moose, chosen.larger, chosen.every)
    known = [*(case.name for case in theirs), *BUILT_IN]
    for name in chosen.domains:
        if name not in known:
            sys.exit(f"there is no {name}: {', '.join(known)}")
    wanted = chosen.domains if chosen.domains and not chosen.page else known
    folder = chosen.results / "problems"
    everything = [
        *(case for case in theirs if case.name in wanted),
        *(
            built_in_case(name, folder, chosen.split_seed, chosen.every)
            for name in BUILT_IN
            if name in wanted
        ),
    ]
    cases = [case for case in everything if not chosen.domains or case.name in chosen.domains]
    store = Store(chosen.results, KEPT)
    work = Work(store, chosen)
    # By part, so that what is quick is there for all domains before LAMA begins.
    for part in parts:
        for case in cases:
            getattr(work, part)(case)
    found = [work.findings(case) for case in cases]
    for table in (learning_table(found), size_table(found), length_table(found)):
        print("\n".join(table), end="\n\n")
    if chosen.page:
        found = [work.findings(case) for case in everything]
        assemble(chosen.page, found)
        store.keep(
            [
                answer
                for findings in found
                for answers in (findings.first_plans, findings.best_plans)
                for answer in answers.values()
            ]
        )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped; the same command goes on from here")
