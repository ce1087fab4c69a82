"""What is read goes to the kernel as before: the hashes of compiled tasks that are kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks import task_hashes

from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem

KEPT = json.loads(Path(task_hashes.__file__).with_suffix(".json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DOMAINS)
def test_built_in_domains_are_read_as_before(name: str) -> None:
    splits = (DOMAINS[name].problems(split, seed=0, count=3) for split in ("train", "test"))
    problems = [problem for split in splits for problem in split]
    assert task_hashes.hash_of(problems) == KEPT[f"built-in/{name}"]


def test_nothing_that_is_kept_was_refused() -> None:
    assert [name for name, value in KEPT.items() if value.startswith("not read")] == []


DOMAIN = """
(define (domain d)
  (:requirements :adl :numeric-fluents)
  (:predicates (p ?x) (q ?x))
  (:functions (f ?x))
  (:action a :parameters (?x)
    :precondition (>= (f ?x) 2)
    :effect (and (decrease (f ?x) 2) (forall (?y) (when (q ?y) (p ?y))))))
"""
PROBLEM = """
(define (problem d1) (:domain d) (:objects a b) (:init (q a) (= (f a) 4) (= (f b) 1))
  (:goal (and (or (p a) (p b)) (<= (f a) 3))))
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (">= (f ?x) 2", ">= (f ?x) 3"),
        (">= (f ?x) 2", "> (f ?x) 2"),
        ("decrease (f ?x) 2", "increase (f ?x) 2"),
        ("decrease (f ?x) 2", "decrease (f ?x) 1"),
        ("(when (q ?y) (p ?y))", "(when (p ?y) (q ?y))"),
        ("(or (p a) (p b))", "(or (p a) (q b))"),
        ("(= (f b) 1)", "(= (f b) 2)"),
        ("(<= (f a) 3)", "(<= (f a) 2)"),
    ],
)
def test_every_feature_is_in_the_hash(old: str, new: str) -> None:
    def code(domain: str, problem: str) -> str:
        return task_hashes.code_of(parse_problem(problem, parse_domain(domain)))

    assert (DOMAIN + PROBLEM).count(old) == 1
    changed = code(DOMAIN.replace(old, new), PROBLEM.replace(old, new))
    assert changed != code(DOMAIN, PROBLEM)
