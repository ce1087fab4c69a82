"""`learn --prove`: counterexamples to a proof go back to learning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pg3.cli.app import note
from pg3.pddl.lexer import read_source
from pg3.storage import signals
from pg3.storage.files import is_regular

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import ExitStack

    from pg3.analysis.prove.proving import ProofResult
    from pg3.cli.learning.session import Session
    from pg3.learning.result import LearningResult
    from pg3.pddl import Problem


def prove_learned(
    session: Session, result: LearningResult, stack: ExitStack, started: float
) -> tuple[Session, LearningResult, ProofResult]:
    """The session, the policy and the proof that learning until proved ends with."""
    # Few ask for it, and it takes a moment to import.
    from pg3.analysis.prove.learning import learn_until_proved  # noqa: PLC0415

    sessions = {id(result): session}

    def learn(more: Sequence[Problem]) -> LearningResult | None:
        if not more:
            return result
        if session.left(started) == 0:
            return None
        harder = session.with_problems(more)
        harder.doing = "proved"
        again = harder.learn(stack, started, last=False)
        sessions[id(again)] = harder
        return again

    session.doing = "proved"
    domain, given, jobs = session.domain, session.problems, session.setup.config.jobs
    found, proof = learn_until_proved(domain, given, learn, jobs=jobs, say=note)
    last = sessions[id(found)]
    signals.on_signal(last.interrupted)
    return last, found, proof


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
