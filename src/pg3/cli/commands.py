"""The commands. Results go to stdout, everything else to stderr.

Exit codes: 0 done, 1 an honest "no" (unsolved, invalid, some failed), 2 bad input or usage; further
130 when interrupted, 141 when the reader of the output has gone, 70 for a fault in pg3 itself.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import sys
import traceback
import warnings
from enum import StrEnum
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from pg3.errors import InputWarning, Pg3Error
from pg3.evaluation import ERROR, EvaluationLine, evaluate_policy
from pg3.files import require_writable, write_atomically
from pg3.pddl import read_domain, read_problem
from pg3.planning import Limits, PlanStatus
from pg3.planning import execute as execute_policy
from pg3.planning import plan as find_plan
from pg3.plans import format_plan, read_plan, write_plan
from pg3.policy import policy_to_json, read_policy, write_policy
from pg3.progress import progress, with_progress
from pg3.validation import validate as check_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.pddl import Problem
    from pg3.plans import Plan

_NO = 1
_BAD_INPUT = 2
_BUG = 70
_INTERRUPTED = 130
_PIPE_CLOSED = 141


class _Commands(TyperGroup):
    """The group of commands: what they raise becomes a message and an exit code, here only."""

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            # Here and not at the interpreter's end, where a closed pipe could not be handled.
            sys.stdout.flush()
            return result
        except Pg3Error as error:
            _note(str(error))
            raise typer.Exit(_BAD_INPUT) from None
        except KeyboardInterrupt:
            _note("interrupted")
            with contextlib.suppress(OSError):
                sys.stdout.flush()
            sys.stderr.flush()
            # Not a normal exit: that would wait for a search that is still running in a thread.
            os._exit(_INTERRUPTED)
        except OSError as error:
            # All files have errors of their own, so this is stdout. What is still in its buffer
            # must go somewhere when the interpreter ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(error, BrokenPipeError):
                raise typer.Exit(_PIPE_CLOSED) from None
            _note(f"stdout: cannot write: {(error.strerror or str(error)).lower()}")
            raise typer.Exit(_BAD_INPUT) from None


app = typer.Typer(
    cls=_Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line (by default the process's own arguments) and exit with its code."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file name that the terminal cannot show must not end a run.
        sys.stdout.reconfigure(errors="backslashreplace")
    with warnings.catch_warnings():
        warnings.simplefilter("always", InputWarning)
        warnings.showwarning = _show_warning
        try:
            app(arguments, prog_name="pg3")
        except Exception:
            traceback.print_exc()
            _note("this is a fault in pg3: please report it with the files that cause it")
            sys.exit(_BUG)


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    note = str(message) if issubclass(category, InputWarning) else f"{category.__name__}: {message}"
    _note(f"warning: {note}")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"pg3 {version('pg3')}")
        raise typer.Exit


def _limit(value: float | None) -> float | None:
    if value is not None and math.isnan(value):
        raise typer.BadParameter("not a number")
    return value


DomainPath = Annotated[str, typer.Argument(metavar="DOMAIN", help="PDDL domain file.")]
ProblemPath = Annotated[str, typer.Argument(metavar="PROBLEM", help="PDDL problem file.")]
PolicyPath = Annotated[
    str, typer.Option("--policy", "-p", metavar="POLICY", help="Policy file (text or JSON).")
]
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="PLAN", help="Write the plan here instead of stdout."),
]
MaxSteps = Annotated[
    int | None,
    typer.Option(min=0, metavar="N", help="Stop after N actions."),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="S", callback=_limit, help="Stop after S seconds."),
]
MemoryLimit = Annotated[
    float | None,
    typer.Option(min=0, metavar="MB", callback=_limit, help="Stop at MB megabytes."),
]


@app.callback()
def pg3(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Plan, and run readable policies, on PDDL problems of any size.

    \b
    Exit codes: 0 done; 1 no (unsolved, invalid, some failed); 2 bad input or usage.
    Example: pg3 solve domain.pddl problem.pddl --policy ferry.policy
    """


# A problem can be too large to ground on any machine: that is to end with a status.
_PLAN_MEGABYTES = 4096.0


@app.command()
def plan(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    *,
    output: Output = None,
    max_expansions: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", callback=_limit, help="Stop after N expanded states."),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = _PLAN_MEGABYTES,
    use_costs: Annotated[
        bool, typer.Option("--use-costs", help="Search with the action costs, not the plan length.")
    ] = False,
) -> None:
    """Find a plan by A* search with the additive heuristic.

    The plan goes to stdout, or to a file with -o.

    \b
    Example: pg3 plan domain.pddl problem.pddl -o problem.plan --time-limit 60
    """
    if output is not None:
        require_writable(output)
    problem = _read(domain_path, problem_path)
    limits = Limits(max_expansions, time_limit, memory_limit)
    outcome = with_progress(
        "searching for a plan", lambda: find_plan(problem, limits=limits, use_costs=use_costs)
    )
    effort = f"{_count(outcome.expansions, 'expansion')}, {outcome.seconds:.3f} s"
    if outcome.plan is None:
        print(f"no plan: {_why_no_plan(outcome.status, limits)}")
        _note(effort)
        raise typer.Exit(_NO)
    _deliver(problem, outcome.plan, output, effort)


@app.command()
def solve(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    *,
    policy_path: PolicyPath,
    output: Output = None,
    max_steps: MaxSteps = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Solve a problem by following a policy, without search.

    The plan goes to stdout, or to a file with -o; it has been validated.

    \b
    Example: pg3 solve domain.pddl problem.pddl --policy ferry.policy -o problem.plan
    """
    if output is not None:
        require_writable(output)
    problem = _read(domain_path, problem_path)
    policy = read_policy(policy_path, problem.domain)
    limits = Limits(seconds=time_limit, megabytes=memory_limit)
    execution = with_progress(
        "following the policy",
        lambda: execute_policy(problem, policy, max_steps=max_steps, limits=limits),
    )
    effort = f"{execution.seconds:.3f} s"
    if not execution.solved:
        print(f"not solved: {execution.status} after {_count(execution.steps, 'step')}")
        _note(execution.reason or "")
        raise typer.Exit(_NO)
    _deliver(problem, execution.plan, output, effort)


@app.command()
def evaluate(
    domain_path: DomainPath,
    problem_paths: Annotated[
        list[str], typer.Argument(metavar="PROBLEM", help="PDDL problem files.")
    ],
    *,
    policy_path: PolicyPath,
    max_steps: MaxSteps = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    jobs: Annotated[
        int, typer.Option(min=1, metavar="N", help="Run N problems at the same time.")
    ] = 1,
    json_path: Annotated[
        str | None,
        typer.Option("--json", metavar="FILE", help="Write one JSON object a line and problem."),
    ] = None,
) -> None:
    """Run a policy on many problems and count the solved ones.

    The limits hold for each problem. A problem file with an error does not stop the others.

    \b
    Example: pg3 evaluate domain.pddl test/*.pddl --policy ferry.policy --jobs 2 --json out.jsonl
    """
    if json_path is not None:
        require_writable(json_path)
    domain = read_domain(domain_path)
    policy = read_policy(policy_path, domain)
    lines = []
    with progress("evaluating", len(problem_paths)) as advance:
        for line in evaluate_policy(
            domain,
            problem_paths,
            policy,
            max_steps=max_steps,
            limits=Limits(seconds=time_limit, megabytes=memory_limit),
            jobs=jobs,
        ):
            print(_summary(line))
            if line.status == ERROR:
                _note(line.reason or "")
            lines.append(line)
            advance()
    solved = sum(line.solved for line in lines)
    # Rounded down: 1.00 is for all of them.
    print(f"solved {solved}/{len(lines)} ({solved * 100 // len(lines) / 100:.2f})")
    if json_path is not None:
        write_atomically(json_path, "".join(f"{line.to_json()}\n" for line in lines))
    if any(line.status == ERROR for line in lines):
        raise typer.Exit(_BAD_INPUT)
    if solved < len(lines):
        raise typer.Exit(_NO)


@app.command()
def validate(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    plan_path: Annotated[str, typer.Argument(metavar="PLAN", help="Plan file (IPC format).")],
) -> None:
    """Check a plan step by step; says which step or goal fails.

    \b
    Example: pg3 validate domain.pddl problem.pddl problem.plan
    """
    problem = _read(domain_path, problem_path)
    outcome = check_plan(problem, read_plan(plan_path, problem))
    print(outcome.message if outcome.valid else f"invalid: {outcome.message}")
    if not outcome.valid:
        raise typer.Exit(_NO)


class PolicyFormat(StrEnum):
    """How `show` prints a policy."""

    TEXT = "text"
    JSON = "json"


@app.command()
def show(
    policy_path: Annotated[
        str, typer.Argument(metavar="POLICY", help="Policy file (text or JSON).")
    ],
    domain_path: Annotated[
        str, typer.Option("--domain", "-d", metavar="DOMAIN", help="PDDL domain file.")
    ],
    form: Annotated[PolicyFormat, typer.Option("--format", help="Output format.")] = (
        PolicyFormat.TEXT
    ),
) -> None:
    """Check a policy against its domain and pretty-print it.

    \b
    Example: pg3 show ferry.policy --domain domain.pddl --format json
    """
    domain = read_domain(domain_path)
    policy = read_policy(policy_path, domain)
    text = policy_to_json(policy) if form == PolicyFormat.JSON else write_policy(policy, domain)
    print(text.rstrip("\n"))


def _read(domain_path: str, problem_path: str) -> Problem:
    with progress("reading"):
        return read_problem(problem_path, read_domain(domain_path))


def _deliver(problem: Problem, plan: Plan, output: str | None, effort: str) -> None:
    """Hand over a plan that the validator has accepted, and say on stderr what it is like."""
    outcome = check_plan(problem, plan)
    if not outcome.valid:
        raise AssertionError(f"the validator rejects the plan that was found: {outcome.message}")
    cost = outcome.cost if problem.domain.has_costs else None
    if output is None:
        print(format_plan(plan, cost), end="")
    else:
        write_plan(output, plan, cost)
    _note(f"solved: {_count(outcome.steps, 'step')}, cost {outcome.cost}, {effort}")


def _why_no_plan(status: PlanStatus, limits: Limits) -> str:
    value, unit = {
        PlanStatus.EXPANSION_LIMIT: (limits.expansions, "expansions"),
        PlanStatus.TIME_LIMIT: (limits.seconds, "s"),
        PlanStatus.MEMORY_LIMIT: (limits.megabytes, "MB"),
    }.get(status, (None, ""))
    if status == PlanStatus.UNSOLVABLE:
        return "the problem is unsolvable"
    return f"{status} reached" if value is None else f"{status} reached ({value:.15g} {unit})"


def _summary(line: EvaluationLine) -> str:
    if line.steps is None:
        return f"{line.path}: {line.status}"
    facts = f"{line.path}: {line.status}, {_count(line.steps, 'step')}, {line.seconds:.3f} s"
    return facts if line.reason is None else f"{facts}: {line.reason}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
