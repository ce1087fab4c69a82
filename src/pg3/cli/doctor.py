"""`doctor`: a look at a domain and its training problems before learning."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.analysis.doctor import Diagnosis, examine
from pg3.cli.app import (
    BAD_INPUT,
    NO,
    DomainPath,
    Json,
    ProblemPaths,
    command,
    number,
    require_outputs,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress
from pg3.errors import pluralize
from pg3.pddl.given import problem_files
from pg3.pddl.numbers import comparison_of, is_comparison
from pg3.planning import Limits, PlanStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pg3.analysis.doctor import Fault, Finding, Measurements

# More lines than this do not fit a screen; all of them are in the JSON.
_MOST_ROWS = 20
_MOST_FILES = 4


@command()
def doctor(
    domain_path: DomainPath,
    problem_paths: ProblemPaths,
    *,
    max_expansions: Annotated[
        int, typer.Option(min=0, metavar="N", help="States that the planner may expand a problem.")
    ] = 10_000,
    time_limit: Annotated[
        float, typer.Option(min=0, metavar="S", callback=number, help="Seconds for each problem.")
    ] = 10.0,
    json_path: Json = None,
) -> None:
    """Look at a domain and its training problems before learning.

    Lists everything in the files that is not supported, sizes, which problems the planner solves,
    and what to change. Exit codes: 0 healthy, 1 with concerns, 2 some file cannot be read.

    \b
    Example: pg3 doctor domain.pddl train/
    """
    files = problem_files(problem_paths)
    require_outputs([json_path], [domain_path, *files])
    limits = Limits(expansions=max_expansions, seconds=time_limit)
    with progress("examining", len(files)) as advance:
        diagnosis = examine(domain_path, files, limits=limits, advance=advance)
    say = speaker(json_path)
    _tell(diagnosis, problem_paths, say)
    write_json(json_path, diagnosis.to_json())
    if diagnosis.faults:
        raise typer.Exit(BAD_INPUT)
    if diagnosis.concerns:
        raise typer.Exit(NO)


def _tell(diagnosis: Diagnosis, problem_paths: Sequence[str], say: Callable[[str], None]) -> None:
    """The report for people, as wide as the terminal."""
    width = max(72, min(100, shutil.get_terminal_size((100, 24)).columns))
    blocks = [
        _domain(diagnosis, width),
        _table(diagnosis.problems, width),
        _ranges(diagnosis, width),
        [line for fault in diagnosis.faults for line in _fault(fault, width)],
        *(
            [f"{title} ({len(findings)}):" for _ in findings[:1]]
            + [line for finding in findings for line in _finding(finding, width)]
            for title, findings in (("concerns", diagnosis.concerns), ("notes", diagnosis.notes))
        ),
        [*_wrapped(_verdict(diagnosis), width), *_next(diagnosis, problem_paths)],
    ]
    say("\n\n".join("\n".join(block) for block in blocks if block))


def _domain(diagnosis: Diagnosis, width: int) -> list[str]:
    domain = diagnosis.domain
    if domain is None:
        return []
    text = f"domain {domain.name}: {pluralize(len(domain.actions), 'action')}, "
    text += pluralize(len(domain.declared), "predicate")
    if diagnosis.static_predicates:
        text += f" (static: {', '.join(diagnosis.static_predicates)})"
    if domain.numeric_functions:
        numbers = [f.name for f in domain.functions if f.name in domain.numeric_functions]
        text += f", numbers that change: {', '.join(numbers)}"
    return _wrapped(text, width)


def _wrapped(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent="  " if rest is None else rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _fault(fault: Fault, width: int) -> Iterable[str]:
    place = "" if fault.place is None else f"{fault.place}: "
    yield from _wrapped(f"{place}{fault.message}", width)
    if fault.hint is not None:
        yield from _wrapped(f"-> {fault.hint}", width, "    ", "       ")


def _finding(finding: Finding, width: int) -> Iterable[str]:
    yield from _wrapped(finding.message + (":" if finding.files else ""), width, "  ", "    ")
    for path in finding.files[:_MOST_FILES]:
        yield from _wrapped(path, width, "    ", "      ")
    if len(finding.files) > _MOST_FILES:
        yield f"    and {len(finding.files) - _MOST_FILES} more (see --json)"
    yield from _wrapped(f"-> {finding.advice}", width, "    ", "       ")


def _table(problems: Sequence[Measurements], width: int) -> list[str]:
    if not problems:
        return []
    names = [Path(problem.path).name for problem in problems]
    if len(set(names)) < len(names):
        names = [problem.path for problem in problems]
    head = ("problem", "objects", "facts", "goals", "atoms", "actions", "planner")
    rows = [
        (
            name,
            str(problem.total_objects),
            str(problem.facts),
            str(problem.goals),
            _or_dash(problem.ground_atoms),
            _or_dash(problem.ground_actions),
            _planner(problem),
        )
        for name, problem in zip(names, problems, strict=True)
    ]
    shown = [head, *rows[:_MOST_ROWS]]
    widths = [max(len(row[column]) for row in shown) for column in range(len(head))]
    widths[0] = max(8, min(widths[0], width - sum(widths[1:]) - 2 * (len(head) - 1)))
    lines = []
    for row in shown:
        name = row[0] if len(row[0]) <= widths[0] else "…" + row[0][1 - widths[0] :]
        cells = [name.ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(row[1:-1], widths[1:-1], strict=True)]
        lines.append("  ".join([*cells, row[-1]]))
    if len(rows) > _MOST_ROWS:
        lines.append(f"and {len(rows) - _MOST_ROWS} more (see --json)")
    return lines


def _or_dash(value: int | None) -> str:
    return "-" if value is None else str(value)


def _planner(problem: Measurements) -> str:
    if problem.status != PlanStatus.SOLVED:
        return problem.status
    seconds = problem.ground_seconds + (problem.plan_seconds or 0)
    return f"{pluralize(problem.steps or 0, 'step')}, {seconds:.3f} s"


def _ranges(diagnosis: Diagnosis, width: int) -> list[str]:
    problems = diagnosis.problems
    if not problems:
        return []
    parts = []
    for name in sorted({name for problem in problems for name in problem.objects}):
        numbers = [problem.objects.get(name, 0) for problem in problems]
        least, most = min(numbers), max(numbers)
        parts.append(f"{name} {least}" if least == most else f"{name} {least}-{most}")
    goals = [f"{_said(name)} in {number}" for name, number in diagnosis.goal_predicates.items()]
    return [
        *_wrapped(f"objects by type: {', '.join(parts) or 'none'}", width),
        *_wrapped(f"goals, by number of problems: {', '.join(goals) or 'none'}", width),
    ]


def _said(predicate: str) -> str:
    """The name of a goal's predicate; of a comparison what it compares, as in `level >=`."""
    if not is_comparison(predicate):
        return predicate
    comparison = comparison_of(predicate)
    compared = [function.name for function in comparison.functions if not function.goal]
    return f"{', '.join(compared)} {comparison.word}"


def _verdict(diagnosis: Diagnosis) -> str:
    readable, total = len(diagnosis.problems), len(diagnosis.problem_paths)
    faults = pluralize(len(diagnosis.faults), "fault")
    if diagnosis.domain is None:
        return f"{faults}: the domain cannot be used as it is. Mend it and run this again"
    if diagnosis.faults:
        return f"{faults}: {readable} of {total} problems can be read. Mend or drop the others"
    solved = sum(problem.steps is not None for problem in diagnosis.problems)
    text = f"the planner solves {solved} of {pluralize(readable, 'problem')}"
    if diagnosis.concerns:
        return f"{text}, but learning may fail or mislead: see the concerns"
    return f"healthy: {text}"


def _next(diagnosis: Diagnosis, problem_paths: Sequence[str]) -> list[str]:
    if diagnosis.faults or diagnosis.concerns or diagnosis.domain is None:
        return []
    problems = " ".join(problem_paths) if len(problem_paths) <= 3 else "PROBLEM..."
    policy = f"{diagnosis.domain.name}.policy"
    return [f"next: pg3 learn {diagnosis.domain_path} {problems} -o {policy}"]
