"""`score`: what every score function says of a policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

from pg3.analysis.scorecard import score as score_policy
from pg3.cli.app import (
    DomainPath,
    Json,
    PolicyPath,
    ProblemPaths,
    command,
    write_json,
)
from pg3.cli.learning.options import learn_option
from pg3.cli.output.progress import progress, with_progress
from pg3.learning.config import LearnConfig
from pg3.learning.scores import Accumulation
from pg3.pddl import read_domain, read_problem
from pg3.pddl.given import problem_files
from pg3.policy import read_policy
from pg3.storage.files import is_stdout

if TYPE_CHECKING:
    from collections.abc import Sequence


DEFAULT = LearnConfig()


@command()
def score(
    domain_path: DomainPath,
    problem_paths: ProblemPaths,
    *,
    policy_path: PolicyPath,
    json_path: Json = None,
    accumulate: Annotated[
        str,
        learn_option(
            "accumulate",
            "From the problems' scores to one.",
            metavar="|".join(get_args(Accumulation)),
        ),
    ] = "max",
    rollout_steps: Annotated[
        int, learn_option("rollout_steps", "Steps of the policy in guided planning.")
    ] = DEFAULT.rollout_steps,
    plan_horizon: Annotated[
        int, learn_option("plan_horizon", "Longest plan, and score of a problem without one.")
    ] = DEFAULT.plan_horizon,
    astar_expansions: Annotated[
        int, learn_option("astar_expansions", "States that a search for a plan may expand.")
    ] = DEFAULT.astar_expansions,
) -> None:
    """Show every score of a policy, and the actions that it misses.

    For each problem the scores (lower is better), and each step of a plan where the policy would do
    something else: what the plan does there, what the policy does, and by which rule.

    \b
    Example: pg3 score domain.pddl train/ --policy ferry.policy
             pg3 score domain.pddl train/ -p ferry.policy --json scores.json
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
    write_json(json_path, card.to_json())
    if json_path is not None and is_stdout(json_path):
        return
    from pg3.cli.output.values import show  # noqa: PLC0415

    show(card)


def _names(files: Sequence[str]) -> list[str]:
    """What to call the files: by their names alone if that is enough to tell them apart."""
    names = [Path(path).name for path in files]
    return names if len(set(names)) == len(names) else list(files)
