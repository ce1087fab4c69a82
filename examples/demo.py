"""`make demo`: a policy for the ferry domain, on a small problem and on a large one.

Runs the real commands, so that each of them can be repeated by hand. Files that it makes go to
`--folder`, by default `demo`.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CARS = 200
LOCATIONS = 100


def main() -> None:
    """Show each command with its output; stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("demo"))
    folder: Path = parser.parse_args().folder
    os.chdir(ROOT)
    folder.mkdir(exist_ok=True)
    domain, policy = "examples/ferry/domain.pddl", "examples/policies/ferry.policy"

    say("A policy for Ferry: the first rule that some objects satisfy acts, again and again.")
    run("show", policy, "--domain", domain)

    small, plan = "examples/ferry/small.pddl", folder / "small.plan"
    say("A plan for a small problem (3 cars, 3 locations), found by search.")
    run("plan", domain, small, "-o", str(plan))
    print(plan.read_text(encoding="utf-8"), end="")
    run("validate", domain, small, str(plan))

    large, plan = folder / "large.pddl", folder / "large.plan"
    large.write_text(ferry_problem(CARS, LOCATIONS, random.Random(0)), encoding="utf-8")
    say(f"A plan for a large problem ({CARS} cars, {LOCATIONS} locations), by the policy alone.")
    run("solve", domain, str(large), "--policy", policy, "-o", str(plan))
    run("validate", domain, str(large), str(plan))

    say("Next: pg3 --help, README.md, docs/index.md")


def ferry_problem(cars: int, locations: int, rng: random.Random) -> str:
    """A Ferry problem with every car at a random place and to be brought to another."""
    places = [f"l{i}" for i in range(locations)]
    start = {f"c{i}": rng.choice(places) for i in range(cars)}
    goal = {car: rng.choice([p for p in places if p != at]) for car, at in start.items()}
    init = [
        *(f"(location {place})" for place in places),
        *(f"(car {car})" for car in start),
        *(f"(not-eq {a} {b})" for a in places for b in places if a != b),
        *(f"(at {car} {place})" for car, place in start.items()),
        f"(at-ferry {rng.choice(places)})",
        "(empty-ferry)",
    ]
    indent = "\n    "
    return (
        f"(define (problem ferry-{cars}-{locations})\n  (:domain ferry)\n"
        f"  (:objects {' '.join([*places, *start])})\n"
        f"  (:init{indent}{indent.join(init)})\n"
        f"  (:goal (and{indent}{indent.join(f'(at {c} {p})' for c, p in goal.items())})))\n"
    )


def say(text: str) -> None:
    """A headline."""
    print(f"\n{styled(text, '1')}", flush=True)


def run(*arguments: str) -> None:
    """Show a pg3 command and run it; the demo ends if it fails."""
    print(styled(f"\n$ pg3 {shlex.join(arguments)}", "36"), flush=True)
    code = subprocess.run([sys.executable, "-m", "pg3", *arguments], check=False).returncode
    if code != 0:
        sys.exit(code)


def styled(text: str, code: str) -> str:
    """The text in a terminal's style, or as it is where the output is no terminal."""
    return f"\033[{code}m{text}\033[0m" if sys.stdout.isatty() else text


if __name__ == "__main__":
    main()
