"""`plan` and `solve`: plans by search and by a policy."""

from __future__ import annotations

from contextlib import nullcontext
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from pg3.cli.app import (
    NO,
    DomainPath,
    ImproveExpansions,
    ImproveSeconds,
    Json,
    MaxSteps,
    MemoryLimit,
    Output,
    PolicyPath,
    ProblemPath,
    TimeLimit,
    command,
    note,
    require_outputs,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress, with_progress
from pg3.errors import pluralize
from pg3.pddl import read_domain, read_problem
from pg3.pddl.plans import ending, format_plan, write_plan
from pg3.planning import Limits, PlanStatus, improve, plan_anytime
from pg3.planning import execute as execute_policy
from pg3.planning import plan as find_plan
from pg3.planning.execution import in_words
from pg3.planning.hybrid import solve_guided
from pg3.policy import read_policy
from pg3.semantics.validation import validate as check_plan
from pg3.storage.files import is_regular, replacing

if TYPE_CHECKING:
    from collections.abc import Callable

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
    require_outputs([output, json_path], [domain_path, problem_path])
    say = speaker(json_path)
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
    require_outputs([output, json_path], [domain_path, problem_path, policy_path])
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
    is_better = better.validation.cost != better.cost_before
    done = f"improved from cost {better.cost_before}" if is_better else "not improved"
    said = [f"{done} in {better.seconds:.3f} s"]
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
