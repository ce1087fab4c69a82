"""`make demo`: learn a policy for the ferry domain, solve large problems, show it at work.

Makes its own problems and runs the real commands, so that each of them can be repeated by hand.
Files go to `--folder`, by default `demo`.
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
DOMAIN = "examples/ferry/domain.pddl"


def main() -> None:
    """Show each command with its output; stop at the first that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("demo"))
    folder: Path = parser.parse_args().folder
    os.chdir(ROOT)
    rng = random.Random(0)
    train, test = folder / "train", folder / "test"
    policy = str(folder / "ferry.policy")

    make_problems(train, 10, cars=(3, 5), locations=(10, 15), rng=rng)
    say("Ten small problems (3-5 cars, 10-15 locations) are enough to learn from.")
    run("learn", DOMAIN, str(train), "-o", policy)

    say("The policy: the first rule that some objects satisfy acts, again and again.")
    run("show", DOMAIN, "--policy", policy)

    make_problems(test, 30, cars=(10, 20), locations=(20, 30), rng=rng)
    say("Thirty large problems (10-20 cars, 20-30 locations) by this policy, without search.")
    run("evaluate", DOMAIN, str(test), "--policy", policy)

    large, plan = str(folder / "large.pddl"), str(folder / "large.plan")
    Path(large).write_text(ferry_problem(200, 100, rng), encoding="utf-8")
    say("A larger one still (200 cars, 100 locations): its plan, checked by a validator.")
    run("solve", DOMAIN, large, "--policy", policy, "-o", plan)
    run("validate", DOMAIN, large, plan)

    page = str(folder / "ferry.html")
    say(f"The policy at work, step by step and with its reasons: open {page} with a browser.")
    run("view", DOMAIN, "examples/ferry/small.pddl", "--policy", policy, "-o", page)

    say("Next: pg3 --help, README.md, docs/index.md")


def make_problems(
    folder: Path,
    number: int,
    *,
    cars: tuple[int, int],
    locations: tuple[int, int],
    rng: random.Random,
) -> None:
    """Write problems p1.pddl, p2.pddl, ... of sizes in these ranges."""
    folder.mkdir(parents=True, exist_ok=True)
    for i in range(1, number + 1):
        problem = ferry_problem(rng.randint(*cars), rng.randint(*locations), rng)
        (folder / f"p{i}.pddl").write_text(problem, encoding="utf-8")


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
