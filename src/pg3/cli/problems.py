"""`plan`, `solve`, `evaluate`, `validate` and `show`: problems, plans and policies."""

from __future__ import annotations

from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pg3.analysis.evaluation import ERROR, Evaluation, EvaluationLine, evaluate_policy
from pg3.analysis.references import read_references
from pg3.cli.app import (
    BAD_INPUT,
    NO,
    DomainPath,
    ImproveExpansions,
    ImproveSeconds,
    Json,
    MaxSteps,
    MemoryLimit,
    OldDomain,
    OptionalPolicy,
    Output,
    PolicyPath,
    ProblemPath,
    ProblemPaths,
    TimeLimit,
    command,
    note,
    ordered,
    require_outputs,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress, with_progress
from pg3.errors import Pg3Error, pluralize, printable
from pg3.pddl import read_domain, read_problem
from pg3.pddl.given import problem_files
from pg3.pddl.plans import ending, format_plan, write_plan
from pg3.planning import Limits, PlanStatus, improve, plan_anytime
from pg3.planning import execute as execute_policy
from pg3.planning import plan as find_plan
from pg3.planning.execution import in_words
from pg3.planning.hybrid import solve_guided
from pg3.policy import policy_to_json, read_policy, write_policy
from pg3.semantics.task import Task
from pg3.semantics.validation import validate as check_plan
from pg3.semantics.validation import validate_file
from pg3.storage import signals
from pg3.storage.files import is_regular, replacing, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pg3.pddl import Problem
    from pg3.pddl.plans import Plan
    from pg3.planning import PlanOutcome
    from pg3.policy import DecisionList
    from pg3.semantics.validation import Validation

# A problem can be too large to ground on any machine: that is to end with a status.
_PLAN_MEGABYTES = 4096.0


class SearchKind(StrEnum):
    """How `plan` searches."""

    SATISFICING = "satisficing"
    ASTAR = "astar"


@command()
def plan(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    *,
    output: Output = None,
    max_expansions: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Stop after N expanded states."),
    ] = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = _PLAN_MEGABYTES,
    use_costs: Annotated[
        bool, typer.Option("--use-costs", help="Search with the action costs, not the plan length.")
    ] = False,
    search: Annotated[
        SearchKind,
        typer.Option(metavar="|".join(SearchKind), help="For some plan soon, or for a short one."),
    ] = SearchKind.SATISFICING,
    first: Annotated[bool, typer.Option("--first", help="Stop at the first plan.")] = False,
    improve_seconds: ImproveSeconds = None,
    improve_expansions: ImproveExpansions = None,
    json_path: Json = None,
) -> None:
    """Find a plan by search.

    The plan goes to stdout, or to a file with -o. With --time-limit or --max-expansions the search
    goes on for cheaper plans until then. With --search astar it is the paper's, A* with h_add.
    With --improve parts of the plan are then planned anew.

    \b
    Example: pg3 plan domain.pddl problem.pddl -o problem.plan --time-limit 60
    """
    say = _require_plan_and_json(output, json_path, [domain_path, problem_path])
    problem = _read(domain_path, problem_path)
    limits = Limits(max_expansions, time_limit, memory_limit)

    def run() -> PlanOutcome:
        if search == SearchKind.SATISFICING and _is_limited(limits) and not first:
            return plan_anytime(problem, limits=limits, use_costs=use_costs)
        return find_plan(problem, limits=limits, search=search.value, use_costs=use_costs)

    outcome = with_progress("searching for a plan", run)
    effort = f"{pluralize(outcome.expansions, 'expansion')}, {outcome.seconds:.3f} s"
    if outcome.plan is None:
        say(f"no plan: {_why_no_plan(outcome.status, limits)}")
        note(effort)
        write_json(json_path, {"status": outcome.status, "plan": None})
        raise typer.Exit(NO)
    verdict = _accepted(check_plan(problem, outcome.plan))
    quality = f", {_quality(outcome)}" if outcome.plans > 1 or outcome.cheapest else ""
    solution = _Solution(verdict, lambda: outcome.plan or (), effort)
    if outcome.cheapest:
        improve_seconds = improve_expansions = None
    is_asked = first or _is_limited(limits) or improve_seconds or improve_expansions
    if search == SearchKind.SATISFICING and not outcome.cheapest and not is_asked:
        quality = ", the first plan found (cheaper ones: --improve 10)"
    solution = _improved(
        problem, solution, Limits(improve_expansions, improve_seconds, memory_limit)
    )
    verdict = solution.verdict
    if json_path is not None:
        write_json(json_path, _plan_values(outcome.status, solution.plan(), verdict))
    if output is not None or json_path is None:
        _hand_over(solution.plan(), verdict.cost if problem.domain.has_costs else None, output)
    note(f"solved: {_facts(verdict)}{quality}, {solution.effort}")


def _quality(outcome: PlanOutcome) -> str:
    if outcome.cheapest:
        return "no plan costs less"
    return f"the best of {pluralize(outcome.plans, 'plan')}"


@command()
def solve(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    *,
    policy_path: PolicyPath,
    output: Output = None,
    max_steps: MaxSteps = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    guided: Annotated[
        bool,
        typer.Option("--guided", help="Where the policy fails, search on with its help."),
    ] = False,
    proof: Annotated[
        str | None,
        typer.Option(metavar="FOLDER", help="Say whether the problem is in the class of a proof."),
    ] = None,
    improve_seconds: ImproveSeconds = None,
    improve_expansions: ImproveExpansions = None,
    json_path: Json = None,
) -> None:
    """Solve a problem by following a policy, without search.

    The plan goes to stdout, or to a file with -o; it has been validated. With --guided searches
    take over where the policy does not apply, goes round in circles or has done --max-steps
    actions; the problem must be small enough to be grounded, by default in 4096 MB. With --improve
    parts of the plan are then planned anew.

    \b
    Example: pg3 solve domain.pddl problem.pddl --policy ferry.policy -o p.plan
    """
    _require_plan_and_json(output, json_path, [domain_path, problem_path, policy_path])
    problem = _read(domain_path, problem_path)
    policy = read_policy(policy_path, problem.domain)
    if proof is not None:
        note(_in_proven_class(proof, domain_path, policy_path, problem, policy))
    if guided and memory_limit is None:
        memory_limit = _PLAN_MEGABYTES
    limits = Limits(seconds=time_limit, megabytes=memory_limit)
    # A plan can be too long to be kept twice: into a file of its own it is written as it grows.
    improving = Limits(improve_expansions, improve_seconds, memory_limit)
    grows = output is not None and is_regular(output) and not _is_limited(improving)
    with replacing(output) if grows and output is not None else nullcontext() as file:
        follow = _follow_guided if guided else _follow
        solution = follow(
            problem, policy, json_path, max_steps=max_steps, limits=limits, plan_path=file
        )
        solution = _improved(problem, solution, improving)
        cost = solution.verdict.cost if problem.domain.has_costs else None
        if file is not None:
            with file.open("a", encoding="utf-8") as end:
                end.write(ending(solution.verdict.steps, cost))
        elif output is not None or json_path is None:
            _hand_over(solution.plan(), cost, output)
    if json_path is not None:
        write_json(json_path, _plan_values("solved", solution.plan(), solution.verdict))
    note(f"solved: {_facts(solution.verdict)}, {solution.effort}")


def _in_proven_class(
    proof: str, domain_path: str, policy_path: str, problem: Problem, policy: DecisionList
) -> str:
    """Whether a proof is about this problem; Pg3Error if it is about another domain or policy."""
    # Few ask for it, and it takes a moment to import.
    from pg3.analysis.prove.membership import class_of_proof  # noqa: PLC0415

    members = class_of_proof(Path(proof), domain_path, policy_path, policy, problem.domain)
    reason = members.reason_against(problem)
    if reason is None:
        return f"in the class of {proof}: proved, if `pg3 prove --check` confirms that proof"
    return f"not in the class of {proof}: {reason}"


class _Solution(NamedTuple):
    """The result of `plan` and `solve`: the validator's verdict, and the plan on demand."""

    verdict: Validation
    plan: Callable[[], Plan]
    effort: str


def _is_limited(limits: Limits) -> bool:
    return limits.expansions is not None or limits.seconds is not None


def _improved(problem: Problem, solution: _Solution, limits: Limits) -> _Solution:
    """The solution with a cheaper plan, if a limit for that is given and there is one."""
    if not _is_limited(limits):
        return solution
    better = with_progress(
        "improving the plan", lambda: improve(problem, solution.plan(), limits=limits)
    )
    said = [f"improved from cost {better.cost_before} in {better.seconds:.3f} s"]
    said += ["no plan costs less"] * better.cheapest
    return _Solution(better.validation, lambda: better.plan, ", ".join([solution.effort, *said]))


def _follow(
    problem: Problem, policy: DecisionList, json_path: str | None, **options: Any
) -> _Solution:
    """Carry out the policy; ends the command if that does not solve the problem."""
    execution = with_progress(
        "following the policy", lambda: execute_policy(problem, policy, **options)
    )
    if not execution.solved:
        steps = pluralize(execution.steps, "step")
        told = in_words(execution.status, execution.no_rule_applied)
        speaker(json_path)(f"not solved: {told} after {steps}")
        if not execution.no_rule_applied:
            note(execution.reason or "")
        write_json(json_path, {"status": execution.status, "plan": None})
        raise typer.Exit(NO)
    verdict = _accepted(execution.check())
    return _Solution(verdict, lambda: execution.plan, f"{execution.seconds:.3f} s")


def _follow_guided(
    problem: Problem,
    policy: DecisionList,
    json_path: str | None,
    *,
    limits: Limits,
    **options: Any,
) -> _Solution:
    """Carry out the policy, and search where it fails; ends the command if that fails, too."""
    outcome = with_progress(
        "solving", lambda: solve_guided(problem, policy, limits=limits, **options)
    )
    execution = outcome.execution
    if not execution.solved:
        status = "" if execution.no_rule_applied else f"{in_words(execution.status, False)}: "
        note(f"the policy alone: {status}{execution.reason}")
    effort = f"{pluralize(outcome.expansions, 'expansion')}, {outcome.seconds:.3f} s"
    if outcome.validation is None:
        speaker(json_path)(f"not solved: {_why_no_plan(PlanStatus(outcome.status), limits)}")
        note(effort)
        write_json(json_path, {"status": outcome.status, "plan": None})
        raise typer.Exit(NO)
    if not execution.solved:
        searched = outcome.from_policy.count(False)
        effort = f"{pluralize(searched, 'step')} of them from search, {effort}"
    return _Solution(outcome.validation, lambda: outcome.plan or (), effort)


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


@command()
def validate(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    plan_path: Annotated[str, typer.Argument(metavar="PLAN", help="Plan file (IPC format).")],
    *,
    json_path: Json = None,
) -> None:
    """Check a plan step by step; says which step or goal fails.

    \b
    Example: pg3 validate domain.pddl problem.pddl problem.plan
    """
    problem = _read(domain_path, problem_path)
    outcome = validate_file(Task(problem), plan_path)
    speaker(json_path)(str(outcome))
    told = {name: getattr(outcome, name) for name in ("valid", "steps", "cost", "message")}
    write_json(json_path, told)
    if not outcome.valid:
        raise typer.Exit(NO)


class PolicyFormat(StrEnum):
    """How `show` prints a policy."""

    TEXT = "text"
    JSON = "json"


@command()
def show(
    path: DomainPath,
    *,
    policy_path: OptionalPolicy = None,
    old_domain: OldDomain = None,
    form: Annotated[
        PolicyFormat,
        typer.Option("--format", metavar="|".join(PolicyFormat), help="Output format."),
    ] = (PolicyFormat.TEXT),
) -> None:
    """Check a policy against its domain and pretty-print it.

    \b
    Example: pg3 show domain.pddl --policy ferry.policy --format json
    """
    words = ordered([path], policy_path, old_domain, "pg3 show DOMAIN --policy POLICY")
    domain = read_domain(words.domain)
    policy = read_policy(words.policy, domain)
    write = policy_to_json if form == PolicyFormat.JSON else write_policy
    print(write(policy, domain), end="")


def _require_plan_and_json(
    output: str | None, json_path: str | None, inputs: list[str]
) -> Callable[[str], None]:
    """Check where results go. The plan goes to stdout if neither of both is asked for."""
    require_outputs([output, json_path], inputs)
    return speaker(json_path)


def _plan_values(status: str, plan: Plan, verdict: Validation) -> dict[str, Any]:
    """A plan for JSON; actions are PDDL text."""
    told = {"status": str(status), "steps": verdict.steps, "cost": verdict.cost}
    return {**told, "plan": [str(action) for action in plan]}


def _read(domain_path: str, problem_path: str) -> Problem:
    with progress("reading"):
        return read_problem(problem_path, read_domain(domain_path))


def _accepted(outcome: Validation) -> Validation:
    """The validator's verdict on a plan that is to be written, which must be positive."""
    if not outcome.valid:
        raise AssertionError(f"the validator rejects the plan that was found: {outcome.message}")
    return outcome


def _facts(outcome: Validation) -> str:
    return f"{pluralize(outcome.steps, 'step')}, cost {outcome.cost}"


def _hand_over(plan: Plan, cost: int | None, output: str | None) -> None:
    if output is None:
        print(format_plan(plan, cost), end="")
    else:
        write_plan(output, plan, cost)


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
