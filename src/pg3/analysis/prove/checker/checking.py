"""Checking a certificate folder: everything again, by every solver that is installed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.analysis.prove.checker.format import read_proof, sha256
from pg3.analysis.prove.checker.obligations import obligations
from pg3.analysis.prove.checker.solvers import solvers, z3_refutes
from pg3.analysis.prove.checker.terms import Refused
from pg3.pddl import parse_domain
from pg3.pddl.lexer import read_source
from pg3.policy import read_policy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pg3.analysis.prove.checker.obligations import Obligation


@dataclass(frozen=True)
class CheckResult:
    """Whether a certificate holds: `fault` is None if it does.

    `confirmed` has for each solver how many of the obligations it confirmed; z3 must confirm all,
    another solver may not know.
    """

    fault: str | None
    obligations: int = 0
    confirmed: tuple[tuple[str, int], ...] = ()
    claim: str = ""


def check_proof(folder: Path, domain_path: str, policy_path: str, jobs: int = 1) -> CheckResult:
    """Regenerate and discharge every obligation; Pg3Error if a file cannot be read."""
    proof = read_proof(folder)
    source = read_source(domain_path)
    domain = parse_domain(source.data, source.name)
    policy = read_policy(policy_path, domain)
    for what, data, known in (
        ("domain", source.data, proof.domain),
        ("policy", read_source(policy_path).data, proof.policy),
    ):
        if sha256(data) != known:
            return CheckResult(f"it is a proof about another {what}")
    words = proof.problem_class["words"]
    if proof.claim != f"Proved: solves every problem in which {'; '.join(words)}.":
        return CheckResult("its claim is not what its class says")
    try:
        made = list(obligations(domain, policy, proof.problem_class, proof.ranking, proof.uses))
    except Refused as error:
        return CheckResult(str(error))
    counts = []
    for name, refutes in solvers().items():
        answers = discharge(made, refutes, jobs)
        failed = [one.name for one, good in zip(made, answers, strict=True) if not good]
        if failed and refutes is z3_refutes:
            return CheckResult(f"z3 does not confirm '{failed[0]}'", len(made))
        counts.append((name, len(made) - len(failed)))
    return CheckResult(None, len(made), tuple(counts), proof.claim)


def discharge(
    made: Sequence[Obligation], refutes: Callable[[str], bool], jobs: int = 1
) -> list[bool]:
    """Whether a solver shows each obligation; the same answers for any number of jobs."""
    if jobs == 1:
        return [refutes(one.script) for one in made]
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda one: refutes(one.script), made))
