"""Logs read back, scenes, and the data on the pages."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from pg3.analysis.explain import explain
from pg3.cli.app import app
from pg3.cli.main import load
from pg3.domains import PAPER_DOMAINS as DOMAINS
from pg3.errors import Pg3Error
from pg3.pddl import Atom, parse_domain, parse_problem, read_domain, read_problem
from pg3.planning import Limits
from pg3.policy import canonical_rule, parse_policy, read_policy
from pg3.viewer import log_path, policy_page, read_log, search_page
from pg3.viewer.logs import take_apart
from pg3.viewer.places import places_of
from pg3.viewer.play_data import play_data
from pg3.viewer.scenes import GRAPH, PLACES, SIGNATURES, scene_of
from pg3.viewer.search_data import search_data
from tests.viewer.fabrication import (
    EXAMPLES,
    FERRY,
    HOSTILE,
    SMALL,
    TRAIN,
    apiary,
    clinic,
    crowd,
    ferry_log,
    hostile,
    large_log,
)

if TYPE_CHECKING:
    from pathlib import Path

load("view")


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found
    value = json.loads(found[1])
    assert isinstance(value, dict)
    return value


# -- logs ------------------------------------------------------------------------------------------


def test_a_log_is_read_back(tmp_path: Path) -> None:
    log = read_log(ferry_log(tmp_path / "ferry.jsonl"))
    assert log.result is not None
    assert log.result["method"] == "search"
    assert log.winner is not None
    search = log.searches[log.winner[0]]
    assert search.method == "search"
    path = search.path(log.winner[1])
    assert path[0] == 0
    scores = {c.number: c.score for c in search.candidates}
    assert scores[path[-1]] == 0
    assert [scores[n] for n in path] == sorted((scores[n] for n in path), reverse=True)


def test_plans_of_the_way_agree_with_the_scores(tmp_path: Path) -> None:
    """Worked out again, they give the very scores that the log has."""
    log = read_log(ferry_log(tmp_path / "ferry.jsonl"))
    domain = read_domain(FERRY)
    data = search_data(log, domain, [read_problem(file, domain) for file in TRAIN])
    assert log.winner is not None
    search = log.searches[log.winner[0]]
    by_number = {c.number: c for c in search.candidates}
    assert len(data["plans"]) >= 4
    for number, plans in data["plans"].items():
        differing = [entry["agrees"].count(0) for entry in plans]
        assert differing == list(by_number[number].by_problem)
    assert all(reading.endswith(".") for reading in data["readings"].values())
    assert data["result"]["same"]


def test_the_result_is_marked_where_it_was_generalised(tmp_path: Path) -> None:
    """It is no candidate of its search, but the last step on the way."""
    log = read_log(ferry_log(tmp_path / "ferry.jsonl", "robust"))
    assert log.result is not None
    assert not log.result_is_logged
    marked = log.with_result()
    assert marked.winner is not None
    search = marked.searches[marked.winner[0]]
    last = search.candidates[-1]
    assert (last.number, last.operator) == (marked.winner[1], "generalise")
    assert last.number not in {c.number for c in log.searches[marked.winner[0]].candidates}
    domain = read_domain(FERRY)
    wanted = parse_policy(log.result["result"], domain)
    rules = "\n".join(marked.rules[number].text for number in last.policy)
    found = parse_policy(f"(define (policy ferry) {rules})", domain)
    # A rule that a candidate had keeps the name that it had there.
    assert [*map(canonical_rule, found.rules)] == [*map(canonical_rule, wanted.rules)]
    assert last.size == wanted.size
    assert marked.with_result() is marked
    data = search_data(log, domain, [read_problem(file, domain) for file in TRAIN])
    assert data["winner"] == marked.winner
    assert not data["result"]["same"]
    assert data["result"]["status"] == "passed"
    # The policy solves what it was learned from: it agrees with the plans that it guides to.
    plans = data["plans"][last.number]
    assert len(plans) == len(data["plan_problems"]) == 5
    assert all(0 not in entry["agrees"] for entry in plans)


def test_the_result_may_come_from_a_later_round(tmp_path: Path) -> None:
    """What another search scored better is not the result."""
    path = large_log(tmp_path / "log.jsonl", 300)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    again = [{**line, "search": "made up, round 2"} for line in lines if "search" in line]
    other = [{**line, "search": "other"} for line in lines if "search" in line]
    other[1]["score"] = -1.0
    result = {
        **{"result": "(define (policy p) (:rule r :parameters (?a) :action (go ?a)))"},
        **{"status": "passed", "method": "made up", "reason": "x", "score": 0, "problems": []},
        **{"candidates": 1, "expansions": 1, "seconds": 1},
        "grown": {
            "number": 0,
            "altered": [],
            "hopeless": 0,
            "objects": 0,
            "failed": 0,
            "counterexamples": [],
        },
    }
    lines = [line for line in lines if "result" not in line]
    path.write_text("\n".join(map(json.dumps, [*lines, *again, *other, result])))
    log = read_log(path)
    assert [search.method for search in log.searches] == ["made up", "made up, round 2", "other"]
    assert log.winner == (1, 250)
    assert log.with_result().winner == (1, 300)


def test_a_log_that_was_cut_off(tmp_path: Path) -> None:
    path = ferry_log(tmp_path / "ferry.jsonl")
    whole = path.read_text()
    path.write_text(whole[: len(whole) // 2])
    log = read_log(path)
    assert log.result is None
    assert log.winner is not None
    assert data_of(search_page(log))["result"] is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no learning log"),
        ('{"format": "other"}\n', "no learning log"),
        (
            '{"format": "pg3-learning-log", "version": 99}\n',
            "this pg3 reads version 2, not 99",
        ),
        ('{"format": "pg3-learning-log", "version": 2}\n{\n{}\n', ":2: not JSON"),
        (
            '{"format": "pg3-learning-log", "version": 2}\n[]\n{}\n',
            ":2: a line of a",
        ),
        (
            '{"format": "pg3-learning-log", "version": 2}\n{"rule": 1, "text": "x"}\n',
            ":2: the text is",
        ),
    ],
)
def test_what_is_no_log(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(text)
    with pytest.raises(Pg3Error, match=message):
        read_log(path)


def test_where_a_log_is_found(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match=r"no log\.jsonl in this folder"):
        log_path(tmp_path)
    inside = large_log(tmp_path / "log.jsonl", 10)
    assert log_path(tmp_path) == inside
    assert log_path(inside) == inside
    assert log_path(EXAMPLES / "policies" / "ferry.policy") is None


def test_rules_in_parts() -> None:
    rule = take_apart("(:rule a :parameters (?x - t) :preconditions (p ?x) :action (go ?x))")
    assert rule.preconditions == ("(p ?x)",)
    assert rule.goals == ()
    assert rule.action == "(go ?x)"


def test_an_empty_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"format": "pg3-learning-log", "version": 2}\n')
    assert data_of(search_page(read_log(path)))["searches"] == []


# -- pages -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(DOMAINS))
def test_built_in_domains_have_a_scene(name: str) -> None:
    problem = DOMAINS[name].problems("train", seed=0, count=1)[0]
    assert scene_of(problem) == (name if name in SIGNATURES else GRAPH)
    policy = read_policy(EXAMPLES / "policies" / f"{name}.policy", problem.domain)
    data = play_data(problem, policy, limits=Limits())
    assert data["scene"] == (name if name in SIGNATURES else PLACES)
    assert data["status"] == "solved"
    state = set(data["init"])
    for step in data["steps"]:
        assert state.isdisjoint(step["add"])
        assert state.issuperset(step["del"])
        state = (state | set(step["add"])) - set(step["del"])
    assert state.issuperset(data["goal"])


def test_other_domains_are_graphs() -> None:
    _, problem, _ = hostile()
    assert scene_of(problem) == GRAPH


def test_a_policy_that_gets_stuck_shows_where() -> None:
    domain = read_domain(FERRY)
    problem = read_problem(SMALL, domain)
    policy = read_policy(EXAMPLES / "policies" / "ferry.policy", domain)
    data = play_data(problem, replace(policy, rules=policy.rules[:3]), limits=Limits())
    assert data["status"] == "not applicable"
    assert data["done"] == 0
    assert data["steps"][-1]["rule"] is None
    assert len(data["steps"][-1]["not"]) == 3


def test_hostile_names_stay_text() -> None:
    domain, problem, policy = hostile()
    page = policy_page(policy, domain, problem)
    assert "<img" not in page
    assert page.count("</script>") == 2
    assert data_of(page)["objects"][0][0] == HOSTILE + "o1"


def test_a_page_stays_small_and_asks_for_nothing(tmp_path: Path) -> None:
    page = search_page(read_log(large_log(tmp_path / "log.jsonl")))
    assert len(page.encode()) < 10_000_000
    assert "http://www.w3.org/2000/svg" in page
    assert not re.search(r"(src|href)=|url\(|@import|fetch\(", page)
    assert page == search_page(read_log(tmp_path / "log.jsonl"))


# -- the command -----------------------------------------------------------------------------------


def run(*arguments: str | Path) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["view", *map(str, arguments)])
    return result.exit_code, result.output


def test_the_command(tmp_path: Path) -> None:
    policy = EXAMPLES / "policies" / "ferry.policy"
    page = tmp_path / "ferry.html"
    code, said = run(FERRY, SMALL, "--policy", policy, "-o", page)
    assert code == 0, said
    assert data_of(page.read_text())["kind"] == "play"
    code, _ = run(policy, "--domain", FERRY, "-o", page)
    assert data_of(page.read_text())["kind"] == "policy"
    code, said = run(policy, SMALL, "-o", page)
    assert code == 2
    assert "pg3 view DOMAIN [PROBLEM] --policy POLICY" in said
    code, said = run(policy, "--domain", FERRY, SMALL, SMALL, "-o", page)
    assert code == 2


def test_the_command_on_a_run(tmp_path: Path) -> None:
    log = ferry_log(tmp_path / "log.jsonl")
    page = tmp_path / "run.html"
    code, said = run(tmp_path, "-o", page)
    assert code == 0, said
    data = data_of(page.read_text())
    assert data["kind"] == "search"
    assert data["plans"]
    code, said = run(log, SMALL, "-o", page)
    assert code == 2
    assert "learned from 6 problems, but 1 are given" in said
    code, said = run(large_log(tmp_path / "other.jsonl", 20), "-o", page)
    assert code == 0
    assert "no plans on the page" in said


# -- domains that nobody has drawn -----------------------------------------------------------------


def test_what_is_where_is_found_by_itself() -> None:
    domain, problem, policy = clinic()
    data = play_data(problem, policy, limits=Limits())
    names = problem.object_names
    assert data["status"] == "solved"
    assert data["scene"] == PLACES
    places = data["places"]
    assert places["inside"] == ["porter-in", "lies-in", "on-trolley"]
    assert [names[i] for i in places["places"]] == ["entrance", "surgery", "lab", "roof"]
    assert len(places["links"]) == 3
    assert domain.name == "clinic"


def test_what_stands_in_a_place_for_ever_is_drawn_there() -> None:
    domain, problem, policy = apiary()
    places = play_data(problem, policy, limits=Limits())["places"]
    names = problem.object_names
    assert places["inside"] == ["on", "loaded", "stands"]
    assert places["here"] == ["van-at"]
    assert [names[i] for i in places["places"]] == ["home", "y", "z", "slot1"]
    assert len(places["links"]) == 2
    assert domain.name == "apiary"


def test_the_colour_of_a_place_is_no_place() -> None:
    """Nothing is ever at a colour, and a next place of the same type does not contain this one."""
    domain = parse_domain("""(define (domain d) (:types man room colour)
      (:predicates (at ?m - man ?r - room) (coloured ?r - room ?c - colour) (after ?a ?b - room))
      (:action go :parameters (?m - man ?a ?b - room) :precondition (at ?m ?a)
        :effect (and (at ?m ?b) (not (at ?m ?a)))))""")
    problem = parse_problem(
        """(define (problem p) (:domain d) (:objects bob - man x y - room red - colour)
        (:init (at bob x) (coloured x red) (coloured y red) (after x y)) (:goal (at bob y)))""",
        domain,
    )
    places = places_of(problem, [(problem.init, ())])
    assert places is not None
    assert places["inside"] == ["at"]
    assert [problem.object_names[i] for i in places["places"]] == ["x", "y"]


def test_who_takes_something_for_ever_carries_it() -> None:
    problem = DOMAINS["spanner"].problems("train", seed=0, count=1)[0]
    policy = read_policy(EXAMPLES / "policies" / "spanner.policy", problem.domain)
    places = play_data(problem, policy, limits=Limits())["places"]
    assert [one["predicate"] for one in places["carried"]] == ["carrying"]


def test_an_unnamed_agent_is_somewhere_too() -> None:
    domain = DOMAINS["ferry"].domain
    problem = DOMAINS["ferry"].problems("train", seed=0, count=1)[0]
    places = places_of(problem, [(problem.init, ())])
    assert places is not None
    assert places["inside"] == ["at"]
    assert "at-ferry" in places["here"]
    assert places["links"] == [], "(not-eq ?a ?b) of all places is no map"
    assert domain.name == "ferry"


def test_what_is_true_of_one_place_by_chance_is_no_agent() -> None:
    domain = parse_domain("""(define (domain d) (:types maid area)
      (:predicates (at ?m - maid ?a - area) (stripped ?a - area) (store ?a - area) (big ?a - area))
      (:action go :parameters (?m - maid ?a ?b - area) :precondition (at ?m ?a)
        :effect (and (at ?m ?b) (not (at ?m ?a))))
      (:action make :parameters (?m - maid ?a - area) :precondition (at ?m ?a)
        :effect (not (stripped ?a))))""")
    problem = parse_problem(
        """(define (problem p) (:domain d) (:objects anna - maid x y - area)
        (:init (at anna x) (stripped x) (store y) (big x) (big y)) (:goal (not (stripped x))))""",
        domain,
    )
    places = places_of(problem, [(problem.init, ()), ((), [Atom("stripped", ("x",))])])
    assert places is not None
    assert places["here"] == []
    assert places["marks"] == ["store"], "which says something of some places only"


CARRIER = """(define (domain d) (:types {types})
  (:predicates (at ?i - item ?r - room) {predicates})
  (:action go :parameters (?m - man ?a ?b - room) :precondition {in_a}
    :effect (and {in_b} (not {in_a})))
  (:action take :parameters (?m - man ?i - item ?a - room) :precondition (and {in_a} (at ?i ?a))
    :effect (and {load} (not (at ?i ?a))))
  (:action eat :parameters (?m - man ?i - item ?a - room) :precondition (and {in_a} (at ?i ?a))
    :effect (and (eaten ?i) (not (at ?i ?a))))
  (:action put :parameters (?m - man ?i - item ?a - room) :precondition (and {in_a} {load})
    :effect (and (at ?i ?a) (not {load}))))"""


@pytest.mark.parametrize(
    ("predicates", "where", "load", "expected"),
    [
        ("(held ?i - item)", "(man-at {0})", "(held ?i)", ("held", 0, None, "man-at")),
        ("(has ?m - man ?i - item)", "(in ?m {0})", "(has ?m ?i)", ("has", 1, 0, "")),
        (
            "(has ?h - hand ?i - item ?m - man)",
            "(in ?m {0})",
            "(has left ?i ?m)",
            ("has", 1, 2, ""),
        ),
        ("(on ?i - item ?m - man)", "(in ?m {0})", "(on ?i ?m)", None),
    ],
)
def test_who_carries_what(
    predicates: str, where: str, load: str, expected: tuple[object, ...] | None
) -> None:
    """(on ?i ?m) is a place like any other; what is eaten is not carried."""
    unnamed = where.startswith("(man-at")
    declared = "(man-at ?r - room)" if unnamed else "(in ?m - man ?r - room)"
    text = CARRIER.format(
        types="man item room hand",
        predicates=f"(eaten ?i - item) {declared} {predicates}",
        in_a=where.format("?a"),
        in_b=where.format("?b"),
        load=load,
    )
    domain = parse_domain(text.replace("(:predicates", "(:constants left - hand) (:predicates"))
    somewhere = "(man-at x)" if unnamed else "(in bob x)"
    problem = parse_problem(
        "(define (problem p) (:domain d) (:objects bob - man i - item x y - room)"
        f" (:init {somewhere} (at i x)) (:goal (at i y)))",
        domain,
    )
    name, *terms = load.strip("()").split()
    taken = Atom(name, tuple({"?i": "i", "?m": "bob"}.get(term, term) for term in terms))
    places = places_of(problem, [(problem.init, ()), ([taken], [Atom("at", ("i", "x"))])])
    assert places is not None
    keys = ("predicate", "thing", "holder", "agent")
    wanted = [] if expected is None else [dict(zip(keys, expected, strict=True))]
    assert places["carried"] == wanted
    assert ("on" in places["inside"]) == (expected is None)
    assert [problem.object_names[i] for i in places["places"]] == ["x", "y"]


def test_without_types_a_static_predicate_says_what_a_place_is() -> None:
    """No wall is a place; the relation of all rooms with all is no map."""
    domain = parse_domain(
        "(define (domain house) (:requirements :strips) (:predicates (room ?r) (ball ?b) (hand ?h)"
        " (differ ?a ?b) (robot-at ?r) (in ?b ?r) (held ?b ?h))"
        " (:action go :parameters (?a ?b) :precondition (and (robot-at ?a) (differ ?a ?b))"
        " :effect (and (robot-at ?b) (not (robot-at ?a))))"
        " (:action take :parameters (?b ?r ?h) :precondition (and (in ?b ?r) (robot-at ?r))"
        " :effect (and (held ?b ?h) (not (in ?b ?r)))))"
    )
    rooms = [f"r{i}" for i in range(8)]
    pairs = " ".join(f"(differ {a} {b})" for a in rooms for b in rooms if a != b)
    problem = parse_problem(
        f"(define (problem p) (:domain house) (:objects {' '.join(rooms)} x left)"
        f" (:init {' '.join(f'(room {r})' for r in rooms)} {pairs} (ball x) (hand left)"
        " (robot-at r0) (in x r1)) (:goal (in x r2)))",
        domain,
    )
    held = [(problem.init, ()), ([Atom("held", ("x", "left"))], [Atom("in", ("x", "r1"))])]
    places = places_of(problem, held)
    assert places is not None
    assert [problem.object_names[i] for i in places["places"]] == rooms
    assert places["here"] == ["robot-at"]
    assert places["links"] == []


def test_without_places_there_is_a_graph() -> None:
    _, problem, policy = crowd()
    assert places_of(problem, [(problem.init, ())]) is None
    assert play_data(problem, policy, limits=Limits())["scene"] == GRAPH


def test_long_plans_are_told_the_fast_way() -> None:
    """The same steps, whichever way they are told."""
    domain, problem, policy = clinic()
    explanation = explain(problem, policy)
    for number, step in enumerate(explanation.walk(), start=1):
        slow = explanation.step(number, near_misses=False)
        assert (step.firing, step.added, step.deleted) == (slow.firing, slow.added, slow.deleted)
        assert set(step.achieves) == set(slow.achieves)
        assert (set(step.undoes), step.next_goal) == (set(slow.undoes), slow.next_goal)
    assert number == explanation.steps
    assert domain.name == "clinic"
