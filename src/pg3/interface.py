"""The commands as functions of Python, and learning with scikit-learn's interface.

`learn`, `execute`, `plan`, `score`, `prove` and `explain` are such functions already. The others
are here: thin, and above everything that they call.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

import pg3
from pg3.analysis.challenge import Trial, find_counterexample, given_cases
from pg3.analysis.challenge.certificate import Hashed
from pg3.analysis.challenge.certifying import Subject
from pg3.analysis.challenge.certifying import certify as certify_subject
from pg3.analysis.doctor import examine
from pg3.errors import Pg3Error, did_you_mean, true_or_false, whole_number
from pg3.integrations.exports import EXPORTS
from pg3.learning.config import LearnConfig, configured
from pg3.pddl import write_domain, write_problem
from pg3.pddl.given import as_domain, as_path, as_sources, is_path, read_problems
from pg3.planning import Limits
from pg3.policy import as_policy, write_policy
from pg3.policy.model import DecisionList
from pg3.storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.analysis.challenge import Certificate, Search
    from pg3.analysis.doctor import Diagnosis
    from pg3.analysis.evaluation import Evaluation
    from pg3.learning.result import LearningResult
    from pg3.pddl import Atom, Domain, Problem
    from pg3.pddl.given import DomainLike, PathLike, ProblemLike, ProblemsLike
    from pg3.pddl.plans import GroundAction
    from pg3.policy.files import PolicyLike


def _given(
    problems: ProblemsLike, policy: PolicyLike, domain: DomainLike | None
) -> tuple[list[Problem], DecisionList]:
    if domain is None and isinstance(policy, DecisionList):
        domain = policy.domain
    found = read_problems(problems, domain)
    if not found:
        raise Pg3Error("no problems: at least one is needed")
    return found, as_policy(policy, found[0].domain)


def challenge(
    problems: ProblemsLike,
    policy: PolicyLike,
    *,
    domain: DomainLike | None = None,
    number: int = 300,
    seconds: float | None = None,
    seed: int = 0,
) -> Search:
    """Look for a solvable problem that the policy fails, and make it as small as possible.

    Tries so many problems: the given ones, larger ones made from them, and others that begin where
    actions lead to. `result.counterexample` is None if none is found.
    """
    found, policy = _given(problems, policy, domain)
    whole_number("number", number)
    whole_number("seed", seed)
    Limits(seconds=seconds)
    trial = Trial(policy)
    cases = given_cases(found, trial, seed=seed, walks=True)
    return find_counterexample(cases, trial, problems=number, seconds=seconds)


def certify(
    problems: ProblemsLike,
    policy: PolicyLike,
    *,
    domain: DomainLike | None = None,
    reachable: bool = False,
) -> Certificate:
    """Check a policy on problems, with `reachable` from all their states; what was checked.

    The certificate knows domain, policy and problems by the hashes of their texts as pg3 writes
    them; `pg3 certify` has the hashes of files.
    """
    found, policy = _given(problems, policy, domain)
    true_or_false("reachable", reachable)
    own = found[0].domain
    files = tuple(_hashed(one.name, write_problem(one)) for one in found)
    return certify_subject(
        _hashed(own.name, write_domain(own)),
        _hashed(policy.name, write_policy(policy, own)),
        Subject(found, "given", True, files=files),
        Trial(policy),
        reachable=reachable,
    )


def _hashed(name: str, text: str) -> Hashed:
    return Hashed(name, sha256(text.encode()).hexdigest())


def doctor(domain: PathLike, problems: PathLike | Iterable[PathLike]) -> Diagnosis:
    """Look at domain and problem files before learning: faults, sizes, what to change."""
    files = as_sources(problems)
    for one in (domain, *files):
        if not is_path(one):
            raise Pg3Error(f"doctor looks at files: the path of one is expected, not {one!r}")
    return examine(str(domain), [str(one) for one in files])


def export(
    policy: PolicyLike,
    to: str = "python",
    path: PathLike | None = None,
    *,
    domain: DomainLike | None = None,
) -> str:
    """The policy in a form for other programs, as text; also written to a file if there is a path.

    `to` is one of "python", "c", "json" and "pddl-axioms". A policy that was read or learned knows
    its domain.
    """
    if not isinstance(to, str) or to not in EXPORTS:
        to = str(to)
        hint = did_you_mean(to, EXPORTS) or f"there are {', '.join(EXPORTS)}"
        raise Pg3Error(f"there is no export to '{to}': {hint}")
    if domain is None and isinstance(policy, DecisionList):
        domain = policy.domain
    if domain is None:
        raise Pg3Error("the policy's domain is not known: give it, too")
    own: Domain = as_domain(domain)
    text = EXPORTS[to].policy_text(as_policy(policy, own), own)
    if path is not None:
        write_atomically(as_path(path), text)
    return text


class Learner:
    """Learning as in scikit-learn: `Learner(seed=1).fit(domain, problems).predict(problem)`.

    Options are those of `LearnConfig`. After `fit`, `result_` is what `learn` returns and `policy_`
    the policy.
    """

    def __init__(self, config: LearnConfig | None = None, **options: Any) -> None:
        self.config = configured(config, options)
        self.result_: LearningResult | None = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The options by their names."""
        return {name: getattr(self.config, name) for name in LearnConfig.__dataclass_fields__}

    def set_params(self, **options: Any) -> Self:
        """The learner with these options changed."""
        self.config = configured(self.config, options)
        return self

    def fit(self, domain: DomainLike, problems: ProblemsLike) -> Self:
        """Learn from the problems; the learner itself is returned."""
        # In a notebook that is the one that shows where it stands.
        self.result_ = pg3.learn(domain, problems, self.config)
        return self

    @property
    def policy_(self) -> DecisionList:
        """The learned policy; Pg3Error before `fit`."""
        if self.result_ is None:
            raise Pg3Error("nothing is learned yet: call fit(domain, problems) first")
        return self.result_.policy

    def predict(
        self, problem: ProblemLike, state: Iterable[Atom] | None = None
    ) -> GroundAction | None:
        """What the policy does in a state of a problem, by default the initial one."""
        return self.policy_.act(problem, state)

    def score(self, problems: ProblemsLike) -> float:
        """The share of the problems that the policy solves."""
        found: Evaluation = self.policy_.evaluate(problems)
        return found.rate

    def __repr__(self) -> str:
        known = LearnConfig()
        changed = {k: v for k, v in self.get_params().items() if v != getattr(known, k)}
        return f"Learner({', '.join(f'{k}={v!r}' for k, v in changed.items())})"
