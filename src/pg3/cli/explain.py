"""`explain`: why a policy does what it does."""

from __future__ import annotations

from typing import Annotated

import typer

from pg3.analysis.explain import explain as explain_policy
from pg3.analysis.explain import (
    explanation_values,
    read_state,
    tell,
    tell_brief,
    tell_policy,
    tell_step,
)
from pg3.analysis.explain.way_on import tell_way_on
from pg3.cli.app import (
    NO,
    DomainPath,
    Json,
    MaxSteps,
    MemoryLimit,
    PhrasesFile,
    PolicyPath,
    ProblemPath,
    TimeLimit,
    command,
    note,
    speaker,
    write_json,
)
from pg3.cli.output.progress import progress, with_progress
from pg3.cli.proof_folder import ProofFolder, ranking_of
from pg3.errors import Pg3Error, pluralize
from pg3.pddl import read_domain, read_problem
from pg3.planning import Limits
from pg3.policy import read_policy

# Steps in the JSON of a whole plan; each has a search for near misses behind it.
_MOST_STEPS = 1000


@command()
def explain(
    domain_path: DomainPath,
    problem_path: ProblemPath,
    *,
    policy_path: PolicyPath,
    step: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="All about step K only.")
    ] = None,
    state_path: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="STATE",
            help="Begin in this state: a file of atoms, or a problem, whose :init is taken.",
        ),
    ] = None,
    phrases: PhrasesFile = None,
    brief: Annotated[bool, typer.Option("--brief", help="One line a step.")] = False,
    proof: ProofFolder = None,
    json_path: Json = None,
    max_steps: MaxSteps = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
) -> None:
    """Tell in words what a policy does on a problem, and why.

    For each step the rule that acts, for which objects and which goal; for the rules before it what
    keeps them from acting; and why it stops. Exit code 1 if the goal is not reached.

    \b
    Example: pg3 explain domain.pddl problem.pddl --policy ferry.policy --step 3
    """
    with progress("reading"):
        domain = read_domain(domain_path, phrases)
        problem = read_problem(problem_path, domain)
        policy = read_policy(policy_path, domain)
        start = None if state_path is None else read_state(state_path, problem)
        ranking = ranking_of(proof, domain_path, policy_path, policy, problem)
    explanation = with_progress(
        "following the policy",
        lambda: explain_policy(
            problem,
            policy,
            start=start,
            max_steps=max_steps,
            limits=Limits(seconds=time_limit, megabytes=memory_limit),
            ranking=ranking,
        ),
    )
    if step is not None and step > explanation.steps:
        done = pluralize(len(explanation.plan), "step")
        raise Pg3Error(
            f"there is no step {step}: the policy stops after {done} ({explanation.ending})"
        )
    say = speaker(json_path)
    if json_path is not None:
        last = min(explanation.steps, _MOST_STEPS)
        if step is None and last < explanation.steps:
            note(f"only the first {last} of {explanation.steps} steps are in the JSON; see --step")
        wanted = range(1, last + 1) if step is None else [step]
        write_json(json_path, explanation_values(explanation, wanted))
    if brief:
        say(tell_brief(explanation).rstrip())
    elif step is None:
        say(f"{tell_policy(policy, domain, explanation)}\n{tell(explanation).rstrip()}")
    else:
        say(tell_step(explanation, step).rstrip())
    if step is None and (way_on := tell_way_on(explanation)):
        say(way_on)
    if not explanation.execution.solved:
        raise typer.Exit(NO)
