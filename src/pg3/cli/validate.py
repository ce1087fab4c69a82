"""`validate` and `show`: check a plan, check a policy."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from pg3.cli.app import (
    NO,
    DomainPath,
    Json,
    OldDomain,
    OptionalPolicy,
    ProblemPath,
    command,
    ordered,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress
from pg3.pddl import read_domain, read_problem
from pg3.policy import policy_to_json, read_policy, write_policy
from pg3.semantics.task import Task
from pg3.semantics.validation import validate_file


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
    with progress("reading"):
        problem = read_problem(problem_path, read_domain(domain_path))
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
