"""Derived predicates that depend on themselves: the checker's axioms, against real graphs."""

from __future__ import annotations

import itertools
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from pg3.analysis.prove.certificate import write_proof
from pg3.analysis.prove.checker.checking import check_proof
from pg3.analysis.prove.checker.links import Link, link_axioms
from pg3.analysis.prove.checker.obligations import obligations
from pg3.analysis.prove.checker.terms import Refused, Terms, Typed
from pg3.analysis.prove.membership import ProblemClass
from pg3.errors import Pg3Error
from pg3.pddl import parse_domain, parse_problem
from pg3.policy import parse_policy
from tests.analysis.prove.test_hostile import answer

if TYPE_CHECKING:
    from pathlib import Path

z3 = pytest.importorskip("z3")

# An action adds and deletes edges, of whatever objects: also of one object, and one edge twice.
GRAPH = parse_domain("""(define (domain d) (:predicates (on ?x ?y) (red ?x))
  (:action move :parameters (?a ?b ?c ?d ?e ?f) :precondition ()
   :effect (and (on ?a ?b) (on ?c ?d) (not (on ?d ?e)) (not (on ?a ?f)) (not (on ?f ?f)))))""")
BAD = """(:derived (bad ?x) (and (red ?x)))
  (:derived (bad ?x) (exists (?y) (and (on ?x ?y) (bad ?y))))"""
MOVE = """(:rule move :parameters (?a ?b ?c ?d ?e ?f) :preconditions (and (bad ?a))
  :action (move ?a ?b ?c ?d ?e ?f))"""
CLASS: dict[str, Any] = {
    "kinds": [{"name": "object", "type": "object", "predicate": None}],
    "constants": [],
    "facts": [["on", "object", "object"], ["red", "object"]],
    "goals": [["on", "object", "object"], ["red", "object"]],
    "negated_goals": [],
    "acyclic": ["goal on"],
    "invariants": [],
}


def closure(objects: range, edges: set[tuple[int, int]]) -> set[tuple[int, int]]:
    found = {(i, i) for i in objects} | edges
    for k, i, j in itertools.product(objects, repeat=3):
        if (i, k) in found and (k, j) in found:
            found.add((i, j))
    return found


def written_out(term: Any, universe: list[Any]) -> Any:
    """The term with its quantifiers written out over all objects."""
    if z3.is_quantifier(term):
        rows = itertools.product(universe, repeat=term.num_vars())
        found = [written_out(z3.substitute_vars(term.body(), *row), universe) for row in rows]
        return z3.And(found) if term.is_forall() else z3.Or(found)
    if not term.children() or not z3.is_bool(term):
        return term
    return term.decl()(*(written_out(child, universe) for child in term.children()))


@pytest.mark.parametrize("seed", range(20))
def test_the_axioms_hold_in_every_graph(seed: int) -> None:
    """With the real links before and after an action, all axioms can be true together."""
    chance = random.Random(seed)
    objects = range(chance.choice((1, 2, 3)))
    pairs = [(i, j) for i in objects for j in objects]
    # Few edges and many, so that some graphs are functional and some have circles.
    before = {pair for pair in pairs if chance.random() < chance.choice((0.2, 0.5))}
    red = {i for i in objects if chance.random() < 0.3}
    goal = {(i, j) for i, j in pairs if i < j and chance.random() < 0.5}
    chosen = {name: chance.choice(objects) for name in "abcdef"}
    a, b, c, d, e, f = chosen.values()
    after = (before - {(d, e), (a, f), (f, f)}) | {(a, b), (c, d)}

    policy = parse_policy(f"(define (policy p) (:domain d) {BAD} {MOVE})", GRAPH)
    terms = Terms(GRAPH, policy, CLASS)
    (case,) = terms.cases
    scope = terms.acting(case, "acting")
    effects = terms.effects(case, scope)
    x, y = Typed("x", "object"), Typed("y", "object")
    named = [terms.constant("member", f"o{i}", "object") for i in objects]
    parts = [f"(distinct {' '.join(o.text for o in named)})"]
    if len(objects) == 1:
        parts = []
    parts += [f"(= {scope['?' + name].text} {named[i].text})" for name, i in chosen.items()]

    def told(text: str, true: bool) -> str:
        return text if true else f"(not {text})"

    for edges, state in ((before, None), (after, effects)):
        links = closure(objects, edges)
        for i, j in pairs:
            parts.append(told(terms.atom("on", [named[i], named[j]], state), (i, j) in edges))
            parts.append(told(terms.linked("on", [named[i], named[j]], state), (i, j) in links))
        for i in objects:
            is_bad = any((i, j) in links and j in red for j in objects)
            parts.append(told(terms.derived("bad", [named[i]], state), is_bad))
    parts += [told(terms.atom("red", [o]), i in red) for i, o in enumerate(named)]
    parts += [told(terms.goal("on", [named[i], named[j]]), (i, j) in goal) for i, j in pairs]
    assert terms.linked("on", [x, y]) != terms.linked("on", [x, y], effects)
    link = Link(terms, "on", "object")
    for name, state in itertools.product(("first", "last", "onward", "backward"), (None, effects)):
        parts.append(link.more_of_a_state(name, state))
    ranking = {"step": "split", "rules": ["move"], "follows": [], "components": []}
    uses = {"some rule": ["lowest goal on object bad"]}
    (some_rule,) = (
        o for o in obligations(GRAPH, policy, CLASS, ranking, uses) if o.name == "some rule"
    )
    lowest = [line for line in some_rule.script.splitlines() if "goal on" in line][-1]
    parts.append(lowest.removeprefix("(assert ").removesuffix(")"))
    read, solver = z3.Solver(), z3.Solver()
    read.from_string(terms.script("axioms", [*parts, *link_axioms(terms, parts, effects)]))
    universe = [z3.Const(o.text.strip("|"), z3.DeclareSort("kind object")) for o in named]
    solver.add([written_out(one, universe) for one in read.assertions()])
    assert solver.check() == z3.sat


@pytest.mark.parametrize(
    "definitions",
    [
        "(:derived (bad ?x) (exists (?y) (and (on ?x ?y) (not (bad ?y)))))",
        "(:derived (bad ?x) (exists (?y) (and (on ?y ?x) (bad ?y))))",
        "(:derived (bad ?x) (exists (?y) (and (on ?x ?y) (red ?x) (bad ?y))))",
        "(:derived (bad ?x) (and (worse ?x))) (:derived (worse ?x) (and (bad ?x)))",
        "(:derived (bad ?x) (exists (?y ?z) (and (on ?x ?y) (on ?y ?z) (bad ?z))))",
    ],
)
def test_other_recursion_is_refused(definitions: str) -> None:
    try:
        policy = parse_policy(f"(define (policy p) (:domain d) {definitions} {MOVE})", GRAPH)
    except Pg3Error:
        # Not even a policy: the reader knows no meaning of "not itself".
        assert "not (bad" in definitions
        return
    with pytest.raises(Refused, match="depends on itself"):
        Terms(GRAPH, policy, CLASS)


# -- whole proofs ----------------------------------------------------------------------------------

TOWERS = """(:requirements :strips) (:predicates (on ?x ?y) (clear ?x) (table ?x))
  (:action take :parameters (?x ?y) :precondition (and (on ?x ?y) (clear ?x))
   :effect (and (table ?x) (clear ?y) (not (on ?x ?y))))"""
# A block is in the way if its goal is open, or it stands on one that is in the way.
TAKE = """(:derived (way ?x) (and (not (table ?x)) (goal (table ?x))))
  (:derived (way ?x) (exists (?y) (and (on ?x ?y) (way ?y))))
  (:rule take :parameters (?x ?y) :preconditions (and (on ?x ?y) (clear ?x) (way {block}))
   :action (take ?x ?y))"""


def tower(*blocks: str, goal: str) -> str:
    on = " ".join(f"(on {x} {y})" for x, y in itertools.pairwise(blocks))
    goals = " ".join(f"(table {name})" for name in goal.split())
    return f"""(:objects {" ".join(blocks)}) (:init {on} (clear {blocks[0]}) (table {blocks[-1]}))
      (:goal (and {goals}))"""


PROBLEMS = (
    tower("a", "b", goal="a"),
    tower("a", "b", "c", goal="b"),
    tower("a", "b", "c", "d", "e", goal="c"),
)


def test_a_policy_that_looks_down_a_tower_is_proved(tmp_path: Path) -> None:
    """The proof needs that above each block there is a clear one, however high the tower."""
    result = answer(TOWERS, TAKE.format(block="?x"), *PROBLEMS)
    assert result.proved, result.claim
    assert any("can be reached from" in line and "along on" in line for line in result.words)
    domain, policy = tmp_path / "domain.pddl", tmp_path / "p.policy"
    domain.write_text(f"(define (domain d) {TOWERS})")
    policy.write_text(f"(define (policy p) (:domain d) {TAKE.format(block='?x')})")
    write_proof(tmp_path / "proof", domain.read_bytes(), policy.read_bytes(), result)
    checked = check_proof(tmp_path / "proof", str(domain), str(policy))
    assert checked.fault is None
    assert checked.obligations == len(result.obligations)
    file = tmp_path / "proof" / "proof.json"
    forged = json.loads(file.read_text())
    forged["problem_class"]["acyclic"] = ["goal table"]
    file.write_text(json.dumps(forged))
    checked = check_proof(tmp_path / "proof", str(domain), str(policy))
    assert checked.fault == "goal table is no static relation of two objects"


def test_a_policy_that_looks_only_below_is_not_proved() -> None:
    result = answer(TOWERS, TAKE.format(block="?y"), tower("a", "b", "c", goal="a b"))
    assert not result.proved


# -- forged certificates ---------------------------------------------------------------------------


def forged(change: dict[str, Any], *uses: str, policy: str = BAD + MOVE) -> None:
    """Read a certificate about GRAPH; Refused if it cannot be one."""
    by = parse_policy(f"(define (policy p) (:domain d) {policy})", GRAPH)
    ranking = {"step": "split", "rules": ["move"], "follows": [], "components": []}
    following = "not after move" + " object" * 6 + ": move" + " object" * 6
    named = {name: list(uses) for name in ("some rule", following)}
    list(obligations(GRAPH, by, {**CLASS, **change}, ranking, named))


def invariant(formula: list[Any]) -> dict[str, Any]:
    one = {"name": "i", "words": "", "form": "formula", "kind": "mutex", "formula": formula}
    return {"invariants": [one]}


@pytest.mark.parametrize(
    "name",
    [
        "lowest",
        "lowest goal",
        "lowest bad",
        "lowest object bad",
        "lowest on object bad",
        "lowest goal red object bad",
        "lowest goal on thing bad",
        "lowest goal on object red",
        "lowest goal on object object bad",
        "after lowest goal on object bad",
        "link",
        "link on",
        "link on object",
        "link on thing first",
        "link on object next",
        "link red object first",
        "link bad object first",
        "link nothing object first",
        "after link red object last",
        "path on object step",
        "path bad object itself",
    ],
)
def test_names_of_no_hypotheses_are_refused(name: str) -> None:
    forged({}, "lowest goal on object bad", "link on object first")
    with pytest.raises(Refused):
        forged({}, name)


@pytest.mark.parametrize(
    "atom",
    [
        ["linked", "red", "?x", "?x"],
        ["linked", "red", "?x"],
        ["linked", "bad", "?x", "?x"],
        ["linked", "nothing", "?x", "?x"],
        ["linked", "on", "?x"],
        ["derived", "red", "?x"],
        ["derived", "on", "?x", "?x"],
        ["derived", "bad", "?x", "?x"],
        ["reach", "red", "?x"],
        ["reach", "bad", "?x"],
        ["reach", "on", "?x", "?x"],
    ],
)
def test_formulas_of_no_meaning_are_refused(atom: list[str]) -> None:
    for good in (["linked", "on", "?x", "?x"], ["derived", "bad", "?x"]):
        forged(invariant(["forall", [["?x", "object"]], ["path", *good]]))
    with pytest.raises(Refused):
        forged(invariant(["forall", [["?x", "object"]], ["path", *atom]]))


@pytest.mark.parametrize("relation", ["on", "red", "bad", "goal red", "goal bad", "goal nothing"])
def test_only_goals_and_what_no_action_changes_are_without_circles(relation: str) -> None:
    with pytest.raises(Refused, match="no static relation of two objects"):
        forged({"acyclic": [relation]})


def test_links_between_kinds_are_refused() -> None:
    """Also if only an action can make them."""
    domain = parse_domain("""(define (domain d) (:requirements :typing) (:types a b)
      (:predicates (on ?x ?y) (red ?x))
      (:action join :parameters (?x - a ?y - b) :precondition (red ?x) :effect (on ?x ?y)))""")
    rule = """(:rule join :parameters (?x - a ?y - b) :preconditions (and (red ?x))
      :action (join ?x ?y))"""
    kinds = [{"name": name, "type": name, "predicate": None} for name in "ab"]
    mixed = {**CLASS, "kinds": kinds, "goals": [["red", "a"]], "facts": [["red", "a"]]}
    policy = parse_policy(f"(define (policy p) (:domain d) {BAD} {rule})", domain)
    with pytest.raises(Refused, match="does not relate objects of one kind"):
        Terms(domain, policy, mixed)
    plain = Terms(domain, parse_policy(f"(define (policy p) (:domain d) {rule})", domain), mixed)
    with pytest.raises(Refused, match="does not relate objects of one kind"):
        plain.linked("on", [Typed("x", "a"), Typed("y", "a")])


def test_an_unused_definition_means_the_same_to_checker_and_membership() -> None:
    """Also of a kind that it is not about: it is false of each such object."""
    domain = parse_domain("""(define (domain d) (:requirements :typing) (:types a b)
      (:predicates (on ?x ?y) (red ?x))
      (:action paint :parameters (?x - a) :precondition () :effect (red ?x)))""")
    policy = parse_policy(
        """(define (policy p) (:domain d)
        (:derived (bad ?x - a) (and (red ?x)))
        (:derived (bad ?x - a) (exists (?y - a) (and (on ?x ?y) (bad ?y))))
        (:rule paint :parameters (?x - a) :preconditions (and (not (red ?x)))
          :goals (and (red ?x)) :action (paint ?x)))""",
        domain,
    )
    kinds = [{"name": name, "type": name, "predicate": None} for name in "ab"]
    facts = [["on", kind, kind] for kind in "ab"] + [["red", "a"], ["red", "b"]]
    text = """(define (problem p) (:domain d) (:objects x y - a u v - b)
      (:init (on x y) (red y) (on u v) (red v)) (:goal (red x)))"""
    problem = parse_problem(text, domain)
    for kind, true in (("a", True), ("b", False)):
        formula = ["exists", [["?x", kind]], ["path", "derived", "bad", "?x"]]
        value = {**CLASS, "kinds": kinds, "facts": facts, "goals": [["red", "a"]], "acyclic": []}
        value |= invariant(formula)
        members = ProblemClass.of(domain, policy, value)
        assert (members.reason_against(problem) is None) == true
        terms = Terms(domain, policy, value)
        meaning = terms.definition("bad", kind, None)
        assert ("state red" in meaning) == true
