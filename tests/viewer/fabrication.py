"""Logs and problems for the tests of the viewer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pg3.learning.learner import learn
from pg3.learning.log import LearningLog
from pg3.pddl import parse_domain, parse_problem, read_domain, read_problem
from pg3.policy import DecisionList, parse_policy

if TYPE_CHECKING:
    from pg3.learning.config import Preset
    from pg3.pddl import Domain, Problem

EXAMPLES = Path(__file__).parents[2] / "examples"
FERRY = EXAMPLES / "ferry" / "domain.pddl"
SMALL = EXAMPLES / "ferry" / "small.pddl"
TRAIN = sorted((EXAMPLES / "ferry" / "train").glob("*.pddl"))
# What PDDL lets a name be.
HOSTILE = "</script><img/src=x/onerror=alert`1`><!--"


def ferry_log(path: Path, preset: Preset = "paper") -> Path:
    """What `pg3 learn --log` writes for the ferry examples."""
    domain = read_domain(FERRY)
    problems = [read_problem(file, domain) for file in TRAIN]
    options = {"score": "pg3", "rollout_steps": 50, "astar_expansions": 1000}
    header = {"domain": str(FERRY), "problems": list(map(str, TRAIN)), "options": options}
    with LearningLog(path, header) as log:
        log.finish(learn(domain, problems, preset=preset, observe=log.observe))
    return path


def large_log(path: Path, candidates: int = 2500, name: str = "made up") -> Path:
    """A search of many candidates, of which a few lead to the best."""
    lines: list[dict[str, Any]] = [
        {"format": "pg3-learning-log", "version": 2, "domain": "gone.pddl", "problems": ["p.pddl"]},
        {"search": name, "problems": [0]},
    ]
    operators = ("induce-rule", "add-condition", "delete-condition", "add-rule")
    for i in range(candidates):
        on_way = i % 250 == 0
        parent = None if i == 0 else (i // 250) * 250 if not on_way else i - 250
        text = (
            f"(:rule rule-{i} :parameters (?a ?b) :preconditions (and (p{i} ?a) (q ?b) "
            f"(not (r ?a ?b))) :goals (and (at ?a ?b)) :action (go ?a ?b))"
        )
        lines.append({"rule": i, "text": text})
        score = 40.0 - i // 250 * 4 + (0 if on_way else 1 + i * 7 % 50)
        lines.append(
            {
                "search": name,
                "candidate": i,
                "parent": parent,
                "operator": None if i == 0 else operators[i % 4],
                "change": None if i == 0 else f"rule 1: + (p{i} ?a)",
                "policy": [] if i == 0 else [i, i - 1],
                "score": score,
                "by_problem": [score],
                "size": 4,
                "semantic_count": 0,
                "best": on_way,
                "seconds": i / 1000,
            }
        )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def hostile() -> tuple[Domain, Problem, DecisionList]:
    """A domain, a problem and a policy whose every name is an attempt on the page."""
    bad = HOSTILE
    domain = parse_domain(
        f"""(define (domain {bad}d) (:requirements :typing) (:types {bad}t)
          (:predicates ({bad}p ?x - {bad}t) ({bad}q ?x ?y - {bad}t))
          (:action {bad}a :parameters (?x ?y - {bad}t) :precondition ({bad}q ?x ?y)
            :effect (and ({bad}p ?x) (not ({bad}q ?x ?y)))))"""
    )
    problem = parse_problem(
        f"""(define (problem {bad}pr) (:domain {bad}d) (:objects {bad}o1 {bad}o2 - {bad}t)
          (:init ({bad}q {bad}o1 {bad}o2)) (:goal ({bad}p {bad}o1)))""",
        domain,
    )
    policy = parse_policy(
        f"""(define (policy {bad}po) (:rule {bad}r :parameters (?x{bad} ?y - {bad}t)
          :preconditions ({bad}q ?x{bad} ?y) :goals ({bad}p ?x{bad})
          :action ({bad}a ?x{bad} ?y)))""",
        domain,
    )
    return domain, problem, policy


CLINIC = """
(define (domain clinic) (:requirements :strips :typing)
  (:types ward patient porter)
  (:predicates (corridor ?a ?b - ward) (porter-in ?p - porter ?w - ward)
    (lies-in ?x - patient ?w - ward) (on-trolley ?x - patient ?p - porter) (free ?p - porter))
  (:action walk :parameters (?p - porter ?a ?b - ward)
    :precondition (and (porter-in ?p ?a) (corridor ?a ?b))
    :effect (and (porter-in ?p ?b) (not (porter-in ?p ?a))))
  (:action fetch :parameters (?p - porter ?x - patient ?w - ward)
    :precondition (and (porter-in ?p ?w) (lies-in ?x ?w) (free ?p))
    :effect (and (on-trolley ?x ?p) (not (lies-in ?x ?w)) (not (free ?p))))
  (:action hand-over :parameters (?p - porter ?x - patient ?w - ward)
    :precondition (and (porter-in ?p ?w) (on-trolley ?x ?p))
    :effect (and (lies-in ?x ?w) (not (on-trolley ?x ?p)) (free ?p))))
"""
CLINIC_POLICY = """
(define (policy clinic)
  (:rule arrive :parameters (?p - porter ?x - patient ?w - ward)
    :preconditions (and (on-trolley ?x ?p) (porter-in ?p ?w))
    :goals (lies-in ?x ?w) :action (hand-over ?p ?x ?w))
  (:rule bring :parameters (?p - porter ?x - patient ?w ?a ?b - ward)
    :preconditions (and (on-trolley ?x ?p) (porter-in ?p ?a) (next corridor ?a ?b ?w))
    :goals (lies-in ?x ?w) :action (walk ?p ?a ?b))
  (:rule take :parameters (?p - porter ?x - patient ?w ?g - ward)
    :preconditions (and (porter-in ?p ?w) (lies-in ?x ?w) (free ?p) (not (lies-in ?x ?g)))
    :goals (lies-in ?x ?g) :action (fetch ?p ?x ?w))
  (:rule go :parameters (?p - porter ?x - patient ?w ?g ?a ?b - ward)
    :preconditions (and (porter-in ?p ?a) (lies-in ?x ?w) (not (lies-in ?x ?g))
      (next corridor ?a ?b ?w))
    :goals (lies-in ?x ?g) :action (walk ?p ?a ?b)))
"""


def clinic() -> tuple[Domain, Problem, DecisionList]:
    """A domain that is not built in: porters, patients and wards along corridors."""
    domain = parse_domain(CLINIC)
    ways = [("entrance", "surgery"), ("surgery", "lab"), ("lab", "roof")]
    corridors = " ".join(f"(corridor {a} {b}) (corridor {b} {a})" for a, b in ways)
    problem = parse_problem(
        "(define (problem shift) (:domain clinic) (:objects entrance surgery lab roof - ward"
        f" ann bob - patient pit - porter) (:init {corridors} (porter-in pit entrance) (free pit)"
        " (lies-in ann entrance) (lies-in bob lab)) (:goal (and (lies-in ann lab)"
        " (lies-in bob roof))))",
        domain,
    )
    return domain, problem, parse_policy(CLINIC_POLICY, domain)


def crowd() -> tuple[Domain, Problem, DecisionList]:
    """A domain in which nothing is anywhere: who knows whom."""
    domain = parse_domain(
        "(define (domain crowd) (:predicates (knows ?a ?b)) (:action meet :parameters (?a ?b)"
        " :precondition (and) :effect (knows ?a ?b)))"
    )
    problem = parse_problem(
        "(define (problem p) (:domain crowd) (:objects x y z) (:init (knows x y) (knows x z))"
        " (:goal (knows y z)))",
        domain,
    )
    rule = ":parameters (?a ?b) :preconditions (not (knows ?a ?b)) :goals (knows ?a ?b)"
    policy = parse_policy(f"(define (policy p) (:rule r {rule} :action (meet ?a ?b)))", domain)
    return domain, problem, policy


APIARY = """(define (domain apiary)
  (:types place hive super slot - object yard - place)
  (:constants home - place)
  (:predicates (van-at ?p - place) (road ?a ?b - place) (stands ?h - hive ?y - yard)
    (on ?s - super ?h - hive) (loaded ?s - super ?k - slot) (free ?k - slot) (stored ?s - super))
  (:action drive :parameters (?a ?b - place) :precondition (and (van-at ?a) (road ?a ?b))
    :effect (and (van-at ?b) (not (van-at ?a))))
  (:action take :parameters (?s - super ?h - hive ?y - yard ?k - slot)
    :precondition (and (van-at ?y) (stands ?h ?y) (on ?s ?h) (free ?k))
    :effect (and (loaded ?s ?k) (not (on ?s ?h)) (not (free ?k))))
  (:action unload :parameters (?s - super ?k - slot)
    :precondition (and (van-at home) (loaded ?s ?k))
    :effect (and (stored ?s) (free ?k) (not (loaded ?s ?k)))))"""

APIARY_POLICY = """(define (policy apiary)
  (:rule unload :parameters (?s - super ?k - slot)
    :preconditions (and (van-at home) (loaded ?s ?k)) :action (unload ?s ?k))
  (:rule take :parameters (?s - super ?h - hive ?y - yard ?k - slot)
    :preconditions (and (van-at ?y) (stands ?h ?y) (on ?s ?h) (free ?k)) :goals (stored ?s)
    :action (take ?s ?h ?y ?k))
  (:rule fetch :parameters (?s - super ?h - hive ?y - yard ?a ?b - place)
    :preconditions (and (van-at ?a) (on ?s ?h) (stands ?h ?y) (next road ?a ?b ?y))
    :goals (stored ?s) :action (drive ?a ?b))
  (:rule bring :parameters (?s - super ?k - slot ?a ?b - place)
    :preconditions (and (van-at ?a) (loaded ?s ?k) (next road ?a ?b home))
    :action (drive ?a ?b)))"""


def apiary(hives: int = 2) -> tuple[Domain, Problem, DecisionList]:
    """Hives that stand in yards, a box on all but the last, a van with a slot: places in places."""
    domain = parse_domain(APIARY)
    numbers = range(1, hives + 1)
    stands = " ".join(f"(stands hive{i} {'z' if i % 2 else 'y'})" for i in numbers)
    boxes = " ".join(f"(on box{i} hive{i})" for i in numbers[:-1])
    problem = parse_problem(
        "(define (problem two-yards) (:domain apiary) (:objects"
        f" {' '.join(f'hive{i}' for i in numbers)} - hive y z - yard"
        f" {' '.join(f'box{i}' for i in numbers[:-1])} - super slot1 - slot)"
        f" (:init (van-at home) (road home y) (road y home) (road y z) (road z y) {stands} {boxes}"
        " (free slot1)) (:goal (stored box1)))",
        domain,
    )
    return domain, problem, parse_policy(APIARY_POLICY, domain)
