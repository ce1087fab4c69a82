"""`make campaign`: the kernel against its slow twins and Fast Downward on thousands of problems.

Each problem is of a random domain of its own and comes with a random policy, half of them with
derived predicates, paths and `_`; every tenth time there is an errand besides, every fifth time a
problem of a domain with axioms. Asked of the kernel and of the twins in `oracle`: successors,
h_add, the policy's matches along a walk, A*'s plans and expansions with three heuristics, guided
plans, execution, and what the executor that is never grounded would do as atoms come and go. Every
plan goes to both validators, and a guided solve must end with a plan or a true reason. Of all or a
part of them, Fast Downward is asked whether there is a plan at all.

Each problem depends on the seed and its number only, so that a campaign can be divided among
processes and goes on where it was stopped (`--first`). Prints figures now and then; exit code 1
at the first disagreement, with its number.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from hypothesis import strategies as st
from hypothesis.control import BuildContext
from hypothesis.errors import StopTest
from hypothesis.internal.conjecture.data import ConjectureData

from pg3.pddl import write_domain
from pg3.planning import Heuristic, Limits, PlanStatus
from pg3.planning.hybrid import solve_guided
from pg3.semantics.task import Task
from tests.support.comparisons import (
    assert_same_answers,
    assert_same_execution,
    assert_same_guidance,
    assert_same_matches,
    assert_same_search,
    assert_same_states,
)
from tests.support.errands import ERRANDS
from tests.support.judges import Judges, judged
from tests.support.outsiders import texts
from tests.support.random_problems import (
    AXIOMS,
    DERIVED,
    PAPER,
    changes,
    domains,
    policies,
    problems,
    walks,
)
from tests.support.untyped import untyped

if TYPE_CHECKING:
    from pg3.pddl.model import Atom, Problem
    from pg3.policy.model import DecisionList
    from tests.oracle import semantics

FIGURES = 500  # are printed after so many problems
EXPANSIONS = 40
HEURISTICS: tuple[Heuristic, ...] = ("add", "max", "blind")
REQUIREMENTS = (":strips", ":negative-preconditions", ":equality", ":derived-predicates")
SECONDS = 10

Drawn = TypeVar("Drawn")

# What problems there are: of random domains, of errands, of random domains with axioms.
RANDOM, OF_ERRANDS, WITH_AXIOMS = "", " of errands", " with axioms"


class FastDownward:
    """Whether a plan exists, by Fast Downward's blind search (from PyPI, `up-fast-downward`)."""

    def __init__(self) -> None:
        package = importlib.util.find_spec("up_fast_downward")
        assert package is not None, "up-fast-downward is not installed"
        assert package.origin is not None
        self._bin = Path(package.origin).parent / "downward" / "builds" / "release" / "bin"

    def solvable(self, problem: Problem) -> bool | None:
        """None if it does not know in time."""
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / "domain.pddl", Path(folder) / "problem.pddl"]
            for file, text in zip(files, texts(untyped(problem), REQUIREMENTS), strict=True):
                file.write_text(text)
            environment = os.environ | {"PYTHONPATH": str(self._bin)}
            translator = [sys.executable, "-S", "-m", "fast_downward.translate", *map(str, files)]
            translated = subprocess.run(
                translator, cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            assert translated.returncode == 0, translated.stdout + translated.stderr
            with (Path(folder) / "output.sas").open() as task:
                found = subprocess.run(
                    [self._bin / "downward", "--search", f"astar(blind(),max_time={SECONDS})"],
                    cwd=folder,
                    stdin=task,
                    capture_output=True,
                    text=True,
                    check=False,
                )
        if "Solution found!" in found.stdout:
            return True
        if re.search("no solution|no plan exists|provably unsolvable", found.stdout):
            return False
        assert "Time limit" in found.stdout, found.stdout + found.stderr
        return None


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Questions(NamedTuple):
    """A problem with a policy, states to look at, and atoms that come and go."""

    problem: Problem
    policy: DecisionList
    walk: list[semantics.State]
    changes: list[tuple[Atom, bool]]


@st.composite
def questions(draw: st.DrawFn, kind: str, extended: bool) -> Questions:
    """All that is random about one problem of a kind."""
    if kind == WITH_AXIOMS:
        problem = draw(problems(AXIOMS))
    else:
        problem = draw(problems(domain=ERRANDS if kind == OF_ERRANDS else draw(domains())))
    policy = draw(policies(problem.domain, DERIVED if extended else PAPER))
    return Questions(problem, policy, draw(walks(problem)), draw(changes(problem, 8)))


def drawn(strategy: st.SearchStrategy[Drawn], name: str) -> Drawn:
    """What is drawn for a name, always the same.

    Hypothesis makes new examples from old ones, and its draws depend on all those before: here each
    is made afresh, so that any part of a campaign can be run alone.
    """
    for attempt in range(100):
        data = ConjectureData(random=random.Random(f"{name}, attempt {attempt}"))
        try:
            with BuildContext(data, wrapped_test=drawn):
                return data.draw(strategy)
        except StopTest:
            continue  # it became too large
    raise AssertionError(f"nothing can be drawn for {name}")


class Campaign:
    """The questions, and how often each was asked."""

    def __init__(self, seed: int, every: int, axioms: int = 5) -> None:
        self.counts: Counter[str] = Counter()
        self._seed = seed
        self._every = every
        self._axioms = axioms
        self._fast_downward = FastDownward() if every else None
        self._domains: set[str] = set()
        self._problems: set[str] = set()

    def run(self, number: int) -> None:
        """A problem of a random domain; now and then an errand, with a longer plan, or axioms."""
        # For each kind, how often there is one: of these, every second policy is an extended one.
        often = {RANDOM: 1, OF_ERRANDS: 10, WITH_AXIOMS: self._axioms}
        for kind, every in often.items():
            if every == 0 or number % every:
                continue
            name = f"seed {self._seed}, problem {number}{kind}"
            try:
                ask = drawn(questions(kind, number // every % 2 == 1), name)
                if kind != RANDOM:
                    self.counts[f"problems{kind}"] += 1
                self._ask(ask)
                if self._fast_downward and number % self._every == 0:
                    self._compare(ask.problem, self._fast_downward)
            except BaseException as error:
                error.add_note(f"at {name}")
                raise

    def _ask(self, ask: Questions) -> None:
        """Everything but what Fast Downward is asked."""
        problem, policy = ask.problem, ask.policy
        self.counts["problems"] += 1
        self._domains.add(_fingerprint(write_domain(problem.domain)))
        self._problems.add(_fingerprint("".join(texts(problem, REQUIREMENTS))))
        self.counts["policies with derived predicates"] += bool(policy.definitions)
        task, judges = Task(problem), Judges()
        assert_same_states(task, ask.walk)
        assert_same_matches(task, policy, ask.walk)
        self.counts["states"] += len(ask.walk)
        assert_same_answers(problem, policy, ask.changes)
        self.counts["changes of atoms"] += len(ask.changes)
        for name in HEURISTICS:
            found = assert_same_search(task, name, EXPANSIONS)
            self.counts[f"A* with {name}: {found.status}"] += 1
            if found.plan is not None:
                judges.judge(problem, found.plan)
        guided = assert_same_guidance(task, policy, 50, EXPANSIONS)
        self.counts[f"guided planning: {guided.status}"] += 1
        followed = assert_same_execution(task, policy, 30)
        self.counts[f"policy alone: {followed.status}"] += 1
        solved = solve_guided(task, policy, limits=Limits(expansions=20_000))
        self.counts[f"guided solve: {solved.status}"] += 1
        for one in (guided.plan, followed.plan if followed.solved else None, solved.plan):
            if one is not None:
                judges.judge(problem, one)
        self._solved = solved.status

    def _compare(self, problem: Problem, other: FastDownward) -> None:
        ours = self._solved
        theirs = other.solvable(problem)
        if theirs is None or ours not in (PlanStatus.SOLVED, PlanStatus.UNSOLVABLE):
            self.counts["Fast Downward or ours does not know"] += 1
            return
        assert theirs == (ours is PlanStatus.SOLVED), f"Fast Downward: {theirs}, ours: {ours}"
        self.counts[f"Fast Downward agrees: {ours}"] += 1

    def report(self, seconds: float) -> None:
        """Print how often each question was asked."""
        self.counts["domains, all different"] = len(self._domains)
        self.counts["problems, all different"] = len(self._problems)
        for what, number in sorted((self.counts + judged).items()):
            print(f"{number:9,}  {what}")
        processor = sum(os.times()[:4])
        print(f"{seconds:9,.0f}  seconds, {processor:,.0f} of the processor", flush=True)


def main() -> None:
    """Run what the command line asks for, and print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--problems", type=int, default=10_000)
    options.add_argument("--first", type=int, default=0, metavar="N", help="go on from this one")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument(
        "--fast-downward", type=int, default=1, metavar="N", help="ask it of every Nth; 0: never"
    )
    options.add_argument(
        "--axioms", type=int, default=5, metavar="N", help="axioms besides every Nth; 0: never"
    )
    chosen = options.parse_args()
    campaign = Campaign(chosen.seed, chosen.fast_downward, chosen.axioms)
    start = time.monotonic()
    try:
        for number in range(chosen.first, chosen.first + chosen.problems):
            campaign.run(number)
            if (number + 1) % FIGURES == 0:
                print(f"{chosen.first} to {number}:")
                campaign.report(time.monotonic() - start)
    finally:
        print(f"from {chosen.first}:")
        campaign.report(time.monotonic() - start)
    print("no disagreement")


if __name__ == "__main__":
    main()
