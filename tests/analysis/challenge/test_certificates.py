"""Certificates: their counts against slow, obvious ones, and what the reader refuses."""

from __future__ import annotations

import json
from collections import deque
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest

import pg3
from pg3.analysis.challenge import Trial, certify, read_certificate
from pg3.analysis.challenge.certificate import Hashed, write_certificate
from pg3.analysis.challenge.certifying import all_of, given, sample_of
from pg3.analysis.challenge.enumeration import EveryChoice, every_problem
from pg3.analysis.challenge.reachable import check_reachable
from pg3.domains import DOMAINS, BuiltInDomain
from pg3.errors import Pg3Error, Source
from pg3.learning.robustness.perturbations.random_starts import started_from
from pg3.pddl import Problem, write_problem
from tests.analysis.challenge.test_counterexamples import BROKEN, PAPER, broken, correct

if TYPE_CHECKING:
    from pathlib import Path

FILE = Hashed("a file", sha256(b"").hexdigest())


# -- all problems of a generator -------------------------------------------------------------------


def test_every_sequence_of_choices_comes_once() -> None:
    chance, seen = EveryChoice(), []
    while True:
        first = chance.below(3)
        seen.append((first, chance.between(5, 6)) if first else (first,))
        if not chance.advance():
            break
    assert seen == [(0,), (1, 5), (1, 6), (2, 5), (2, 6)]


def test_all_ferry_problems_with_three_objects() -> None:
    # Two locations and a car: the ferry at either, the car at either and not where it belongs.
    problems, complete = every_problem(DOMAINS["ferry"], 3, 1000)
    assert complete
    assert len(problems) == len(set(map(content, problems))) == 4


def content(problem: Problem) -> tuple[object, ...]:
    return problem.objects, frozenset(problem.init), frozenset(problem.goal)


@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
def test_what_a_generator_draws_is_among_all_that_it_can_make(domain: BuiltInDomain) -> None:
    sizes = {size.name: (size.least, size.least) for size in domain.sizes}
    problems: list[Problem] = []
    for seed in range(6):
        try:
            problems += domain.problems(seed=seed, count=1, sizes=sizes)
        except Pg3Error:  # the least of everything is impossible here
            return
    (number,) = {len(problem.objects) for problem in problems}  # decided by the sizes
    everything, complete = every_problem(domain, number, 3000)
    if complete:
        known = set(map(content, everything))
        assert all(content(problem) in known for problem in problems)


def test_the_limit_on_rounds_is_kept() -> None:
    problems, complete = every_problem(DOMAINS["ferry"], 5, 10)
    assert not complete
    assert 0 < len(problems) <= 10


def test_sizes_without_a_problem_are_refused() -> None:
    with pytest.raises(Pg3Error, match=r"^spanner has no problem with at most 3 objects$"):
        all_of(DOMAINS["spanner"], 3, 100)


# -- all states of a problem -----------------------------------------------------------------------


def slow_counts(problem: Problem, trial: Trial) -> tuple[int, int, int]:
    """States solved, failed and unsolvable: each one a problem of its own, planned and executed."""
    task = pg3.Task(problem)
    states, pending = {task.initial_state}, deque([task.initial_state])
    while pending:
        state = pending.popleft()
        for action in task.applicable(state):
            after = task.successor(state, action)
            if after not in states:
                states.add(after)
                pending.append(after)
    solved = failed = unsolvable = 0
    for state in states:
        one = started_from(problem, state)
        if not pg3.plan(one).solved:
            unsolvable += 1
        elif pg3.execute(one, trial.policy, max_steps=trial.max_steps).solved:
            solved += 1
        else:
            failed += 1
    return solved, failed, unsolvable


SMALL = {
    "delivery": {"locations": (3, 3), "requests": (1, 1), "extra": (0, 0)},
    "forest": {"height": (3, 3), "width": (2, 2)},
    "gripper": {"balls": (2, 2), "rooms": (2, 2), "targets": (1, 1)},
    "miconic": {"buildings": (1, 1), "floors": (3, 3), "passengers": (2, 2)},
    "ferry": {"locations": (2, 2), "cars": (2, 2)},
    "spanner": {"spanners": (2, 2), "nuts": (2, 2), "locations": (1, 1)},
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", [*PAPER, *BROKEN])
def test_counts_of_states_are_those_of_planning_and_executing_each(name: str) -> None:
    trial = broken(name) if name in BROKEN else correct(name)
    domain = DOMAINS[name.split("-", maxsplit=1)[0]]
    for problem in domain.problems(seed=3, count=1, sizes=SMALL[domain.name]):
        for max_steps in (None, 2):
            limited = Trial(trial.policy, max_steps)
            found = check_reachable(pg3.Task(problem), limited, 10_000)
            assert found is not None
            counts = found.solved, len(found.failed), found.unsolvable
            assert counts == slow_counts(problem, limited)


def test_too_many_states_leave_the_initial_one() -> None:
    problems = DOMAINS["ferry"].problems(seed=0, count=2)
    sources = [Source("a", b""), Source("b", b"")]
    found = certify(
        FILE, FILE, given(problems, sources), correct("ferry"), reachable=True, most_states=10
    )
    assert not found.complete
    assert (found.counts.cut_off, found.counts.starts, found.counts.solved) == (2, 2, 2)
    assert "not all of them in 2 problems" in found.claim


# -- the file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("reachable", [False, True])
def test_certificates_read_back_as_they_were(tmp_path: Path, reachable: bool) -> None:
    ferry, path = DOMAINS["ferry"], tmp_path / "c.json"
    for trial, passed in ((correct("ferry"), True), (broken("ferry-boards-anything"), False)):
        problem = ferry.problems(seed=0, count=1, sizes=SMALL["ferry"])
        source = Source("p.pddl", write_problem(problem[0]).encode())
        for subject in (
            all_of(ferry, 4, 10_000),
            sample_of(ferry, trial, 25, 0),
            given(problem, [source]),
        ):
            found = certify(
                FILE, FILE, subject, trial, reachable=reachable and subject.coverage != "sample"
            )
            write_certificate(path, found)
            assert read_certificate(path) == found
            assert found.passed or not passed
    assert not found.passed or not reachable


def test_claims_say_what_was_done() -> None:
    ferry, trial = DOMAINS["ferry"], correct("ferry")
    every = certify(FILE, FILE, all_of(ferry, 3, 1000), trial)
    assert every.claim == (
        "all 4 problems with at most 3 objects that generator 'ferry' can make: 4 solved, 0 failed"
    )
    part = certify(FILE, FILE, all_of(ferry, 5, 30), trial)
    assert ", not all that generator 'ferry' can make: " in part.claim
    sample = certify(FILE, FILE, sample_of(ferry, trial, 7, 2), trial)
    assert sample.claim.startswith("a sample of 7 problems of generator 'ferry' (seed 2): 7 solved")
    stopped = certify(FILE, FILE, all_of(ferry, 3, 1000), Trial(trial.policy, max_steps=1))
    assert stopped.claim.endswith(": 0 solved, 4 failed")
    assert len(stopped.failures) == 4


def certificate() -> dict[str, Any]:
    found = certify(FILE, FILE, all_of(DOMAINS["ferry"], 3, 1000), correct("ferry"))
    content: dict[str, Any] = json.loads(found.to_json())
    return content


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "certificate", "no certificate: 'format': \"pg3-certificate\" is expected"),
        (["version"], 2, "'version': this pg3 reads version 1, not 2"),
        (["claim"], "solves everything", "'claim': it is not what the counts say"),
        (["counts", "solved"], 5, "the counts do not add up to the starts"),
        (["counts", "problems"], 5, "every problem has one initial state"),
        (["counts", "failed"], -1, "'counts.failed': a whole number from 0 is expected, not -1"),
        (["counts", "failed"], 1.5, "'counts.failed': a whole number from 0 is expected, not 1.5"),
        (
            ["counts", "failed"],
            True,
            "'counts.failed': a whole number from 0 is expected",
        ),
        (["counts", "lucky"], 1, "'counts.lucky' is not known"),
        (["counts", "cut_off"], 1, "not complete: some problems were cut off"),
        (["complete"], "yes", "'complete': true or false is expected"),
        (["coverage"], "everything", "'coverage': one of all, sample, given is expected"),
        (["coverage"], ["all"], "'coverage': one of all, sample, given is expected"),
        (["coverage"], "given", "files are listed where the problems were given"),
        (["coverage"], "sample", '"objects" goes with coverage "all"'),
        (["generator"], None, "a generator is named where it made the problems"),
        (["domain", "sha256"], "abc", "'domain.sha256': an SHA-256 is expected, not"),
        (["policy"], [], "'policy': an object is expected, not a list"),
        (["failures"], [{}], "'failures[0].problem' is missing"),
        (["failures"], {}, "'failures': a list is expected, not an object"),
        (["pg3"], 1, "'pg3': a text is expected, not 1"),
        (
            ["limits", "states"],
            None,
            "'limits.states': a whole number from 0 is expected",
        ),
    ],
)
def test_the_reader_refuses(path: list[str], value: object, message: str, tmp_path: Path) -> None:
    content = certificate()
    inner = content
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    file = tmp_path / "c.json"
    file.write_text(json.dumps(content))
    with pytest.raises(Pg3Error) as error:
        read_certificate(file)
    assert str(error.value).startswith(f"{file}: ")
    assert message in str(error.value)


def test_what_is_missing_or_no_json(tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    for key in certificate():
        content = certificate()
        del content[key]
        file.write_text(json.dumps(content))
        with pytest.raises(Pg3Error):
            read_certificate(file)
    for text in ("", "[1", "[]", "[" * 100_000, '"\\ud800"'):
        file.write_text(text)
        with pytest.raises(Pg3Error, match=r"not JSON|no certificate"):
            read_certificate(file)
