"""All proposers keep one contract: the protocol, the same answer always, locked rules, limits."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from pg3.domains import DOMAINS
from pg3.learning.budget import Budget, LimitReached
from pg3.learning.config import LearnConfig
from pg3.learning.operators import PAPER_OPERATORS, locked_places
from pg3.learning.policy_search import StopReason
from pg3.learning.robustness.proposers import EXTENDED_MEMBERS, MEMBERS, Settings, proposers
from pg3.learning.training import Training
from pg3.policy import DecisionList, check_policy
from tests.support.ferry_problems import POLICY, ferry_problem, small_ferry_problems

if TYPE_CHECKING:
    from pg3.learning.policy_search import Candidate
    from pg3.learning.robustness.proposers import Proposal, Proposer
    from pg3.policy.rule_book import PolicyKey

# Without maps, with maps, with derived predicates, and where plans have long runs.
DOMAIN_NAMES = ("ferry", "transport", "blocksworld", "spanner")
FEW = 30


def training_of(name: str, **options: Any) -> Training:
    return Training(DOMAINS[name].problems("train", seed=0)[:3], any_plan=True, **options)


def of(working: Training, **options: Any) -> list[Proposer]:
    """All proposers for the problems."""
    config = LearnConfig(max_candidates=FEW)
    known = [task.problem for task in working.tasks]
    return list(proposers(Settings(**{"config": config, **options}), working, known))


@cache
def names(domain: str) -> list[str]:
    return [proposer.name for proposer in of(training_of(domain))]


ALL = [(domain, name) for domain in DOMAIN_NAMES for name in names(domain)]


def named(name: str, working: Training, **options: Any) -> Proposer:
    return next(one for one in of(working, **options) if one.name == name)


def proposed(
    domain: str, name: str, *, rounds: int = 1, jobs: int = 1, **options: Any
) -> tuple[list[Proposal | None], Training]:
    """What a proposer says, each time with a problem more."""
    problems = DOMAINS[domain].problems("train", seed=0)
    working = training_of(domain, jobs=jobs)
    proposer = named(name, working, **options)
    last: PolicyKey = options.get("first", ())
    found = []
    for number in range(rounds):
        if number:
            working = working.joined([working.task(problems[2 + number])], [2 + number])
        proposal = proposer.propose(working, last, lambda _: True)
        found.append(proposal)
        last = last if proposal is None else proposal.policy
    return found, working


# -- which there are -------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", DOMAIN_NAMES)
def test_each_has_a_name_of_its_own(domain: str) -> None:
    known = names(domain)
    assert len(set(known)) == len(known)
    assert [name for name in known if name in {m.name for m in MEMBERS}] == [
        member.name for member in MEMBERS
    ]
    extended = {member.name for member in EXTENDED_MEMBERS}
    assert extended.issubset(known) or extended.isdisjoint(known)


@pytest.mark.parametrize("domain", DOMAIN_NAMES)
def test_regression_comes_first(domain: str) -> None:
    assert names(domain)[0].startswith("goal regression")


@pytest.mark.parametrize("domain", DOMAIN_NAMES)
def test_no_regression_where_other_operators_are_asked_for(domain: str) -> None:
    """It is no search, and would ignore them; nor is it one that scores no candidate."""
    for config in (
        LearnConfig(operators=PAPER_OPERATORS[:2]),
        LearnConfig(max_candidates=0),
    ):
        known = [proposer.name for proposer in of(training_of(domain), config=config)]
        assert known
        assert not any(name.startswith("goal regression") for name in known)
    every = LearnConfig(operators=PAPER_OPERATORS)
    known = [proposer.name for proposer in of(training_of(domain), config=every)]
    assert known[0].startswith("goal regression")


# -- the contract ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("domain", "name"), ALL)
def test_a_proposal(domain: str, name: str) -> None:
    """It is a well-formed policy, with what it took; the working set is as it was."""
    (proposal,), working = proposed(domain, name)
    assert len(working) == 3
    if proposal is None:
        return
    check_policy(working.book.policy(proposal.policy, "p"), working.domain)
    assert isinstance(proposal.reason, StopReason)
    assert proposal.reason not in (StopReason.TIME, StopReason.MEMORY)
    # Larger languages have more candidates.
    assert proposal.expansions >= 0
    assert 0 <= proposal.candidates <= 4 * FEW


@pytest.mark.parametrize(("domain", "name"), ALL)
def test_the_same_always(domain: str, name: str) -> None:
    """Also when the working set has grown, and with more jobs."""
    runs = [proposed(domain, name, rounds=2, jobs=jobs) for jobs in (1, 2)]
    (one, working), (other, working_again) = runs
    assert [p and p._replace(policy=()) for p in one] == [
        p and p._replace(policy=()) for p in other
    ]
    for left, right in zip(one, other, strict=True):
        if left is not None and right is not None:
            assert working.book.policy(left.policy, "p") == working_again.book.policy(
                right.policy, "p"
            )


@pytest.mark.parametrize("name", names("ferry"))
@pytest.mark.parametrize("kept", [slice(0, 1), slice(1, 3), slice(0, 4)])
def test_locked_rules_are_in_every_proposal(name: str, kept: slice) -> None:
    working = Training(small_ferry_problems(3), any_plan=True)
    start = working.book.take(POLICY)
    locked = start[kept]
    last = start
    proposer = named(name, working, first=start, locked=locked)
    for _ in range(2):
        proposal = proposer.propose(working, last, lambda _: True)
        if proposal is None:
            return
        assert locked_places(proposal.policy, locked) is not None
        last = proposal.policy


@pytest.mark.parametrize("name", names("ferry"))
def test_a_good_start_stays_good(name: str) -> None:
    """What solves every problem is proposed as it is, or something that solves them, too."""
    working = Training(small_ferry_problems(3), any_plan=True)
    start = working.book.take(POLICY)
    proposer = named(name, working, first=start, locked=())
    proposal = proposer.propose(working, start, lambda _: True)
    assert proposal is not None
    assert None not in working.solved_steps(proposal.policy)


@pytest.mark.parametrize("name", names("ferry"))
def test_a_start_that_lacks_a_rule_is_gone_on_with(name: str) -> None:
    working = Training(small_ferry_problems(3), any_plan=True)
    start = working.book.take(DecisionList("p", POLICY.rules[:3]))
    config = LearnConfig(max_candidates=2500)
    proposer = named(name, working, first=start, locked=start, config=config)
    proposal = proposer.propose(working, start, lambda _: True)
    assert proposal is not None
    assert locked_places(proposal.policy, start) is not None
    before, after = working.solved_steps(start), working.solved_steps(proposal.policy)
    assert after.count(None) <= before.count(None)


@pytest.mark.parametrize(("domain", "name"), ALL)
def test_a_limit_is_told_or_raised(domain: str, name: str) -> None:
    working = training_of(domain)
    proposer = named(name, working)
    working.budget.seconds = 0.0
    try:
        proposal = proposer.propose(working, (), lambda _: True)
    except LimitReached as limit:
        assert limit.reason == "time limit"
    else:
        assert proposal is not None
        assert proposal.reason == StopReason.TIME


@pytest.mark.parametrize(("domain", "name"), ALL)
def test_candidates_are_told_of(domain: str, name: str) -> None:
    """Under the proposer's name, perhaps with the round, numbered from 0, and each well formed."""
    told: list[tuple[str, Candidate]] = []
    (proposal,), working = proposed(
        domain, name, observe=lambda method, candidate: told.append((method, candidate))
    )
    if proposal is None:
        return
    assert {method for method, _ in told} == {name}
    assert [candidate.number for _, candidate in told] == list(range(len(told)))
    known = working.with_plans().indices
    for _, candidate in told:
        assert set(candidate.problems) <= {*working.indices, *known}
        check_policy(working.book.policy(candidate.policy, "p"), working.domain)


def test_a_search_goes_on_until_its_policy_is_accepted() -> None:
    working = Training(small_ferry_problems(3), any_plan=True)
    config = LearnConfig(max_candidates=300)
    asked: list[PolicyKey] = []

    def refuse(policy: PolicyKey) -> bool:
        asked.append(policy)
        return False

    name = MEMBERS[0].name
    refused = named(name, working, config=config).propose(working, (), refuse)
    accepted = named(name, working, config=config).propose(working, (), lambda _: True)
    assert refused is not None
    assert accepted is not None
    assert asked
    assert len(set(asked)) == len(asked)
    assert accepted.policy == asked[0]
    assert accepted.candidates < refused.candidates


def test_regression_goes_on_with_what_it_knows() -> None:
    """What it learned from one problem is there when a second comes."""
    problems = [
        ferry_problem({"c0": "l0"}, {"c0": "l1"}, 3, "here"),
        ferry_problem({"c0": "l2"}, {"c0": "l1"}, 3, "there"),
    ]
    working = Training(problems[:1], any_plan=True, budget=Budget())
    proposer = named("goal regression", working)
    first = proposer.propose(working, (), lambda _: True)
    working = working.joined([working.task(problems[1])], [1])
    assert first is not None
    second = proposer.propose(working, first.policy, lambda _: True)
    assert second is not None
    assert set(first.policy) <= set(second.policy)
    assert None not in working.solved_steps(second.policy)
