"""Proofs that other commands read: why a policy ends."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pg3.cli.app import note

if TYPE_CHECKING:
    from pg3.analysis.prove.measured import Ranked
    from pg3.pddl import Problem
    from pg3.policy import DecisionList

ProofFolder = Annotated[
    str | None,
    typer.Option(
        "--proof", metavar="FOLDER", help="Say of each step which measure of a proof it decreases."
    ),
]


def ranking_of(
    proof: str | None,
    domain_path: str,
    policy_path: str,
    policy: DecisionList,
    problem: Problem | None,
) -> Ranked | None:
    """The ranking of a proof; None if there is no proof or problem, or it is not in the class.

    Pg3Error if the proof is about another domain or policy.
    """
    if proof is None or problem is None:
        return None
    # Few ask for it, and it takes a moment to import.
    from pg3.analysis.prove.measured import Ranked  # noqa: PLC0415

    found = Ranked.of_proof(Path(proof), domain_path, policy_path, policy, problem.domain)
    reason = found.members.reason_against(problem)
    if reason is not None:
        note(f"not in the class of {proof}: {reason}")
        return None
    return found
