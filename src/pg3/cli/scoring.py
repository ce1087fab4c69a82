"""`score`: what every score function says of a policy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from pg3.analysis.scorecard import score as score_policy
from pg3.cli.app import (
    DomainPath,
    PolicyPath,
    ProblemPaths,
    command,
    completed,
    one_of,
    problem_files,
)
from pg3.cli.progress import progress, with_progress
from pg3.learning.scores import Accumulation
from pg3.pddl import read_domain, read_problem
from pg3.policy import read_policy

if TYPE_CHECKING:
    from collections.abc import Sequence


@command()
def score(
    domain_path: DomainPath,
    problem_paths: ProblemPaths,
    *,
    policy_path: PolicyPath,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")] = False,
    accumulate: Annotated[
        str,
        typer.Option(
            metavar="|".join(get_args(Accumulation)),
            callback=one_of(get_args(Accumulation)),
            autocompletion=completed(get_args(Accumulation)),
            help="From the problems' scores to one.",
        ),
    ] = "max",
    rollout_steps: Annotated[
        int, typer.Option(min=0, metavar="N", help="Steps of the policy in guided planning.")
    ] = 50,
    plan_horizon: Annotated[
        int,
        typer.Option(min=1, metavar="N", help="Longest plan, and score of a problem without one."),
    ] = 100,
    astar_expansions: Annotated[
        int, typer.Option(min=1, metavar="N", help="States that a search for a plan may expand.")
    ] = 1000,
) -> None:
    """Show every score of a policy, and the actions that it misses.

    For each problem the scores (lower is better), and each step of a plan where the policy would do
    something else: what the plan does there, what the policy does, and by which rule.

    \b
    Example: pg3 score domain.pddl train/ --policy ferry.policy
             pg3 score domain.pddl train/ -p ferry.policy --json > scores.json
    """
    files = problem_files(problem_paths)
    with progress("reading"):
        domain = read_domain(domain_path)
        problems = [read_problem(path, domain) for path in files]
        policy = read_policy(policy_path, domain)
    card = with_progress(
        "scoring",
        lambda: score_policy(
            domain,
            problems,
            policy,
            accumulate=cast("Accumulation", accumulate),
            rollout_steps=rollout_steps,
            plan_horizon=plan_horizon,
            astar_expansions=astar_expansions,
            names=_names(files),
        ),
    )
    if as_json:
        print(json.dumps(card.to_json(), indent=1))
        return
    from pg3.cli.display import show  # noqa: PLC0415

    show(card)


def _names(files: Sequence[str]) -> list[str]:
    """What to call the files: by their names alone if that is enough to tell them apart."""
    names = [Path(path).name for path in files]
    return names if len(set(names)) == len(names) else list(files)
