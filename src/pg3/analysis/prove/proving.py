"""`prove`: from domain, problems and policy to a proof, a counterexample, or neither.

A proof is what the independent checker has accepted, whatever the search says.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from pg3.analysis.prove.certificate import class_json, uses_json
from pg3.analysis.prove.checker.checking import discharge
from pg3.analysis.prove.checker.obligations import obligations
from pg3.analysis.prove.checker.solvers import z3_refutes
from pg3.analysis.prove.checker.terms import Refused
from pg3.analysis.prove.countermodels import counterexamples, how_it_fails, validated
from pg3.analysis.prove.logic.theory import Theory, Unsupported
from pg3.analysis.prove.logic.z3_terms import load_z3
from pg3.analysis.prove.mining.samples import sample
from pg3.analysis.prove.reasoning import Status
from pg3.analysis.prove.search import Search
from pg3.errors import Pg3Error, whole_number
from pg3.pddl.given import as_domain, read_problems
from pg3.policy.files import as_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3.analysis.prove.checker.obligations import Obligation
    from pg3.analysis.prove.search import Found
    from pg3.pddl.given import DomainLike, ProblemsLike
    from pg3.pddl.model import Problem
    from pg3.policy.files import PolicyLike
    from pg3.policy.model import DecisionList


class Verdict(StrEnum):
    """What `prove` came to."""

    PROVED = "proved"
    NOT_PROVED = "not proved"
    OPEN = "open"


@dataclass(frozen=True)
class ProofResult:
    """Proved, with everything that a certificate needs; or why not.

    `counterexamples` are problems that a planner solves and the policy fails. Without one nothing
    is said against the policy: `reason` tells which condition could not be shown.
    """

    verdict: Verdict
    reason: str
    counterexamples: tuple[Problem, ...] = ()
    problem_class: dict[str, Any] = field(default_factory=dict)
    ranking: dict[str, Any] = field(default_factory=dict)
    obligations: tuple[Obligation, ...] = ()

    def __str__(self) -> str:
        return self.claim

    def __repr__(self) -> str:
        return f"<proof: {self.claim}>"

    @property
    def proved(self) -> bool:
        """Whether the policy is proved to solve every problem of the class."""
        return self.verdict is Verdict.PROVED

    @property
    def counterexample(self) -> Problem | None:
        """The first counterexample, if there is one."""
        return next(iter(self.counterexamples), None)

    @property
    def words(self) -> list[str]:
        """The class in words, a condition a line."""
        words: list[str] = self.problem_class.get("words", [])
        return words

    @property
    def claim(self) -> str:
        """The answer in one line."""
        if self.proved:
            return f"Proved: solves every problem in which {'; '.join(self.words)}."
        name = "Open" if self.verdict is Verdict.OPEN else "Not proved"
        return f"{name}: {self.reason}"


def prove(
    domain: DomainLike,
    problems: ProblemsLike,
    policy: PolicyLike,
    *,
    jobs: int = 1,
) -> ProofResult:
    """Look for a proof that the policy solves every problem of a class, which the problems show.

    Obligations are checked by `jobs` threads, with the same answer for any number. Pg3Error if
    there are no problems, or if the solver z3 is not installed.
    """
    load_z3()
    whole_number("jobs", jobs, 1)
    domain = as_domain(domain)
    problems = read_problems(problems, domain)
    policy = as_policy(policy, domain)
    if not problems:
        raise Pg3Error("a proof needs problems: they show which class it is about")
    try:
        theory = Theory.of_problems(domain, policy, problems)
        samples = sample(theory, problems, policy)
        if samples.failed:
            return _fails_given(samples.failed, policy)
        search = Search(theory, samples)
        found = search.run()
    except Unsupported as error:
        return ProofResult(Verdict.OPEN, f"not supported: {error}")
    if not found.proved:
        return _refused(search, found)
    return _checked(search, found, jobs)


def _fails_given(failed: Sequence[Problem], policy: DecisionList) -> ProofResult:
    """The policy fails some of the given problems: a counterexample if a planner solves one."""
    for problem in failed:
        if validated(problem, policy):
            reason = f"the policy fails the given problem {problem.name}"
            return ProofResult(Verdict.NOT_PROVED, reason, (problem,))
    reason = f"the policy fails the given problem {failed[0].name}, and so does the planner"
    return ProofResult(Verdict.OPEN, reason)


def _checked(search: Search, found: Found, jobs: int) -> ProofResult:
    """The proof that the search found, if the checker accepts it."""
    assert found.ranking is not None
    theory = search.theory
    names = [rule.name for rule in theory.policy.rules]
    uses = search.uses(found)
    problem_class = class_json(search, found, uses)
    ranking = found.ranking.to_json(names)
    try:
        made = tuple(
            obligations(theory.domain, theory.policy, problem_class, ranking, uses_json(uses))
        )
    except Refused as error:
        return ProofResult(Verdict.OPEN, f"the checker refuses the proof: {error}")
    for one, confirmed in zip(made, discharge(made, z3_refutes, jobs), strict=True):
        if not confirmed:
            return ProofResult(Verdict.OPEN, f"the checker cannot confirm '{one.name}'")
    return ProofResult(Verdict.PROVED, "", (), problem_class, ranking, made)


def _refused(search: Search, found: Found) -> ProofResult:
    """Why there is no proof; with counterexamples if countermodels are some."""
    policy = search.theory.policy
    examples = counterexamples(search.theory, search.countermodels(found))
    fails = how_it_fails(examples[0], policy) if examples else ""
    if not found.failures and found.stuck:
        rules = ", ".join(policy.rules[i].name for i in found.stuck[0])
        reason = f"no measure decreases for the rules {rules}" + (f" ({fails})" if fails else "")
        return ProofResult(Verdict.NOT_PROVED, reason, examples)
    if examples:
        return ProofResult(Verdict.NOT_PROVED, fails, examples)
    for failure in found.failures:
        if failure.answer.status is Status.OPEN:
            return ProofResult(Verdict.OPEN, f"the solver's limit, on '{failure.condition}'")
    if found.failures:
        reason = f"'{found.failures[0].condition}' does not follow from the invariants found"
        return ProofResult(Verdict.OPEN, reason)
    return ProofResult(Verdict.OPEN, "no set of invariants was preserved within the rounds")
