"""Certificates: what the checker accepts and refuses; membership is what is printed."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from benchmarks.proofs.campaign import failures, mutants
from benchmarks.proofs.members import random_members

import pg3
from pg3.analysis.prove.checker.obligations import obligations
from pg3.analysis.prove.checker.solvers import cvc5_refutes, z3_refutes
from pg3.analysis.prove.checker.terms import Refused, Terms, Typed
from pg3.analysis.prove.logic.invariants import Invariant
from pg3.analysis.prove.membership import ProblemClass
from pg3.domains import DOMAINS
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pg3.analysis.prove.logic.formulas import Formula
    from pg3.analysis.prove.logic.structures import Structure

pytest.importorskip("z3")

DELIVERY = DOMAINS["delivery"]
POLICY = REPOSITORY / "examples" / "policies" / "delivery.policy"


@pytest.fixture(scope="module")
def proof() -> tuple[pg3.Domain, pg3.Policy, pg3.ProofResult]:
    domain = DELIVERY.domain
    policy = pg3.read_policy(str(POLICY), domain)
    result = pg3.prove(domain, DELIVERY.problems("train", seed=0), policy)
    assert result.proved, result.claim
    return domain, policy, result


def test_an_earlier_proof_changes_nothing(proof: Any) -> None:
    domain, policy, result = proof
    assert pg3.prove(domain, DELIVERY.problems("train", seed=0), policy) == result


def uses_of(result: pg3.ProofResult) -> dict[str, tuple[str, ...]]:
    return {one.name: one.uses for one in result.obligations}


def accepted(
    domain: pg3.Domain,
    policy: pg3.Policy,
    problem_class: dict[str, Any],
    ranking: dict[str, Any],
    uses: Mapping[str, tuple[str, ...]],
) -> bool:
    """What the checker says of a certificate."""
    try:
        made = list(obligations(domain, policy, problem_class, ranking, uses))
    except Refused:
        return False
    return all(z3_refutes(one.script) for one in made)


def test_the_checker_and_cvc5_accept_what_was_proved(proof: Any) -> None:
    domain, policy, result = proof
    uses = uses_of(result)
    assert accepted(domain, policy, result.problem_class, result.ranking, uses)
    pytest.importorskip("cvc5")
    assert all(cvc5_refutes(one.script) for one in result.obligations)


def test_without_any_invariant_nothing_is_accepted(proof: Any) -> None:
    domain, policy, result = proof
    uses = uses_of(result)
    for one in result.problem_class["invariants"]:
        left = [other for other in result.problem_class["invariants"] if other is not one]
        less = {**result.problem_class, "invariants": left}
        # Named where it is missing: refused. Left out of all lists: some obligation is not shown.
        assert not accepted(domain, policy, less, result.ranking, uses)
        fewer = {name: tuple(u for u in used if u != one["name"]) for name, used in uses.items()}
        assert not accepted(domain, policy, less, result.ranking, fewer)


def test_other_policies_and_broken_rankings_are_refused(proof: Any) -> None:
    domain, policy, result = proof
    uses = uses_of(result)
    worse = pg3.Policy(policy.name, policy.rules[:-1])
    assert not accepted(domain, worse, result.problem_class, result.ranking, uses)
    short = {**result.ranking, "rest": None}
    assert not accepted(domain, policy, result.problem_class, short, uses)
    rules = [rule.name for rule in policy.rules]
    all_at_once = {**result.ranking, "decreasing": rules, "rest": None}
    assert not accepted(domain, policy, result.problem_class, all_at_once, uses)
    no_follow: dict[str, Any] = {"step": "split", "rules": rules, "follows": [], "components": []}
    assert not accepted(domain, policy, result.problem_class, no_follow, uses)


def test_hypotheses_that_do_not_hold_are_refused(proof: Any) -> None:
    domain, policy, result = proof
    last = policy.rules[-1].name
    name = next(n for n in uses_of(result) if n.startswith("possible"))
    for wrong in (f"not rule {last}", "after open goal", "i999999", "path nothing loc step"):
        uses = {**uses_of(result), name: (wrong,)}
        if not (wrong == f"not rule {last}" and name.endswith(last)):
            with pytest.raises(Refused):
                list(obligations(domain, policy, result.problem_class, result.ranking, uses))


def brute_force(formula: Formula, structure: Structure, binding: dict[Any, str]) -> bool:
    """The truth of a formula without paths, by trying all objects."""
    word = formula[0]
    if word == "not":
        return not brute_force(formula[1], structure, binding)
    if word == "and":
        return all(brute_force(f, structure, binding) for f in formula[1])
    if word == "or":
        return any(brute_force(f, structure, binding) for f in formula[1])
    if word in ("exists", "forall"):
        choices = [structure.objects[v.kind] for v in formula[1]]
        found = [
            brute_force(
                formula[2], structure, {**binding, **dict(zip(formula[1], row, strict=True))}
            )
            for row in itertools.product(*choices)
        ]
        return any(found) if word == "exists" else all(found)
    terms = formula[1:] if word == "=" else formula[2]
    row: tuple[str, ...] = tuple(binding.get(t, t.name) for t in terms)
    if word == "=":
        return row[0] == row[1]
    return row in structure.relations.get((word, formula[1]), {})


def test_membership_is_the_truth_of_the_printed_conditions(proof: Any) -> None:
    from pg3.analysis.prove.logic.structures import structure_of

    domain, policy, result = proof
    members = ProblemClass.of(domain, policy, result.problem_class)
    assert len({words for words, _ in members.invariants}) <= len(result.words)
    chance = random.Random(0)
    inside = outside = 0
    for problem in random_members(members, chance, 12):
        for drop in range(6):
            facts = [a for a in problem.init if drop == 0 or chance.random() < 0.8]
            other = problem.replace(init=facts)
            structure = structure_of(members.theory, other)
            assert structure is not None
            good = all(
                brute_force(one.formula, structure, {})
                if isinstance(one, Invariant)
                else one.holds(structure)
                for _, one in members.invariants
            )
            assert (members.reason_against(other) is None) == good
            inside, outside = inside + good, outside + (not good)
    assert inside
    assert outside


@pytest.mark.parametrize("which", [slice(2), pytest.param(slice(2, 5), marks=pytest.mark.thorough)])
def test_mutants_that_are_proved_solve_random_members(proof: Any, which: slice) -> None:
    domain, policy, _ = proof
    problems = DELIVERY.problems("train", seed=0)
    chosen = list(mutants(policy))
    random.Random(1).shuffle(chosen)
    for what, mutant in chosen[which]:
        result = pg3.prove(domain, problems, mutant)
        if result.proved:
            tried, failed = failures(domain, mutant, result, seed=0, number=30)
            assert tried
            assert not failed, what
        elif result.counterexample is not None:
            assert pg3.plan(result.counterexample).solved
            assert not pg3.execute(result.counterexample, mutant).solved


def test_the_answer_does_not_depend_on_the_hash_seed_or_on_jobs(tmp_path: Path) -> None:
    folder = tmp_path / "train"
    run = [sys.executable, "-m", "pg3"]
    subprocess.run([*run, "generate", "delivery", "-o", str(folder)], check=True)
    answers = []
    for seed, jobs in (("0", "1"), ("1", "2")):
        out = tmp_path / f"proof{seed}"
        command = [*run, "prove", str(folder / "domain.pddl"), str(folder), "-p", str(POLICY)]
        command += ["-o", str(out), "--jobs", jobs]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(command, check=True, env=environment, capture_output=True)
        answers.append({file.name: file.read_bytes() for file in sorted(out.iterdir())})
    assert answers[0] == answers[1]
    checked = [*run, "prove", "--check", str(tmp_path / "proof0"), str(folder / "domain.pddl")]
    assert subprocess.run([*checked, str(POLICY)], check=False).returncode == 0
    file = tmp_path / "proof0" / "proof.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps({**value, "policy": "0" * 64}), encoding="utf-8")
    assert subprocess.run([*checked, str(POLICY)], check=False).returncode == 1
    file.write_text(json.dumps({**value, "ranking": {}}), encoding="utf-8")
    bad = subprocess.run([*checked, str(POLICY)], check=False, capture_output=True, text=True)
    assert bad.returncode == 2
    assert "ranking" in bad.stderr


# -- forged certificates ---------------------------------------------------------------------------


def test_kinds_are_told_by_a_predicate_of_one_object() -> None:
    """Else every fact of the predicate would count as true."""
    domain = parse_domain("""(define (domain d) (:predicates (done ?x) (link ?x ?y))
      (:action mark :parameters (?x ?y) :precondition (and (not (done ?x)) (link ?x ?y))
        :effect (done ?x)))""")
    policy = parse_policy(
        """(define (policy p) (:domain d) (:rule m :parameters (?x ?y) :preconditions
        (and (not (done ?x)) (link ?x ?y)) :goals (and (done ?x)) :action (mark ?x ?y)))""",
        domain,
    )
    text = "(define (problem p) (:domain d) (:objects a) (:init (link a a)) (:goal (done a)))"
    result = pg3.prove(domain, [parse_problem(text, domain)], policy)
    assert result.proved
    honest, ranking, uses = result.problem_class, result.ranking, uses_of(result)
    assert accepted(domain, policy, honest, ranking, uses)
    (kind,) = honest["kinds"]
    for predicate in ("link", "done", "nothing"):
        forged = {**honest, "kinds": [{**kind, "predicate": predicate}]}
        with pytest.raises(Refused):
            list(obligations(domain, policy, forged, ranking, uses))


def test_distances_are_compared_within_one_kind() -> None:
    """What is false for the checker must not be true of a member."""
    domain = parse_domain("""(define (domain d) (:requirements :typing) (:types t u)
      (:predicates (e ?x ?y - t) (done ?x - t))
      (:action mark :parameters (?x - t) :effect (done ?x)))""")
    policy = parse_policy(
        """(define (policy p) (:domain d) (:rule m :parameters (?x - t) :preconditions
        (not (done ?x)) :goals (and (done ?x)) :action (mark ?x)))""",
        domain,
    )
    text = """(define (problem p) (:domain d) (:objects a - t b - u) (:init (e a a))
      (:goal (done a)))"""
    result = pg3.prove(domain, [parse_problem(text, domain)], policy)
    assert result.proved
    terms = Terms(domain, policy, result.problem_class)
    with pytest.raises(Refused):
        terms.path("closer", "e", [Typed("x", "t"), Typed("y", "u"), Typed("z", "t")])


def test_derived_edges_from_one_kind_to_another_are_refused() -> None:
    """Paths from ?x over an object of kind b to ?z: rule "wait" acts for ever.

    A checker to which no two objects of different kinds differ sees no such edge.
    """
    domain = parse_domain("""(define (domain d) (:requirements :typing :equality)
      (:types a b - place place) (:predicates (adj ?x ?y - place) (at ?x - a))
      (:action go :parameters (?x ?z - a) :precondition (at ?x)
       :effect (and (not (at ?x)) (at ?z)))
      (:action wait :parameters (?x - a) :precondition (at ?x) :effect (at ?x)))""")
    policy = parse_policy(
        """(define (policy p) (:domain d)
      (:derived (e ?x ?y - place) (and (adj ?x ?y) (not (= ?x ?y))))
      (:rule wait :parameters (?x ?z - a) :preconditions (and (at ?x) (not (at ?z)) (reach e ?x ?z))
       :goals (and (at ?z)) :action (wait ?x))
      (:rule go :parameters (?x ?z - a) :preconditions (and (at ?x) (not (at ?z)))
       :goals (and (at ?z)) :action (go ?x ?z)))""",
        domain,
    )

    two = [["not", ["goal", "at", name]] for name in ("?x", "?y")]
    one_goal = ["forall", [["?x", "a"], ["?y", "a"]], ["or", *two, ["=", "?x", "?y"]]]
    somewhere = ["exists", [["?x", "a"]], ["state", "at", "?x"]]
    forged = {
        "kinds": [{"name": name, "type": name, "predicate": None} for name in "ab"],
        "constants": [],
        "facts": [["adj", "a", "b"], ["adj", "b", "a"], ["at", "a"]],
        "goals": [["at", "a"]],
        "negated_goals": [],
        "acyclic": [],
        "invariants": [
            {"name": name, "words": "", "form": "formula", "kind": "", "formula": formula}
            for name, formula in (("one", one_goal), ("some", somewhere))
        ],
    }
    open_goals = ["and", ["goal", "at", "?z"], ["not", ["state", "at", "?z"]]]
    ranking: dict[str, Any] = {"step": "measure", "rules": ["wait", "go"], "rest": None}
    ranking |= {"variables": [["?z", "a"]], "formula": open_goals, "decreasing": ["wait", "go"]}
    waits = ("path e a itself", "path e a step")
    steps = ("not increased 1", "decreased 1")
    uses = {f"{step} wait a a": waits for step in steps}
    uses |= {f"{step} go a a": ("one", "some") for step in steps}
    uses["some rule"] = ("not rule go", "some")
    assert not accepted(domain, policy, forged, ranking, uses)
    with pytest.raises(Refused, match="edges of e lead from one kind to another"):
        Terms(domain, policy, forged)


def test_an_unused_definition_means_the_same_to_checker_and_membership() -> None:
    """Else "no path along it" would rule edges out for the solver, and for members nothing."""
    domain = parse_domain("""(define (domain d) (:predicates (e ?x ?y) (on ?x) (done ?x))
      (:action mark :parameters (?x) :precondition (not (done ?x)) :effect (done ?x))
      (:action light :parameters (?x) :precondition () :effect (on ?x)))""")
    text = """(define (policy p) (:domain d)
      (:derived (unused ?x ?y) (e ?x ?y))
      (:derived (changing ?x ?y) (and (e ?x ?y) (on ?x)))
      (:derived (deep ?x ?y) (exists (?z) (and (e ?x ?z) (deep ?z ?y))))
      (:rule m :parameters (?x ?y) :preconditions (and (not (done ?x))) :goals (and (done ?x))
        :action (mark ?x)))"""
    policy = parse_policy(text.replace("(:derived (deep", "; "), domain)
    recursive = parse_policy(text, domain)

    def problem(facts: str) -> pg3.Problem:
        start = f"(define (problem p) (:domain d) (:objects a b) (:init {facts})"
        return parse_problem(f"{start} (:goal (done a)))", domain)

    result = pg3.prove(domain, [problem("(e a b)")], policy)
    assert result.proved
    uses, (kind,) = uses_of(result), result.problem_class["kinds"]

    def forged(atom: list[str]) -> dict[str, Any]:
        no = ["or", ["=", "?x", "?y"], ["not", [*atom, "?x", "?y"]]]
        formula = ["forall", [["?x", kind["name"]], ["?y", kind["name"]]], no]
        one = {"name": "none", "words": "", "form": "formula", "kind": "mutex", "formula": formula}
        return {**result.problem_class, "invariants": [*result.problem_class["invariants"], one]}

    for atom, by in (
        (["state", "unused"], policy),
        (["path", "reach", "changing"], policy),
        (["path", "reach", "deep"], recursive),
    ):
        with pytest.raises(Refused):
            list(obligations(domain, by, forged(atom), result.ranking, uses))
    # A narrower class is no lie, if membership knows the edges, too.
    members = ProblemClass.of(domain, policy, forged(["path", "reach", "unused"]))
    assert members.reason_against(problem("(e a a)")) is None
    assert members.reason_against(problem("(e a b)")) is not None
