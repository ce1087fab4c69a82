"""Attempts to have something false proved, each in a domain of a few lines.

Whatever is proved is also carried out on many random members of its class.
"""

from __future__ import annotations

from typing import Any

import pytest
from benchmarks.proofs.campaign import failures

import pg3
from pg3.analysis.prove.logic.theory import Theory
from pg3.analysis.prove.membership import ProblemClass
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from pg3.policy.first_objects import with_first_constants

pytest.importorskip("z3")


def answer(domain_text: str, policy_text: str, *problem_texts: str) -> pg3.ProofResult:
    """What `prove` says; a proof must stand the test of random members."""
    domain = parse_domain(f"(define (domain d) {domain_text})")
    problems = [
        parse_problem(f"(define (problem p{i}) (:domain d) {text})", domain)
        for i, text in enumerate(problem_texts)
    ]
    policy = parse_policy(f"(define (policy p) (:domain d) {policy_text})", domain)
    result = pg3.prove(domain, problems, policy)
    if result.proved:
        tried, failed = failures(domain, policy, result, seed=0, number=60)
        assert tried
        assert not failed
    return result


LAMPS = """
  (:requirements :strips :typing :negative-preconditions)
  (:types lamp) (:predicates (on ?l - lamp) (ready))
  (:action switch :parameters (?l - lamp) :precondition (not (on ?l)) :effect (on ?l))
  (:action darken :parameters (?l - lamp) :precondition (on ?l) :effect (not (on ?l)))
  (:action flash :parameters (?l - lamp) :precondition () :effect (and (on ?l) (not (on ?l))))
"""
TWO_LAMPS = "(:objects a b - lamp) (:init (on b)) (:goal (and (on a) (on b)))"
THREE_LAMPS = "(:objects a b c - lamp) (:init (on c)) (:goal (and (on a) (on b)))"


def rule(conditions: str, action: str, goals: str = "") -> str:
    goal = f":goals (and {goals})" if goals else ""
    name = action.strip("(").split(" ", maxsplit=1)[0]
    return (
        f"(:rule {name} :parameters (?l - lamp) :preconditions (and {conditions}) {goal}"
        f" :action {action})"
    )


def test_a_plain_policy_is_proved() -> None:
    result = answer(LAMPS, rule("(not (on ?l))", "(switch ?l)", "(on ?l)"), TWO_LAMPS, THREE_LAMPS)
    assert result.proved


def test_an_atom_that_is_added_and_deleted_holds_afterwards() -> None:
    assert answer(LAMPS, rule("(not (on ?l))", "(flash ?l)", "(on ?l)"), TWO_LAMPS).proved


def test_a_policy_that_goes_round_in_circles_is_not_proved() -> None:
    both = rule("(on ?l)", "(darken ?l)") + rule("(not (on ?l))", "(switch ?l)")
    one = "(:objects a - lamp) (:init) (:goal (on a))"
    assert answer(LAMPS, both, one).proved  # "there is at most 1 lamp"
    result = answer(LAMPS, both, one, "(:objects a b - lamp) (:init) (:goal (on a))")
    assert not result.proved


def test_negated_goals_count() -> None:
    dark = "(:objects a b - lamp) (:init (on b)) (:goal (and (not (on b)) (not (on a))))"
    assert answer(LAMPS, rule("(on ?l)", "(darken ?l)"), dark).proved
    mixed = "(:objects a b - lamp) (:init (on b)) (:goal (and (not (on b)) (on a)))"
    assert not answer(LAMPS, rule("(not (on ?l))", "(switch ?l)"), mixed).proved


def test_an_action_that_cannot_be_done_is_not_proved() -> None:
    assert not answer(LAMPS, rule("", "(switch ?l)", "(on ?l)"), TWO_LAMPS, THREE_LAMPS).proved


def test_goals_that_are_true_already_and_no_goals() -> None:
    result = answer(
        LAMPS,
        rule("(not (on ?l))", "(switch ?l)", "(on ?l)"),
        "(:objects a - lamp) (:init (on a)) (:goal (on a))",
        "(:objects a b - lamp) (:init (on a)) (:goal (and (on a) (on b)))",
    )
    assert result.proved


def test_predicates_without_arguments() -> None:
    get_ready = """
      (:requirements :strips :negative-preconditions) (:predicates (up) (ready) (stuck))
      (:action prepare :parameters () :precondition (not (stuck)) :effect (ready))
      (:action rise :parameters () :precondition (ready) :effect (up))
    """
    policy = """
      (:rule rise :parameters () :preconditions (and (ready)) :action (rise))
      (:rule prepare :parameters () :preconditions (and (not (ready))) :action (prepare))
    """
    assert answer(get_ready, policy, "(:init) (:goal (up))", "(:init (ready)) (:goal (up))").proved
    blind = "(:rule rise :parameters () :preconditions (and) :action (rise))"
    assert not answer(
        get_ready, blind, "(:init (ready)) (:goal (up))", "(:init) (:goal (up))"
    ).proved


MOVES = """
  (:requirements :strips :typing :equality) (:types place)
  (:constants home - place)
  (:predicates (at ?p - place) (near ?p ?q - place))
  (:action go :parameters (?p ?q - place) :precondition (at ?p) :effect (and (not (at ?p)) (at ?q)))
"""
AWAY = "(:objects a b - place) (:init (at a)) (:goal (at b))"


def test_repeated_arguments_may_keep_the_policy_where_it_is() -> None:
    anywhere = """(:rule go :parameters (?g ?p ?q - place)
      :preconditions (and (not (at ?g)) (at ?p))
      :goals (and (at ?g)) :action (go ?p ?q))"""
    # In the given problem the first ?q is the constant, and the run goes on from there to itself.
    assert not answer(MOVES, anywhere, AWAY).proved
    there = """(:rule go :parameters (?g ?p - place) :preconditions (and (not (at ?g)) (at ?p))
      :goals (and (at ?g)) :action (go ?p ?g))"""
    assert answer(
        MOVES, there, AWAY, "(:objects a - place) (:init (at a)) (:goal (at home))"
    ).proved


def test_two_goals_that_exclude_each_other_are_not_in_a_proven_class() -> None:
    there = """(:rule go :parameters (?g ?p - place) :preconditions (and (not (at ?g)) (at ?p))
      :goals (and (at ?g)) :action (go ?p ?g))"""
    result = answer(MOVES, there, AWAY)
    assert result.proved
    assert any("at most one place with the goal (at place)" in line for line in result.words)


def test_constants_are_different_objects() -> None:
    home = """(:rule go :parameters (?p - place) :preconditions (and (at ?p) (not (= ?p home)))
      :action (go ?p home))"""
    # Nothing in the class says that the goal is to be at home.
    assert not answer(MOVES, home, "(:objects a b - place) (:init (at a)) (:goal (at home))").proved


def test_axioms_are_not_supported_and_said_so() -> None:
    domain = """(:requirements :derived-predicates) (:predicates (a) (b))
      (:derived (b) (a)) (:action make :parameters () :precondition () :effect (a))"""
    policy = "(:rule make :parameters () :preconditions (and (not (a))) :action (make))"
    result = answer(domain, policy, "(:init) (:goal (b))")
    assert result.verdict == "open"
    assert "axioms" in result.reason


def test_a_recursive_definition_is_not_supported_and_said_so() -> None:
    policy = """(:derived (far ?p - place) (exists (?q - place) (and {} (far ?q))))
      (:rule go :parameters (?g ?p - place)
      :preconditions (and (at ?p) (not (far ?p)) (not (at ?g)))
      :goals (and (at ?g)) :action (go ?p ?g))"""
    result = answer(MOVES, policy.format("(near ?q ?p)"), AWAY)
    assert result.verdict == "open"
    assert "depends on itself" in result.reason
    # This form is supported. Nothing begins it, so no place is far: the least meaning.
    forward = policy.format("(near ?p ?q)")
    assert answer(MOVES, forward, AWAY).proved
    assert not answer(MOVES, forward.replace("(not (far ?p))", "(far ?p)"), AWAY).proved


def test_a_class_with_unsolvable_problems_is_not_proved() -> None:
    """Each goal needs a coin, and the given problems do not always have enough of them."""
    coins = """(:requirements :strips :typing :negative-preconditions) (:types coin ride)
      (:predicates (have ?c - coin) (done ?r - ride))
      (:action pay :parameters (?c - coin ?r - ride) :precondition (have ?c)
       :effect (and (done ?r) (not (have ?c))))"""
    policy = """(:rule pay :parameters (?r - ride ?c - coin) :preconditions (and (not (done ?r))
      (have ?c)) :goals (and (done ?r)) :action (pay ?c ?r))"""
    enough = (
        "(:objects a b - coin x y - ride) (:init (have a) (have b)) (:goal (and (done x) (done y)))"
    )
    result = answer(coins, policy, enough, enough.replace(" (done y)", ""))
    assert result.proved
    assert any("at least as many (have coin)" in line for line in result.words)
    poor = enough.replace(" (have b)", "")
    assert not answer(coins, policy, enough, poor).proved


def test_an_empty_kind_is_not_in_the_class() -> None:
    from pg3.analysis.prove.membership import ProblemClass

    domain = parse_domain(f"(define (domain d) {LAMPS})")
    text = rule("(not (on ?l))", "(switch ?l)", "(on ?l)")
    policy = parse_policy(f"(define (policy p) (:domain d) {text})", domain)
    given = parse_problem(f"(define (problem p) (:domain d) {TWO_LAMPS})", domain)
    result = pg3.prove(domain, [given], policy)
    members = ProblemClass.of(domain, policy, result.problem_class)
    empty = parse_problem("(define (problem p) (:domain d) (:init) (:goal (and)))", domain)
    assert members.reason_against(empty) == "there is no lamp"
    assert members.reason_against(given) is None


CARRIERS = """
  (:requirements :strips :typing :negative-preconditions) (:types carrier item size)
  (:predicates (room ?c - carrier ?s - size) (next-size ?less ?more - size)
               (in ?i - item ?c - carrier) (free ?i - item) (done ?i - item))
  (:action load :parameters (?c - carrier ?i - item ?less ?more - size)
   :precondition (and (free ?i) (room ?c ?more) (next-size ?less ?more))
   :effect (and (in ?i ?c) (room ?c ?less) (not (free ?i)) (not (room ?c ?more))))
  (:action unload :parameters (?c - carrier ?i - item ?less ?more - size)
   :precondition (and (in ?i ?c) (room ?c ?less) (next-size ?less ?more))
   :effect (and (done ?i) (room ?c ?more) (not (in ?i ?c)) (not (room ?c ?less))))
"""
LOAD_ALL_THEN_UNLOAD = """
  (:rule load :parameters (?i - item ?c - carrier ?less ?more - size)
   :preconditions (and (free ?i) (room ?c ?more) (next-size ?less ?more))
   :goals (and (done ?i)) :action (load ?c ?i ?less ?more))
  (:rule unload :parameters (?i - item ?c - carrier ?less ?more - size)
   :preconditions (and (in ?i ?c) (room ?c ?less) (next-size ?less ?more))
   :goals (and (done ?i)) :action (unload ?c ?i ?less ?more))
"""


def carriers(*rooms: str) -> str:
    names = [f"c{i}" for i in range(len(rooms))]
    have = " ".join(f"(room {name} {room})" for name, room in zip(names, rooms, strict=True))
    return f"""(:objects {" ".join(names)} - carrier a b c d e - item s0 s1 s2 s3 - size)
      (:init (next-size s0 s1) (next-size s1 s2) (next-size s2 s3) {have}
       (free a) (free b) (free c) (free d) (free e))
      (:goal (and (done a) (done b) (done c) (done d) (done e)))"""


def test_room_that_is_left_is_a_level() -> None:
    """Several items in a carrier: what is in it can come out, as room and items add up."""
    problems = (carriers("s2"), carriers("s3", "s1"), carriers("s1", "s2"))
    result = answer(CARRIERS, LOAD_ALL_THEN_UNLOAD, *problems)
    assert result.proved, result.claim
    assert any(one["form"] == "level" for one in result.problem_class["invariants"])


def test_a_level_that_is_not_kept_is_no_invariant() -> None:
    """Loading that does not take room: the checker must not accept the level."""
    from pg3.analysis.prove.checker.obligations import obligations
    from pg3.analysis.prove.checker.solvers import z3_refutes

    problems = (carriers("s2"), carriers("s3", "s1"), carriers("s1", "s2"))
    result = answer(CARRIERS, LOAD_ALL_THEN_UNLOAD, *problems)
    uses = {one.name: one.uses for one in result.obligations}
    broken = CARRIERS.replace(
        "(in ?i ?c) (room ?c ?less) (not (free ?i)) (not (room ?c ?more))",
        "(in ?i ?c) (not (free ?i))",
    )
    domain = parse_domain(f"(define (domain d) {broken})")
    text = f"(define (policy p) (:domain d) {LOAD_ALL_THEN_UNLOAD})"
    policy = parse_policy(text, domain)
    made = obligations(domain, policy, result.problem_class, result.ranking, uses)
    failed = [one.name for one in made if not z3_refutes(one.script)]
    level = next(o["name"] for o in result.problem_class["invariants"] if o["form"] == "level")
    assert f"preserved {level} load item carrier size size" in failed


# -- counts ----------------------------------------------------------------------------------------


KITCHEN = """
  (:requirements :strips :typing :negative-preconditions) (:types guest egg dish)
  (:predicates (fresh ?e - egg) (clean ?d - dish) (full ?d - dish) (fed ?g - guest) (power))
  (:action cook :parameters (?e - egg ?d - dish) :precondition (and (fresh ?e) (clean ?d) (power))
   :effect (and (not (fresh ?e)) (not (clean ?d)) (full ?d)))
  (:action feed :parameters (?d - dish ?g - guest) :precondition (full ?d)
   :effect (and (not (full ?d)) (fed ?g)))
"""
COOK_AND_FEED = """
  (:rule feed :parameters (?g - guest ?d - dish) :preconditions (and (full ?d) (not (fed ?g)))
   :goals (and (fed ?g)) :action (feed ?d ?g))
  (:rule cook :parameters (?e - egg ?d - dish) :preconditions (and (fresh ?e) (clean ?d))
   :action (cook ?e ?d))
"""


def kitchen(guests: int, eggs: int, dishes: int) -> str:
    def names(letter: str, number: int) -> list[str]:
        return [f"{letter}{i}" for i in range(number)]

    fresh = " ".join(f"(fresh {e})" for e in names("e", eggs))
    clean = " ".join(f"(clean {d})" for d in names("d", dishes))
    fed = " ".join(f"(fed {g})" for g in names("g", guests))
    return f"""(:objects {" ".join(names("g", guests))} - guest {" ".join(names("e", eggs))} - egg
      {" ".join(names("d", dishes))} - dish) (:init (power) {fresh} {clean}) (:goal (and {fed}))"""


def test_sums_of_what_there_is_and_what_can_be_made() -> None:
    problems = (kitchen(1, 2, 1), kitchen(2, 2, 3), kitchen(3, 4, 3))
    result = answer(KITCHEN, COOK_AND_FEED, *problems)
    assert result.proved, result.claim
    assert any("(fresh egg) plus (full dish) as the goal (fed guest)" in w for w in result.words)
    assert not answer(KITCHEN, COOK_AND_FEED, *problems, kitchen(2, 1, 2)).proved


def test_a_set_that_changes_beside_the_effects_is_no_count() -> None:
    """Without power all hot eggs are gone at once, and no effect names an egg."""
    from pg3.analysis.prove.checker.obligations import obligations
    from pg3.analysis.prove.checker.solvers import z3_refutes

    domain = parse_domain(f"""(define (domain d) {KITCHEN}
      (:action cut :parameters () :precondition (power) :effect (not (power))))""")
    text = "(:rule cut :parameters () :preconditions (and (power)) :action (cut))"
    policy = parse_policy(f"(define (policy p) (:domain d) {text})", domain)
    problem = "(:objects e - egg g - guest d - dish) (:init (power) (fresh e)) (:goal (fed g))"
    given = parse_problem(f"(define (problem p) (:domain d) {problem})", domain)
    theory = Theory.of_problems(domain, policy, [given])
    hot = ["and", ["state", "fresh", "?x"], ["state", "power"]]
    open_ = ["and", ["goal", "fed", "?x"], ["not", ["state", "fed", "?x"]]]
    count = {
        "name": "count",
        "words": "",
        "form": "count",
        "more": [{"variables": [["?x", "egg"]], "formula": hot}],
        "fewer": {"variables": [["?x", "guest"]], "formula": open_},
    }
    forged = {
        "kinds": [kind._asdict() for kind in theory.kinds.values()],
        "constants": [],
        "facts": sorted(map(list, theory.given.init)),
        "goals": [["fed", "guest"]],
        "negated_goals": [],
        "acyclic": [],
        "invariants": [count],
    }
    ranking: dict[str, Any] = {
        "step": "measure",
        "rules": ["cut"],
        "variables": [],
        "formula": ["state", "power"],
    }
    ranking |= {"decreasing": ["cut"], "rest": None}
    made = list(obligations(domain, policy, forged, ranking, {}))
    assert [o.name for o in made if not z3_refutes(o.script)] == [
        "preserved count cut",
        "some rule",
    ]


def test_only_a_relation_of_two_objects_can_be_without_circles() -> None:
    """A class whose objects are all items: "item" is true of every pair, if nobody counts."""
    from pg3.analysis.prove.checker.obligations import obligations
    from pg3.analysis.prove.checker.terms import Refused

    domain = parse_domain("""(define (domain d) (:predicates (item ?x) (done ?x))
      (:action mark :parameters (?x) :precondition (item ?x) :effect (done ?x)))""")
    idle = "(:rule idle :parameters (?x) :preconditions (and (done ?x)) :action (mark ?x))"
    policy = parse_policy(f"(define (policy p) (:domain d) {idle})", domain)
    forged: dict[str, Any] = {
        "kinds": [{"name": "item", "type": "object", "predicate": "item"}],
        "constants": [],
        "facts": [["item", "item"]],
        "goals": [["done", "item"]],
        "negated_goals": [],
        "acyclic": ["item"],
        "invariants": [],
    }
    ranking: dict[str, Any] = {"step": "measure", "rules": ["idle"], "variables": []}
    ranking |= {"formula": ["or"], "decreasing": ["idle"], "rest": None}
    uses = ["path item item itself", "path item item no circle"]
    names = ["possible idle item", "some rule", "not increased 1 idle item"]
    names.append("decreased 1 idle item")
    with pytest.raises(Refused, match="no static relation of two objects"):
        list(obligations(domain, policy, forged, ranking, dict.fromkeys(names, uses)))
    forged["acyclic"] = []
    uses = ["path item item edge"]
    with pytest.raises(Refused, match="item does not take 2 objects"):
        list(obligations(domain, policy, forged, ranking, dict.fromkeys(names, uses)))


# -- first objects ---------------------------------------------------------------------------------


def test_a_parameter_without_conditions_is_the_first_constant() -> None:
    anywhere = """(:rule go :parameters (?p ?q - place) :preconditions (and (at ?p) (not (at home)))
      :action (go ?p ?q))"""
    home = "(:objects a b - place) (:init (at a)) (:goal (at home))"
    domain = parse_domain(f"(define (domain d) {MOVES})")
    policy = parse_policy(f"(define (policy p) (:domain d) {anywhere})", domain)
    said = with_first_constants(policy, domain)
    assert [(len(r.parameters), r.arguments) for r in said.rules] == [(1, ("?p", "home"))]
    problem = parse_problem(f"(define (problem p) (:domain d) {home})", domain)
    assert pg3.execute(problem, policy).plan == pg3.execute(problem, said).plan
    # A parameter with a condition is any object, and without constants there is no first one.
    near = anywhere.replace("(at ?p)", "(at ?p) (near ?p ?q)")
    other = parse_policy(f"(define (policy p) (:domain d) {near})", domain)
    assert with_first_constants(other, domain) == other


# -- more PDDL than the proofs are about -----------------------------------------------------------


MARK = """(:rule m :parameters (?x) :preconditions (and (not (done ?x))) :goals (and (done ?x))
  :action (mark ?x))"""


@pytest.mark.parametrize(
    "effect",
    [
        "(and (done ?x) (forall (?y) (when (link ?x ?y) (not (done ?y)))))",
        "(and (done ?x) (forall (?y) (not (done ?y))))",
    ],
)
def test_conditional_effects_are_open(effect: str) -> None:
    result = answer(
        f"""(:requirements :adl) (:predicates (done ?x) (link ?x ?y))
        (:action mark :parameters (?x) :precondition (not (done ?x)) :effect {effect})""",
        MARK,
        "(:objects a b c) (:init (link a b) (link b c)) (:goal (and (done a) (done b) (done c)))",
    )
    assert not result.proved


CHOICE = parse_domain("""(define (domain d) (:requirements :adl)
  (:predicates (done ?x) (other ?x))
  (:action mark :parameters (?x) :precondition (not (done ?x)) :effect (done ?x))
  (:action oth :parameters (?x) :precondition (not (other ?x)) :effect (other ?x)))""")


def choice(goal: str) -> pg3.Problem:
    text = f"(define (problem p) (:domain d) (:objects a b c) (:init) (:goal {goal}))"
    return parse_problem(text, CHOICE)


def test_goals_that_leave_a_choice_are_in_no_class() -> None:
    policy = parse_policy(f"(define (policy p) (:domain d) {MARK})", CHOICE)
    plain, either = (
        choice("(and (done a) (done b))"),
        choice("(and (done a) (or (other a) (other b)))"),
    )
    result = pg3.prove(CHOICE, [plain], policy)
    assert result.proved
    members = ProblemClass.of(CHOICE, policy, result.problem_class)
    assert not [*members.reasons_against(plain)]
    for problem in (either, choice("(exists (?x) (done ?x))")):
        assert [*members.reasons_against(problem)]
        assert not pg3.prove(CHOICE, [plain, problem], policy).proved
