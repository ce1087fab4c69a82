"""Hashes of what pg3 learns and plans: `python -m benchmarks.behaviour [--only TEXT...]`.

Two versions of pg3 that print the same lines behave the same. Everything goes through the command
line, so the script runs unchanged on both. A line an answer:

- the policy that `learn` writes for each set of training problems: the six domains of the paper at
  seeds 0 to 4 with both presets, every built-in split at seed 0, and, if they are at hand, MOOSE's;
- the plans of `solve` on the first training and test problems of each set, and on the former those
  of `plan` and `solve --guided`. A policy that has lost its first half guides a search as well, so
  that the search has something to do.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.foreign import MOOSE_PROBLEMS
from pg3.domains import DOMAINS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PAPER = ("delivery", "forest", "gripper", "miconic", "ferry", "spanner")
EXPANSIONS = "2000"
"""A search may end without a plan: that is an answer, too, and the same on every machine."""


class Case(NamedTuple):
    """Training problems, the preset to learn with, and problems to plan on."""

    name: str
    domain: Path
    train: Path
    preset: str
    problems: Sequence[Path]


def cases(folder: Path, only: Sequence[str]) -> Iterator[Case]:
    """The sets of problems that have one of the texts; the built-in ones are made in `folder`."""
    for name in DOMAINS:
        for seed in range(5) if name in PAPER else [0]:
            if not any(text in f"{name}/{seed}" for text in only):
                continue
            train, test = (_split(folder, name, part, seed) for part in ("train", "test"))
            problems = [*sorted(train.glob("p*.pddl"))[:2], *sorted(test.glob("p*.pddl"))[:2]]
            for preset in ("robust", "paper") if name in PAPER else ["robust"]:
                yield Case(f"{name}/{seed}", train / "domain.pddl", train, preset, problems)
    for root in sorted(MOOSE_PROBLEMS.glob("*")):
        if not any(text in f"moose-{root.name}" for text in only):
            continue
        train, test = root / "training", root / "testing"
        problems = [*sorted(train.glob("*.pddl"))[:2], *sorted(test.glob("*.pddl"))[:2]]
        yield Case(f"moose-{root.name}", root / "domain.pddl", train, "robust", problems)


def answers(case: Case, folder: Path) -> Iterator[tuple[str, str]]:
    """What was asked, and the hash of the answer."""
    policy = folder / f"{case.name.replace('/', '-')}-{case.preset}.policy"
    learned = _pg3("learn", case.domain, case.train, "--preset", case.preset, "-o", policy)
    yield "learn", _hash(str(learned.returncode), policy.read_text())
    if case.preset == "paper":
        return
    half = policy.with_suffix(".half")
    _drop_first_half(case.domain, policy, half)
    for number, problem in enumerate(case.problems):
        steps = ("--max-steps", "5000")
        solve = _pg3("solve", case.domain, problem, "--policy", policy, *steps)
        yield f"solve {number}", _hash(str(solve.returncode), solve.stdout)
        if problem.parent == case.train:
            plan = _pg3("plan", case.domain, problem, "--max-expansions", EXPANSIONS)
            yield f"plan {number}", _hash(str(plan.returncode), plan.stdout)
            for file in (policy, half):
                guided = _pg3("solve", case.domain, problem, "--policy", file, *steps, "--guided")
                yield (
                    f"guided {file.suffix[1:]} {number}",
                    _hash(str(guided.returncode), guided.stdout),
                )


def _split(folder: Path, name: str, part: str, seed: int) -> Path:
    target = folder / f"{name}-{part}-{seed}"
    _pg3("generate", name, "--split", part, "--seed", str(seed), "-o", target)
    return target


def _drop_first_half(domain: Path, policy: Path, target: Path) -> None:
    """The policy without the first half of its rules, in JSON, whose shape is documented."""
    shown = json.loads(_pg3("export", domain, "-p", policy, "--to", "json").stdout)
    shown["rules"] = shown["rules"][len(shown["rules"]) // 2 :]
    target.write_text(json.dumps(shown))


def _pg3(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pg3", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _hash(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def main() -> None:
    """Print a line an answer."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument(
        "--only", nargs="+", default=[""], help="sets of problems whose name has one of these texts"
    )
    parser.add_argument("--jobs", type=int, default=2, help="sets to work on at once")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(options.jobs) as pool:
        folder = Path(name)
        chosen = [*cases(folder, options.only)]
        for case, found in zip(
            chosen, pool.map(lambda case: [*answers(case, folder)], chosen), strict=True
        ):
            for asked, answer in found:
                print(f"{case.name} {case.preset} {asked}: {answer}", flush=True)


if __name__ == "__main__":
    main()
