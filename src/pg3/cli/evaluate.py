"""`evaluate`: a policy on many problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pg3.analysis.evaluation import ERROR, Evaluation, EvaluationLine, evaluate_policy
from pg3.analysis.references import read_references
from pg3.cli.app import (
    BAD_INPUT,
    NO,
    DomainPath,
    Json,
    MaxSteps,
    MemoryLimit,
    PolicyPath,
    ProblemPaths,
    TimeLimit,
    command,
    note,
    require_outputs,
    speaker,
)
from pg3.cli.output.progress import progress
from pg3.errors import Pg3Error, pluralize, printable
from pg3.pddl import read_domain
from pg3.pddl.given import problem_files
from pg3.planning import Limits
from pg3.planning.execution import in_words
from pg3.policy import read_policy
from pg3.storage import signals
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence


@command()
def evaluate(
    domain_path: DomainPath,
    problem_paths: ProblemPaths,
    *,
    policy_path: PolicyPath,
    max_steps: MaxSteps = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Run N problems at the same time.")
    ] = 1,
    json_path: Json = None,
    reference: Annotated[
        str | None,
        typer.Option(metavar="PATH", help="Plans (folder) or costs (table) to compare with."),
    ] = None,
) -> None:
    """Run a policy on many problems and count the solved ones.

    With --reference each plan gets the competition's score: the reference cost divided by its own.
    The limits hold for each problem. A problem file with an error does not stop the others.
    If the run is cut off, FILE has the problems that were done.

    \b
    Example: pg3 evaluate domain.pddl test/ --policy ferry.policy --jobs 2
    """
    files = problem_files(problem_paths)
    require_outputs([json_path], [domain_path, policy_path, *files])
    domain = read_domain(domain_path)
    policy = read_policy(policy_path, domain)
    references = None if reference is None else read_references(reference, files)
    say = speaker(json_path)
    lines: list[EvaluationLine] = []

    def write_lines() -> None:
        if json_path is not None and lines:
            write_atomically(json_path, "".join(f"{line.to_json()}\n" for line in lines))

    def interrupted(code: int) -> int:
        # Before the message, whose reader may have gone.
        try:
            write_lines()
        except Pg3Error as error:
            note(str(error))
            return BAD_INPUT
        note("interrupted")
        return code

    signals.on_signal(interrupted)
    try:
        with progress("evaluating", len(files)) as advance:
            for line in evaluate_policy(
                domain,
                files,
                policy,
                max_steps=max_steps,
                limits=Limits(seconds=time_limit, megabytes=memory_limit),
                jobs=jobs,
                references=references,
            ):
                lines.append(line)
                say(_summary(line))
                if line.status == ERROR:
                    note(line.reason or "")
                advance()
    finally:
        # Also when the run is cut off: the results so far may have taken hours.
        signals.finish()
        write_lines()
    solved = sum(line.solved for line in lines)
    say(str(Evaluation(tuple(lines))))
    if references is not None:
        say(_quality_of(lines))
    if any(line.status == ERROR for line in lines):
        raise typer.Exit(BAD_INPUT)
    if solved < len(lines):
        raise typer.Exit(NO)


def _quality_of(lines: Sequence[EvaluationLine]) -> str:
    scores = [line.quality for line in lines if line.quality is not None]
    missing = len(lines) - len(scores)
    rest = f", {pluralize(missing, 'problem')} without a reference cost" if missing else ""
    mean = sum(scores) / max(1, len(scores))
    return f"quality {sum(scores):.2f}/{len(scores)} ({mean:.2f}){rest}"


def _summary(line: EvaluationLine) -> str:
    path = printable(line.path)
    if line.steps is None:
        return f"{path}: {line.status}"
    status = in_words(line.status, line.no_rule_applied)
    facts = f"{path}: {status}, {pluralize(line.steps, 'step')}, {line.seconds:.3f} s"
    if line.quality is not None:
        facts += f", quality {line.quality:.2f}"
    # The status has said it already.
    told = line.reason is None or line.no_rule_applied
    return facts if told else f"{facts}: {line.reason}"
