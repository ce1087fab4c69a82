"""Grown problems keep what the given ones have in common; policies for the domain solve them."""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from itertools import cycle
from typing import TYPE_CHECKING

import pytest
from benchmarks.workplace import WORKPLACE
from hypothesis import given
from hypothesis import strategies as st

from pg3.domains import DOMAINS
from pg3.learning.robustness.growing import Grower
from pg3.learning.robustness.growing.mining import Mined
from pg3.learning.robustness.growing.mutex_groups import mutex_groups
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.maps import Shape
from pg3.pddl import Problem, parse_domain, parse_problem, write_problem
from pg3.planning import execute
from pg3.planning.solvability import Solvability, find_out
from pg3.policy import read_policy
from tests.conftest import REPOSITORY
from tests.support.random_problems import AXIOMS, PAPER, Features, domains
from tests.support.random_problems import problems as problems_of

if TYPE_CHECKING:
    from collections.abc import Sequence

ALL = {**DOMAINS, **WORKPLACE}
POLICIES = {
    "delivery": "delivery",
    "forest": "forest",
    "gripper": "gripper",
    "miconic": "miconic",
    "ferry": "ferry",
    "spanner": "spanner",
    "blocksworld": "extended/blocksworld",
    "blocksworld-partial": "extended/blocksworld",
    "childsnack": "extended/childsnack",
    "floortile": "extended/floortile",
    "barman": "extended/barman",
    "rovers-traverse": "extended/rovers-traverse",
    "transport-roads": "extended/transport-roads",
    "logistics": "moose/logistics",
    "rovers": "moose/rovers",
    "satellite": "moose/satellite",
}


def grown(problems: Sequence[Problem], times: float, *, count: int = 6) -> list[Problem]:
    grower, generator = Grower(problems), random.Random(0)
    found = []
    for i in range(count):
        problem = grower.grow(problems[i % len(problems)], generator, times=times)
        assert problem is not None
        found.append(problem)
    return found


@pytest.mark.parametrize("name", ALL)
def test_grown_problems_are_larger_and_can_be_written(name: str) -> None:
    problems = ALL[name].problems("train", seed=0)
    for times in (2.0, 5.0):
        for i, problem in enumerate(grown(problems, times)):
            before = len(problems[i % len(problems)].objects)
            assert 0.75 * times <= len(problem.objects) / before <= 1.4 * times + 1
            assert parse_problem(write_problem(problem), problem.domain).same_as(problem)
            assert problem.minimizes_cost == problems[0].minimizes_cost
            assert not set(problem.goal) <= set(problem.init)


@pytest.mark.parametrize("name", ALL)
def test_grown_problems_keep_the_mined_facts(name: str) -> None:
    problems = ALL[name].problems("train", seed=0)
    mined = Mined([Source(problem) for problem in problems])
    for problem in grown(problems, 4.0):
        source = Source(problem)
        for group in mined.groups:
            for atoms in (problem.init, problem.goal):
                assert all(weight == 1 for weight in group.weights(atoms).values())
        for sort in mined.fixed:
            assert len(source.of_sort[sort]) == len(Source(problems[0]).of_sort[sort])
        for predicates, atoms in ((mined.once, problem.init), (mined.once_goal, problem.goal)):
            counts = Counter(atom.predicate for atom in atoms)
            assert all(counts[predicate] == 1 for predicate in predicates)
        for predicate, places in mined.single.items():
            rows = [terms for name_, terms in source.static if name_ == predicate]
            for place in places:
                assert len({(*row[:place], *row[place + 1 :]) for row in rows}) == len(rows)
        for map_, shaped in zip(mined.maps, Mined([source]).maps, strict=True):
            if map_.is_line:
                assert len(map_.line(source)) == len(map_.vertices(source))
            if map_.shape is Shape.CONNECTED:
                assert shaped.shape is not Shape.APART
        assert {a.predicate for a in problem.goal} <= {
            a.predicate for given in problems for a in given.goal
        }


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_for_the_domain_solves_grown_problems(name: str) -> None:
    domain = DOMAINS[name]
    path = REPOSITORY / "examples" / "policies" / f"{POLICIES[name]}.policy"
    policy = read_policy(str(path), domain.domain)
    problems = domain.problems("train", seed=1)
    found = grown(problems, 5.0, count=10)
    solvable = [p for p in found if name != "spanner" or _spanners_in_reach(p) >= len(p.goal)]
    assert len(solvable) > len(found) / 2
    assert all(execute(problem, policy, max_steps=20_000).solved for problem in solvable)


def _spanners_in_reach(problem: Problem) -> int:
    """Each tightens one nut; nothing that is mined says that enough lie ahead of the man."""
    then = {a.terms[0]: a.terms[1] for a in problem.init if a.predicate == "link"}
    at = {a.terms[0]: a.terms[1] for a in problem.init if a.predicate == "at"}
    (place,) = [at[o.name] for o in problem.objects if o.type == "man"]
    ahead = [place]
    while place in then:
        place = then[place]
        ahead.append(place)
    return sum(o.type == "spanner" and at[o.name] in ahead for o in problem.objects)


@pytest.mark.parametrize("name", ["baggage", "library", "mine", "parcels"])
def test_search_solves_grown_problems_of_working_life(name: str) -> None:
    for problem in grown(WORKPLACE[name].problems("train", seed=1), 2.5, count=4):
        assert find_out(problem) is Solvability.SOLVABLE


def test_the_hash_seed_does_not_matter() -> None:
    program = """
import random
from pg3.domains import DOMAINS
from pg3.learning.robustness.growing import Grower
from pg3.pddl import write_problem
for name in ("rovers-traverse", "floortile", "miconic-once", "logistics"):
    problems = DOMAINS[name].problems("train", seed=0)
    print(write_problem(Grower(problems).grow(problems[0], random.Random(1), times=3)))
"""
    texts = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={"PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1


def test_a_thousand_objects() -> None:
    problems = WORKPLACE["parcels"].problems("train", seed=0)
    (problem,) = grown(problems, 3000 / len(problems[0].objects), count=1)
    assert len(problem.objects) >= 3000


# -- single mechanisms -----------------------------------------------------------------------------

WARD = parse_domain("""
(define (domain ward) (:requirements :typing :action-costs)
  (:types room floor patient nurse level)
  (:constants pharmacy - room)
  (:predicates (on-floor ?r - room ?f - floor) (lift-at ?f - floor) (in ?p - patient ?r - room)
    (at ?n - nurse ?r - room) (next ?a ?b - level) (stock ?l - level)
    (carries ?n - nurse ?p - patient))
  (:functions (total-cost) - number (way ?a ?b - room) - number)
  (:action go :parameters (?n - nurse ?a ?b - room) :precondition (at ?n ?a)
    :effect (and (at ?n ?b) (not (at ?n ?a)) (increase (total-cost) (way ?a ?b))))
  (:action lift :parameters (?a ?b - floor) :precondition (lift-at ?a)
    :effect (and (lift-at ?b) (not (lift-at ?a))))
  (:action use :parameters (?n - nurse ?p - patient ?r - room ?a ?b - level)
    :precondition (and (in ?p ?r) (at ?n ?r) (stock ?b) (next ?a ?b))
    :effect (and (carries ?n ?p) (not (in ?p ?r)) (stock ?a) (not (stock ?b)))))
""")


def ward(rooms: int, floors: int, patients: int) -> Problem:
    places = ["pharmacy", *(f"r{i}" for i in range(rooms))]
    objects = [f"r{i} - room" for i in range(rooms)] + [f"f{i} - floor" for i in range(floors)]
    objects += [f"p{i} - patient" for i in range(patients)]
    facts = [f"(on-floor {place} f{i % floors})" for i, place in enumerate(places)]
    facts += [f"(in p{i} r{i % rooms})" for i in range(patients)]
    facts += [f"(= (way {a} {b}) 2)" for a in places for b in places if a != b]
    return parse_problem(
        f"""(define (problem w{rooms}) (:domain ward)
          (:objects n - nurse l0 l1 l2 - level {" ".join(objects)})
          (:init (= (total-cost) 0) (lift-at f0) (at n r0) (next l0 l1) (next l1 l2) (stock l2)
                 {" ".join(facts)})
          (:goal (and {" ".join(f"(carries n p{i})" for i in range(patients))}))
          (:metric minimize (total-cost)))""",
        WARD,
    )


def test_what_is_shared_and_what_is_not() -> None:
    problems = [ward(2, 1, 1), ward(3, 2, 2), ward(4, 2, 3)]
    for problem in grown(problems, 4.0):
        types = Counter(o.type for o in problem.objects)
        facts = Counter(atom.predicate for atom in problem.init)
        assert types["nurse"] == 1
        assert types["level"] == 3, "numbers are shared by position"
        assert types["patient"] > 3
        assert facts["lift-at"] == facts["stock"] == facts["at"] == 1
        assert facts["next"] == 2
        # Each room, the constant included, is on exactly one floor; all ways have a length.
        rooms = types["room"] + 1
        assert facts["on-floor"] == rooms
        assert len(problem.function_values) == rooms * (rooms - 1)
        assert facts["in"] == types["patient"] == len(problem.goal)


def test_one_problem_is_enough() -> None:
    for name in ("ferry", "logistics", "spanner", "blocksworld"):
        (problem,) = DOMAINS[name].problems("train", seed=0, count=1)
        (larger,) = grown([problem], 3.0, count=1)
        assert len(larger.goal) > len(problem.goal)


def test_nothing_to_grow() -> None:
    domain = parse_domain("""(define (domain d) (:predicates (on) (off))
      (:action switch :parameters () :precondition (off) :effect (and (on) (not (off)))))""")
    problem = parse_problem("(define (problem p) (:domain d) (:init (off)) (:goal (on)))", domain)
    assert Grower([problem]).grow(problem, random.Random(0), times=3) is None


def test_mutex_groups_of_blocksworld() -> None:
    problems = DOMAINS["blocksworld"].problems("train", seed=0)
    groups = mutex_groups(problems[0].domain, [problem.init for problem in problems])
    assert [[part.predicate for part in group.parts] for group in groups] == [
        ["arm-empty", "holding"],
        ["clear", "holding", "on"],
        ["holding", "on", "on-table"],
    ]


@pytest.mark.filterwarnings("ignore::pg3.errors.InputWarning")
@given(data=st.data(), features=st.sampled_from([PAPER, AXIOMS]), seed=st.integers(0, 3))
def test_any_problems_grow_or_not(data: st.DataObject, features: Features, seed: int) -> None:
    """Also where problems have no sense: objects that are related to themselves, no actions."""
    domain = data.draw(domains(features))
    given_ones = [data.draw(problems_of(features, domain)) for _ in range(seed + 1)]
    for problem, times in zip(given_ones, cycle((1.5, 4.0)), strict=False):
        larger = Grower(given_ones).grow(problem, random.Random(seed), times=times)
        if larger is not None:
            assert len(larger.objects) > len(problem.objects)
            assert parse_problem(write_problem(larger), domain).same_as(larger)
