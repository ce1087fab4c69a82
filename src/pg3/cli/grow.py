"""`generate --like`: larger problems grown from the user's own."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pg3.cli.app import NO, note
from pg3.cli.problem_folder import DOMAIN_FILE, objects_text, write_problems
from pg3.errors import Pg3Error, pluralize
from pg3.learning.robustness.growing import Grower
from pg3.pddl import parse_domain, read_problem, write_problem
from pg3.pddl.given import problem_files
from pg3.pddl.lexer import read_source
from pg3.planning.solvability import Solvability, find_out
from pg3.policy import read_policy

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from pg3.pddl import Problem
    from pg3.policy import DecisionList

# Candidates that are tried for each problem.
_TRIES = 10

# A mistake ("--scale 5000000") must not fill the memory.
_MOST_OBJECTS = 1_000_000

_UNSOLVABLE = "unsolvable"
_UNKNOWN = "not solved within the limits of the check"
_COPY = "a copy of another"
_NOT_GROWN = "not larger"


def grow(
    words: Sequence[str],
    like: Sequence[str],
    *,
    times: float,
    number: int,
    seed: int,
    policy_path: str | None,
    unchecked: bool,
    output: str | None,
    force: bool,
) -> None:
    """Write grown problems, and say how many were made and what was rejected.

    The first of the words is the domain; further ones are problems, as those after --like. Exit
    code 1 if there are fewer problems than were asked for.
    """
    for word in words:
        if word.startswith("-") and word != "-":
            raise Pg3Error(f"there is no option {word} where problems are grown (--like)")
    domain_path, *more = words
    if output is None and number > 1:
        raise Pg3Error(f"{pluralize(number, 'problem')} need a folder: -o FOLDER")
    if not times > 1:
        raise Pg3Error(f"--scale: must be more than 1, not {times:g}")
    files = problem_files([*like, *more])
    domain_source = read_source(domain_path)
    domain = parse_domain(domain_source.data, domain_source.name)
    problems = [read_problem(file, domain) for file in files]
    policy = None if policy_path is None else read_policy(policy_path, domain)
    if (most := times * max(len(problem.objects) for problem in problems)) > _MOST_OBJECTS:
        raise Pg3Error(f"--scale: {most:.0f} objects are too many: at most {_MOST_OBJECTS}")

    making = _Making(problems, times, seed, policy, unchecked=unchecked)
    if output is None:
        for problem in making.problems(1):
            print(write_problem(problem), end="")
            sizes = [len(problem.objects)]
            break
        else:
            sizes = []
    else:
        text = Path(domain_path).read_text(encoding="utf-8")
        sizes = write_problems(
            text,
            making.problems(number),
            Path(output),
            number=number,
            label="growing problems",
            force=force,
        )
        if sizes:
            given = objects_text([len(problem.objects) for problem in problems])
            checked = ", not checked for solutions" if unchecked else ""
            note(
                f"{pluralize(len(sizes), 'problem')} of {objects_text(sizes)}, grown from "
                f"{pluralize(len(problems), 'problem')} of {given}{checked}, and {DOMAIN_FILE} "
                f"are in {output}"
            )
    making.report()
    if len(sizes) < number:
        note(f"{number - len(sizes)} of {pluralize(number, 'problem')} could not be made")
        raise typer.Exit(NO)


class _Making:
    """Makes problems, and counts the candidates and why some are rejected."""

    def __init__(
        self,
        given: Sequence[Problem],
        times: float,
        seed: int,
        policy: DecisionList | None,
        *,
        unchecked: bool,
    ) -> None:
        self._given = given
        self._grower = Grower(given)
        self._times = times
        self._seed = seed
        self._policy = policy
        self._unchecked = unchecked
        self._candidates = 0
        self._rejected: Counter[str] = Counter()

    def problems(self, number: int) -> Iterator[Problem]:
        """At most so many problems, made from the given ones in turn."""
        seen: set[Hashable] = {problem.content for problem in self._given}
        for place in range(number):
            source = self._given[place % len(self._given)]
            for turn in range(_TRIES):
                # Each has a seed of its own: the first are the same however many are made.
                generator = random.Random(f"pg3/grow/{self._seed}/{place}/{turn}")
                problem = self._grower.grow(source, generator, times=self._times)
                self._candidates += 1
                reason = _NOT_GROWN if problem is None else self._fault(problem, seen)
                if problem is not None and reason is None:
                    seen.add(problem.content)
                    yield problem.replace(name=f"{source.name}-grown-{place + 1}")
                    break
                self._rejected[str(reason)] += 1

    def _fault(self, problem: Problem, seen: set[Hashable]) -> str | None:
        """Why a problem is rejected; None if it is not."""
        if problem.content in seen:
            return _COPY
        if self._unchecked:
            return None
        found = find_out(problem, self._policy)
        if found is Solvability.SOLVABLE:
            return None
        return _UNSOLVABLE if found is Solvability.UNSOLVABLE else _UNKNOWN

    def report(self) -> None:
        """Say how many candidates were rejected and why."""
        if not self._rejected:
            return
        reasons = ", ".join(f"{count} {reason}" for reason, count in self._rejected.items())
        candidates = pluralize(self._candidates, "candidate")
        note(f"rejected {self._rejected.total()} of {candidates}: {reasons}")
        if self._rejected[_UNKNOWN]:
            note("a policy (--policy) may solve what search does not; --unchecked writes all")
