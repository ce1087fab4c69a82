"""`learn --prove`: counterexamples to a proof go back to learning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pg3.cli.app import note
from pg3.cli.progress import with_progress
from pg3.errors import pluralize
from pg3.learning.learner import Status
from pg3.pddl.lexer import read_source
from pg3.storage import signals
from pg3.storage.files import is_regular

if TYPE_CHECKING:
    from contextlib import ExitStack

    from pg3.analysis.prove.proving import ProofResult
    from pg3.cli.learn import Session
    from pg3.learning.learner import LearningResult

# Times that it is learned again; policies that were proved in the end took one or two.
_ROUNDS = 6


def learn_until_proved(
    session: Session, result: LearningResult, stack: ExitStack, started: float
) -> tuple[Session, LearningResult, ProofResult]:
    """The policy that is proved, or the last one that is no worse than those before.

    The class is that of the given problems; counterexamples are only learned from.
    """
    # Few ask for it, and it takes a moment to import.
    from pg3.analysis.prove.proving import prove  # noqa: PLC0415

    domain, given, jobs = session.domain, session.problems, session.setup.config.jobs
    session.doing = "proved"
    for left in range(_ROUNDS, -1, -1):
        policy = result.policy
        proof = with_progress("proving", lambda: prove(domain, given, policy, jobs=jobs))  # noqa: B023
        if not proof.counterexamples or not left or session.left(started) == 0:
            break
        number = pluralize(len(proof.counterexamples), "counterexample")
        note(f"{proof.claim}; learns again from {number}")
        harder = session.with_problems(proof.counterexamples)
        again = harder.learn(stack, started, last=False)
        if not is_no_worse(again, result):
            note("that was not learned; the policy of before is kept")
            break
        session, result = harder, again
        session.doing = "proved"
        signals.heed(session.interrupted)
    return session, result, proof


def is_no_worse(again: LearningResult, before: LearningResult) -> bool:
    """Whether what was learned from counterexamples, too, may take the place of the other."""
    passes = again.status is Status.PASSED or before.status is not Status.PASSED
    return again.solved and passes


def write_certificate(
    proof: ProofResult | None, domain_path: str | None, output: str | None
) -> str | None:
    """Write the certificate beside the policy, POLICY.proof; its file, None if there is none."""
    if proof is None or not proof.proved or output is None or not is_regular(output):
        return None
    from pg3.analysis.prove.certificate import write_proof  # noqa: PLC0415

    assert domain_path is not None
    folder = Path(output).with_suffix(".proof")
    return write_proof(folder, read_source(domain_path).data, read_source(output).data, proof)
