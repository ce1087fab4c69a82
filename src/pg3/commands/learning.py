"""`learn`: from training problems to a policy."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

import pg3
from pg3.commands.app import (
    INTERRUPTED,
    NO,
    STDOUT,
    TERMINATED,
    DomainPath,
    ProblemPaths,
    TimeLimit,
    command,
    extra_path,
    note,
    number,
    output_path,
    problem_files,
    require_outputs,
)
from pg3.errors import Pg3Error
from pg3.files import write_atomically
from pg3.learner import Preset
from pg3.learner import learn as learn_policy
from pg3.learning_display import Watch, shown
from pg3.learning_log import LearningLog
from pg3.operators import OPERATORS
from pg3.pddl import read_domain, read_problem
from pg3.policy import DecisionList, check_policy, write_policy
from pg3.progress import interruptible, progress
from pg3.scores import SCORES, Accumulation
from pg3.wording import count

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from pg3.learner import LearningResult, TrainingProblem
    from pg3.pddl import Domain
    from pg3.policy.rule_book import RuleBook
    from pg3.policy_search import Candidate


class _Terminated(BaseException):
    """SIGTERM has come."""


def _one_of(names: Collection[str]) -> Callable[[str | None], str | None]:
    """A check of an option's value."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"'{value}' is not one of {', '.join(names)}")
        return value

    return check


@command()
def learn(
    domain_path: DomainPath,
    problem_paths: ProblemPaths,
    *,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="POLICY",
            callback=output_path,
            help="Write the policy here, not to stdout (-).",
        ),
    ] = None,
    preset: Annotated[
        str,
        typer.Option(
            metavar="|".join(get_args(Preset)),
            callback=_one_of(get_args(Preset)),
            help="robust: several searches, judged on problems that they have not seen; "
            "paper: one search, to the letter.",
        ),
    ] = "robust",
    score: Annotated[
        str,
        typer.Option(metavar="|".join(SCORES), callback=_one_of(SCORES), help="Score function."),
    ] = "pg3",
    seed: Annotated[int, typer.Option(metavar="N", help="For all random choices.")] = 0,
    max_candidates: Annotated[
        int, typer.Option(min=0, metavar="N", help="Policies to score in one search.")
    ] = 2500,
    time_limit: TimeLimit = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Problems to work on at once; same result.")
    ] = 1,
    log_path: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="FILE",
            callback=extra_path,
            help="Write all candidates here (-: to stdout), as JSON lines.",
        ),
    ] = None,
    rollout_steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Steps of the policy in guided planning.")
    ] = 50,
    plan_horizon: Annotated[
        int, typer.Option(min=1, metavar="N", help="Score of a problem without a plan.")
    ] = 100,
    astar_expansions: Annotated[
        int, typer.Option(min=1, metavar="N", help="States that a search for a plan may expand.")
    ] = 1000,
    accumulate: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(get_args(Accumulation)),
            callback=_one_of(get_args(Accumulation)),
            help="From the problems' scores to one; by default as the preset wants it.",
        ),
    ] = None,
    size_weight: Annotated[
        float, typer.Option(min=0, metavar="W", callback=number, help="Penalty on each condition.")
    ] = 1e-5,
    operators: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help=f"Only these of {', '.join(OPERATORS)}."),
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="Name of the policy; else the domain's.")
    ] = None,
) -> None:
    """Learn a policy for a domain from a few small problems.

    Exit code 0 if it solves all of them that can be learned from; else 1, and the best policy found
    is written all the same, as it is after Ctrl-C.

    \b
    Example: pg3 learn domain.pddl train/ -o ferry.policy --log ferry.jsonl
    """
    files = problem_files(problem_paths)
    require_outputs([output or STDOUT, log_path], [domain_path, *files])
    with progress("reading"):
        domain = read_domain(domain_path)
        problems = [read_problem(path, domain) for path in files]
    deliver = _Delivery(domain, domain.name if name is None else name, output)
    options = {
        "preset": preset,
        "score": score,
        "seed": seed,
        "max_candidates": max_candidates,
        "time_limit": time_limit,
        "rollout_steps": rollout_steps,
        "plan_horizon": plan_horizon,
        "astar_expansions": astar_expansions,
        "accumulate": accumulate,
        "size_weight": size_weight,
        "operators": _names(operators),
    }
    watch = Watch(problems)
    # Not the number of jobs: it has no part in the result, and equal runs have equal logs.
    header = {"pg3": pg3.__version__, "domain": domain_path, "problems": files, "options": options}
    with LearningLog(log_path, header) if log_path is not None else nullcontext() as log:

        def observe(method: str, candidate: Candidate, book: RuleBook) -> None:
            watch.observe(method, candidate, book)
            if log is not None:
                log.observe(method, candidate, book)

        try:
            with _sigterm_raises(), shown(watch):
                result = interruptible(
                    lambda: learn_policy(
                        domain,
                        problems,
                        jobs=jobs,
                        observe=observe,
                        preset=cast("Preset", preset),
                        score=score,
                        seed=seed,
                        max_candidates=max_candidates,
                        time_limit=time_limit,
                        rollout_steps=rollout_steps,
                        plan_horizon=plan_horizon,
                        astar_expansions=astar_expansions,
                        accumulate=cast("Accumulation | None", accumulate),
                        size_weight=size_weight,
                        operators=_names(operators),
                    )
                )
        except (KeyboardInterrupt, _Terminated) as stop:
            if log is not None:
                log.__exit__(None, None, None)
            deliver.unfinished(watch)
            # Not a normal exit: that would wait for the search, which still runs in its thread.
            os._exit(TERMINATED if isinstance(stop, _Terminated) else INTERRUPTED)
        if log is not None:
            log.finish(result)
    deliver(result.policy)
    _report(result, files, preset, output)
    if not result.solved or not any(p.left_out is None for p in result.problems):
        raise typer.Exit(NO)


def _names(operators: str | None) -> tuple[str, ...]:
    if operators is None:
        return tuple(OPERATORS)
    return tuple(name.strip() for name in operators.split(","))


@contextmanager
def _sigterm_raises() -> Iterator[None]:
    def handle(_number: int, _frame: object) -> None:
        raise _Terminated

    before = signal.signal(signal.SIGTERM, handle)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class _Delivery:
    """Hands over the policy: to the file if there is one, else to stdout."""

    def __init__(self, domain: Domain, name: str, output: str | None) -> None:
        try:
            check_policy(DecisionList(name, ()), domain)
        except Pg3Error:
            raise Pg3Error(f"'{name}' cannot be the name of a policy") from None
        self.domain = domain
        self.name = name
        self.output = output

    def __call__(self, policy: DecisionList) -> None:
        text = write_policy(replace(policy, name=self.name), self.domain)
        if self.output is None:
            print(text, end="")
        else:
            write_atomically(self.output, text)

    def unfinished(self, watch: Watch) -> None:
        """Hand over the best policy of a search that has been cut off, and say so."""
        best = watch.best()
        if best is None:
            note("interrupted before the first candidate: nothing is written")
        else:
            self(best.policy)
            where = "" if self.output is None else f"; it is in {self.output}"
            note(
                f"interrupted: the best policy of {count(watch.candidates, 'candidate')} "
                f"solves {best.text()} training problems{where}"
            )
        sys.stdout.flush()
        sys.stderr.flush()


def _report(result: LearningResult, files: Sequence[str], preset: str, output: str | None) -> None:
    """What came of each training problem, and of the search."""
    used = [problem for problem in result.problems if problem.left_out is None]
    for path, problem in zip(files, result.problems, strict=True):
        note(f"{path}: {_outcome(problem)}")
    effort = f"{count(result.candidates, 'candidate')}, {result.seconds:.2f} s"
    if not used:
        note(f"nothing to learn: every training problem was left out; {effort}")
        return
    solved = sum(problem.steps is not None for problem in used)
    rules = count(len(result.policy.rules), "rule")
    where = "" if output is None else f"; the policy is in {output}"
    note(f"learned {rules}: solves {solved}/{len(used)} training problems{where}")
    if preset == "robust" and solved == len(used) and result.score > 0:
        note(
            f"but fails {result.score:.0f} tests on these problems with their objects in another "
            "order: it may owe its success to luck"
        )
    note(f"stopped: {result.reason} ({result.method}); {effort}")


def _outcome(problem: TrainingProblem) -> str:
    if problem.left_out is not None:
        return f"left out: {problem.left_out}"
    return "not solved" if problem.steps is None else f"solved, {count(problem.steps, 'step')}"
