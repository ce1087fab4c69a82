"""What `pg3 learn` reports: how far the policy can be trusted, and the result on each problem."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pg3
from pg3.analysis.evaluation import ERROR, evaluate_policy
from pg3.cli.app import BAD_INPUT, NO, note
from pg3.cli.learning.display import effort_of
from pg3.cli.output.progress import progress
from pg3.errors import Pg3Error, pluralize, printable
from pg3.learning.policy_search import StopReason
from pg3.learning.result import Status
from pg3.pddl import read_problem, write_problem
from pg3.policy import DecisionList, check_policy, write_policy
from pg3.storage.files import is_regular, same_file, write_atomically

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pg3.analysis.evaluation import EvaluationLine
    from pg3.analysis.prove.proving import ProofResult
    from pg3.learning.result import LearningResult, TrainingProblem
    from pg3.pddl import Domain, Problem

FORMAT = "pg3-learning-result"
VERSION = 1

# Of more problems than this only those get a line that were not solved, and so many of these.
_FEW, _MOST_LINES = 10, 20


def check_held_out(paths: Sequence[str], domain: Domain, training: Sequence[Problem]) -> None:
    """Read held-out problems before hours of work: Pg3Error if one has a fault.

    They are read again when they are needed, so that they take no memory while learning.
    """
    known = {problem.content for problem in training} if paths else set()
    for path in paths:
        if read_problem(path, domain).content in known:
            note(f"warning: {path}: is among the training problems, too")


def held_out_results(
    paths: Sequence[str], domain: Domain, policy: DecisionList, jobs: int
) -> list[EvaluationLine]:
    """What the policy does on held-out problems."""
    with progress("testing", len(paths)) as advance:
        lines = []
        for line in evaluate_policy(domain, paths, policy, jobs=jobs):
            lines.append(line)
            advance()
    return lines


def write_counterexample(
    result: LearningResult, output: str | None, inputs: Collection[str | Path]
) -> str | None:
    """Write the smallest problem that the policy is known to fail beside the policy's file.

    The file's name, POLICY.counterexample.pddl, with a number if that is an input of the command:
    of one who learns again from a counterexample. None if there is nothing to write, or no file
    to write it beside.
    """
    if result.failure is None or output is None or not is_regular(output):
        return None
    number, path = 1, Path(output).with_suffix(".counterexample.pddl")
    while any(same_file(path, other) for other in (output, *inputs)):
        number += 1
        path = Path(output).with_suffix(f".counterexample-{number}.pddl")
    write_atomically(path, write_problem(result.failure))
    return str(path)


@dataclass(frozen=True, slots=True)
class LearningReport:
    """A result with all that was found out of it.

    `domain_path` and `paths` are the domain and the training problems as the user named them,
    `output` and `counterexample` the files that were written. `start` is the policy that was
    repaired. `tests` are the outcomes of held-out problems, None if there are none; `proof` is what
    `--prove` came to, `certificate` its file.
    """

    result: LearningResult
    domain: Domain
    domain_path: str
    paths: Sequence[str]
    output: str | None
    counterexample: str | None
    tests: Sequence[EvaluationLine] | None
    start: DecisionList | None = None
    proof: ProofResult | None = None
    certificate: str | None = None

    @property
    def code(self) -> int:
        """The exit code of the command."""
        tests = self.tests or ()
        if any(line.status == ERROR for line in tests):
            return BAD_INPUT
        trusted = self.result.status is Status.PASSED and all(line.solved for line in tests)
        trusted = trusted and (self.proof is None or self.proof.proved)
        return 0 if trusted else NO

    def say(self) -> None:
        """Tell the user."""
        result = self.result
        problems = list(zip(self.paths, result.problems, strict=True))
        if len(problems) > _FEW:
            problems = [one for one in problems if one[1].left_out or one[1].steps is None]
        for path, problem in problems[:_MOST_LINES]:
            note(f"{printable(path)}: {_outcome(problem)}")
        if len(problems) > _MOST_LINES:
            note(f"and {len(problems) - _MOST_LINES} more; --json FILE has them all")
        if not result.used:
            note(f"{result.summary}; {effort_of(result)}")
            return
        unsolved = [path for path, one in problems if not one.left_out and one.steps is None]
        # Counterexamples that were learned from are no files.
        unsolved = [path for path in unsolved if Path(path).is_file()]
        if unsolved and self.output is not None:
            # The first given is as good an example as any.
            files = (self.domain_path, unsolved[0], "--policy", self.output)
            words = " ".join(shlex.quote(printable(word)) for word in files)
            note(f"where it stops, and why: pg3 explain {words}")
        where = "" if self.output is None else f"; the policy is in {self.output}"
        note(f"{result.summary}{self._smallest_failure}{where}")
        if self.start is not None:
            note(_repair(self.start, result.policy))
        self._say_tests()
        if self.proof is not None:
            where = "" if self.certificate is None else f" The certificate is {self.certificate}"
            note(f"{self.proof.claim}{where}")
        # What fails a held-out problem is not to be called perfect in anything.
        perfect = result.reason == StopReason.PERFECT
        reason = "no failure found in training" if perfect and self.code else result.reason
        note(f"stopped: {reason} ({result.method}){self._learned_from}; {effort_of(result)}")

    @property
    def _smallest_failure(self) -> str:
        smallest = self.result.failure
        if smallest is None or self.result.status is Status.FAILED:
            return ""
        if self.counterexample is not None:
            return f"; smallest failure: {self.counterexample}"
        objects = pluralize(len(smallest.all_objects), "object")
        return f"; the smallest failure has {objects} (-o POLICY or --json FILE writes it)"

    @property
    def _learned_from(self) -> str:
        used = self.result.used
        learned_from = sum(problem.learned_from for problem in used)
        if learned_from == len(used):
            return ""
        return f"; learned from {learned_from} of {pluralize(len(used), 'problem')}"

    def _say_tests(self) -> None:
        if self.tests is None:
            return
        failed = [line for line in self.tests if not line.solved]
        for line in failed[:_MOST_LINES]:
            note(f"{printable(line.path)}: not solved: {line.reason or line.status}")
        if len(failed) > _MOST_LINES:
            note(f"and {len(failed) - _MOST_LINES} more; --json FILE has them all")
        number = len(self.tests)
        note(f"solves {number - len(failed)} of {pluralize(number, 'held-out problem')}")

    def to_json(self) -> str:
        """All of it as a JSON object, for programs."""
        result, grown = self.result, self.result.grown
        smallest = None
        if result.failure is not None:
            text = write_problem(result.failure)
            smallest = {"path": self.counterexample, "pddl": text}
        value = {
            "format": FORMAT,
            "version": VERSION,
            "pg3": pg3.__version__,
            "status": result.status,
            "summary": result.summary,
            "policy": write_policy(result.policy, self.domain),
            "path": self.output,
            "rules": len(result.policy.rules),
            "method": result.method,
            "reason": result.reason,
            "score": result.score,
            "seconds": round(result.seconds, 6),
            "candidates": result.candidates,
            "expansions": result.expansions,
            "problems": [
                {"path": path, **problem._asdict()}
                for path, problem in zip(self.paths, result.problems, strict=True)
            ],
            "grown": {
                "number": grown.number,
                "objects": grown.objects,
                "failed": grown.failed,
                "altered_failed": len(grown.altered),
                "hopeless": grown.hopeless,
                "counterexample": smallest,
            },
            "proof": None
            if self.proof is None
            else {
                "verdict": str(self.proof.verdict),
                "claim": self.proof.claim,
                "file": self.certificate,
            },
            "tests": None
            if self.tests is None
            else {
                "number": len(self.tests),
                "solved": sum(line.solved for line in self.tests),
                "problems": [line.values() for line in self.tests],
            },
        }
        return json.dumps(value, indent=1) + "\n"


class Delivery:
    """Hands over the policy: to the file if there is one, else to stdout."""

    def __init__(self, domain: Domain, name: str, output: str | None) -> None:
        try:
            check_policy(DecisionList(name, ()), domain)
        except Pg3Error:
            raise Pg3Error(f"'{name}' cannot be the name of a policy") from None
        self.domain = domain
        self.name = name
        self.output = output

    def text(self, policy: DecisionList) -> str:
        """The policy as it is written."""
        return write_policy(replace(policy, name=self.name), self.domain)

    def __call__(self, policy: DecisionList) -> None:
        """Write it."""
        if self.output is None:
            print(self.text(policy), end="", flush=True)
        else:
            write_atomically(self.output, self.text(policy))


def _repair(start: DecisionList, policy: DecisionList) -> str:
    """What has become of the rules of a policy that was repaired."""
    known = {rule.name: rule for rule in start.rules}
    same = [rule.name for rule in policy.rules if known.get(rule.name) == rule]
    new = [rule.name for rule in policy.rules if rule.name not in same]
    told = f"{len(same)} of {pluralize(len(known), 'rule')} of the start as they were"
    if not new:
        return told
    more = f" and {len(new) - _MOST_LINES} more" if len(new) > _MOST_LINES else ""
    return f"{told}; new or changed: {', '.join(new[:_MOST_LINES])}{more}"


def _outcome(problem: TrainingProblem) -> str:
    if problem.left_out is not None:
        return f"left out: {problem.left_out}"
    steps = problem.steps
    return "not solved" if steps is None else f"solved, {pluralize(steps, 'step')}"
