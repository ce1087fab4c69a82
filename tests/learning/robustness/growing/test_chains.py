"""Longer chains: where a relation makes several, and what is copied with a new object."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from benchmarks.workplace.held_out import HELD_OUT

from pg3.domains import DOMAINS
from pg3.learning.robustness.growing.mining import Mined
from pg3.learning.robustness.growing.sources import Source
from pg3.learning.robustness.growing.structure.chains import Chains
from pg3.pddl import Problem, parse_domain, parse_problem, write_problem
from pg3.planning import Limits, plan

JOBS = parse_domain("""
    (define (domain jobs) (:requirements :typing)
      (:types job step tool note - object)
      (:predicates (first ?j - job ?s - step) (last ?s - step ?j - job) (then ?s ?t - step)
        (of ?n - note ?s - step) (read ?n - note) (uses ?s - step ?t - tool)
        (ready ?s - step) (done ?s - step) (finished ?j - job))
      (:action begin :parameters (?j - job ?s - step) :precondition (first ?j ?s)
        :effect (ready ?s))
      (:action read-note :parameters (?n - note ?s - step) :precondition (and (of ?n ?s) (ready ?s))
        :effect (read ?n))
      (:action do :parameters (?s - step ?n - note ?t - tool)
        :precondition (and (ready ?s) (of ?n ?s) (read ?n) (uses ?s ?t)) :effect (done ?s))
      (:action go-on :parameters (?s ?t - step) :precondition (and (done ?s) (then ?s ?t))
        :effect (ready ?t))
      (:action finish :parameters (?s - step ?j - job) :precondition (and (done ?s) (last ?s ?j))
        :effect (finished ?j)))""")


def jobs(*lengths: int) -> Problem:
    """Jobs of so many steps, each with a note; all use one tool."""
    init, steps = [], []
    for j, length in enumerate(lengths):
        mine = [f"s{j}-{i}" for i in range(length)]
        steps += mine
        init += [f"(first j{j} {mine[0]})", f"(last {mine[-1]} j{j})"]
        init += [f"(then {one} {two})" for one, two in pairwise(mine)]
        init += [f"(of n-{s} {s}) (uses {s} saw)" for s in mine]
    names = " ".join(f"j{j}" for j in range(len(lengths)))
    return parse_problem(
        f"""(define (problem jobs) (:domain jobs)
          (:objects {names} - job {" ".join(steps)} - step
            {" ".join(f"n-{s}" for s in steps)} - note saw - tool)
          (:init {" ".join(init)})
          (:goal (and {" ".join(f"(finished j{j})" for j in range(len(lengths)))})))""",
        JOBS,
    )


GIVEN = [jobs(2), jobs(1, 2), jobs(2, 2), jobs(2, 1, 2)]


def chains(problems: list[Problem]) -> Chains:
    sources = [Source(problem) for problem in problems]
    return Chains(sources, Mined(sources))


def test_a_longer_job_has_its_ends_and_a_note_for_each_step() -> None:
    longer, generator = chains(GIVEN), random.Random(0)
    assert longer
    lengths = set()
    for _ in range(20):
        problem = longer.lengthened(GIVEN[3], generator)
        objects = Counter(o.type for o in problem.objects)
        assert objects["job"] == 3
        assert objects["tool"] == 1
        assert objects["note"] == objects["step"] >= 5
        facts = Counter(atom.predicate for atom in problem.init)
        assert facts["of"] == facts["uses"] == objects["step"]
        assert facts["first"] == facts["last"] == 3
        # As many links as there are steps that are not the first of their job.
        assert facts["then"] == objects["step"] - 3
        assert parse_problem(write_problem(problem), JOBS).same_as(problem)
        assert plan(problem, search="satisficing", limits=Limits(expansions=10_000)).solved
        lengths.add(objects["step"])
    assert len(lengths) > 2


def test_the_same_seed_makes_the_same_chains() -> None:
    one, two = (chains(GIVEN).lengthened(GIVEN[2], random.Random(3)) for _ in range(2))
    assert write_problem(one) == write_problem(two)


def test_a_ring_is_no_chain() -> None:
    ring = parse_problem(
        """(define (problem ring) (:domain jobs) (:objects j - job a b - step n - note)
          (:init (then a b) (then b a) (first j a)) (:goal (finished j)))""",
        JOBS,
    )
    assert not chains([*GIVEN, ring])


@pytest.mark.parametrize("name", sorted(DOMAINS))
def test_maps_and_numbers_are_no_chains(name: str) -> None:
    """Maps and single lines grow by themselves."""
    assert not chains(list(DOMAINS[name].problems("train", seed=0)))


def test_houses_get_more_storeys() -> None:
    problems = list(HELD_OUT["building"].problems("train", seed=0))
    longer, generator = chains(problems), random.Random(0)
    two = next(p for p in problems if any(atom.predicate == "over" for atom in p.init))
    made = [longer.lengthened(two, generator) for _ in range(10)]
    assert any(len(problem.objects) > len(two.objects) for problem in made)
    for problem in made:
        elements = Counter(a.terms[1] for a in problem.init if a.predicate == "part-of")
        assert set(elements.values()) == {2}
        tops = Counter(a.terms[1] for a in problem.init if a.predicate == "top")
        assert set(tops.values()) == {1}
