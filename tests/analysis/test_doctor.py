"""The doctor: every fault with its place, measurements, and a finding for each thing to change."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from pg3.analysis.doctor import CHECKS, Diagnosis, Level, examine
from pg3.analysis.doctor.faults import read_whole_domain, read_whole_problem
from pg3.errors import Pg3Error
from pg3.pddl import read_domain, read_problem, write_domain, write_problem
from pg3.planning import Limits
from tests.cli.test_cli import Run, pg3
from tests.support.axiom_domains import GRID, grid_problem

__all__ = ["pg3"]

ROOT = Path(__file__).parents[2]
FERRY = ROOT / "examples" / "ferry"
BROKEN = ROOT / "tests" / "pddl" / "broken"

DOMAIN = """(define (domain moving)
  (:types place - object thing - object crate ghost - thing)
  (:predicates (at ?t - thing ?p - place) (road ?a ?b - place) (lost ?t - thing)
               (colour ?t - thing))
  (:action move :parameters (?t - thing ?a ?b - place)
   :precondition (and (at ?t ?a) (road ?a ?b))
   :effect (and (at ?t ?b) (not (at ?t ?a))))
  (:action find :parameters (?t - thing ?a - place)
   :precondition (lost ?t) :effect (and (at ?t ?a) (not (lost ?t))))
  (:action turn :parameters (?t - thing) :precondition (at ?t home) :effect ())
  (:constants home - place))"""


def problem(things: int, places: int, *, goals: str | None = None, objects: str = "") -> str:
    """Things at one end of a road that want to the other."""
    names = [f"p{i}" for i in range(places)]
    crates = [f"c{i}" for i in range(things)]
    roads = " ".join(f"(road {a} {b})" for a, b in itertools.pairwise(names))
    at = " ".join(f"(at {crate} p0) (colour {crate})" for crate in crates)
    wanted = " ".join(f"(at {crate} {names[-1]})" for crate in crates) if goals is None else goals
    return f"""(define (problem p) (:domain moving)
      (:objects {" ".join(names)} - place {" ".join(crates)} - crate {objects})
      (:init {roads} {at}) (:goal (and {wanted})))"""


def write(folder: Path, *problems: str, domain: str = DOMAIN) -> tuple[str, list[str]]:
    (folder / "domain.pddl").write_text(domain)
    for i, text in enumerate(problems):
        (folder / f"p{i}.pddl").write_text(text)
    return str(folder / "domain.pddl"), [str(folder / f"p{i}.pddl") for i in range(len(problems))]


def diagnose(folder: Path, *problems: str, **options: Any) -> Diagnosis:
    return examine(*write(folder, *problems), **options)


def checks(diagnosis: Diagnosis) -> set[str]:
    return {finding.check for finding in diagnosis.findings}


HEALTHY = [problem(1, 4), problem(1, 5), problem(2, 4), problem(2, 5), problem(3, 4)]


# -- faults ----------------------------------------------------------------------------------------

FAULTY_DOMAIN = """(define (domain d)
  (:types a)
  (:predicates (p ?x - a) (q))
  (:functions (fuel) - number)
  (:derived (q) (forall (?x - a) (p ?x)))
  (:action one :parameters (?x - a)
   :precondition (and (or (p ?x) (q)) (forall (?y - a) (p ?y))
     (not (and (p ?x) (q))) (>= (* (fuel) (fuel)) 1))
   :effect (and (when (q) (p ?x)) (scale-up (fuel) 1) (nope ?x)))
  (:durative-action two :parameters () :duration (= ?duration 1) :effect ())
  (:action three :parameters (?x - a) :vars (?z) :precondition (exists (?y - a) (p ?y))
   :effect (not (p ?x))))"""


def test_every_fault_of_a_domain(tmp_path: Path) -> None:
    path = tmp_path / "domain.pddl"
    path.write_text(FAULTY_DOMAIN)
    reading = read_whole_domain(path)
    assert reading.value is not None
    places = [(str(fault.place).rsplit(":", 2)[1:], fault.message) for fault in reading.faults]
    assert places == [
        (["8", "33"], "not supported: a product of functions (*)"),
        (["9", "36"], "not supported: products of numbers (scale-up)"),
        (["9", "56"], "predicate 'nope' is not declared"),
        (["10", "4"], "not supported: durative actions (:durative-action)"),
        (["11", "39"], "not supported: action variables apart from parameters (:vars)"),
    ]
    assert all(fault.hint for fault in reading.faults)
    assert "linear" in str(reading.faults[0].hint)
    assert "leave the numbers out" in str(reading.faults[1].hint)
    assert [fault.unsupported for fault in reading.faults].count(False) == 1
    first = reading.faults[0]
    assert first.excerpt == (
        "         (not (and (p ?x) (q))) (>= (* (fuel) (fuel)) 1))\n" + " " * 36 + "^" * 17
    )


def test_every_fault_of_a_problem(tmp_path: Path) -> None:
    domain = read_domain(write(tmp_path)[0])
    path = tmp_path / "problem.pddl"
    path.write_text("""(define (problem x) (:domain moving) (:objects c - crate)
 (:init (at c home) (at 5 (lost c)) (zz) (lost d)) (:goal (or (lost c) (lost e)))
 (:constraints (always (lost c))) (:metric maximize (total-cost)))""")
    reading = read_whole_problem(path, domain)
    assert reading.value is not None
    assert [fault.message for fault in reading.faults] == [
        "not supported: timed initial literals",
        "predicate 'zz' is not declared",
        "object 'd' is not declared",
        "object 'e' is not declared",
        "not supported: constraints (:constraints)",
    ]


@pytest.mark.parametrize("path", sorted(BROKEN.glob("*.pddl")), ids=lambda path: path.name)
def test_first_fault_is_the_readers(path: Path) -> None:
    """Of each broken file: among the faults is the one that reading it raises, and none is odd."""
    domain = read_domain(BROKEN / "domain.pddl")
    is_domain = path.name.startswith("domain")
    try:
        if is_domain:
            read_domain(path)
        else:
            read_problem(path, domain)
    except Pg3Error as error:
        message = str(error).splitlines()[0]
    else:
        return
    reading = read_whole_domain(path) if is_domain else read_whole_problem(path, domain)
    found = [
        fault.message if fault.place is None else f"{fault.place}: {fault.message}"
        for fault in reading.faults
    ]
    assert message in found
    assert len(set(found)) == len(found)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    missing = examine(str(tmp_path / "none.pddl"), [str(FERRY / "small.pddl")])
    assert missing.domain is None
    assert [fault.place for fault in missing.faults] == [None]
    assert "no such file" in missing.faults[0].message


def test_broken_problems_do_not_stop_the_others(tmp_path: Path) -> None:
    diagnosis = diagnose(
        tmp_path, *HEALTHY, "(define (problem", "", problem(1, 4, goals="(at c9 p1)")
    )
    assert len(diagnosis.faults) == 3
    assert len(diagnosis.problems) == 5
    assert all(fault.place is not None for fault in diagnosis.faults)


def test_faults_of_problems_are_found_in_a_domain_with_faults(tmp_path: Path) -> None:
    domain = DOMAIN.replace("(lost ?t) :effect", "(preference p1 (lost ?t)) :effect")
    files = write(tmp_path, *HEALTHY, problem(1, 4, goals="(sometime (at c0 p1))"))
    Path(files[0]).write_text(domain)
    diagnosis = examine(*files)
    assert [fault.message for fault in diagnosis.faults] == [
        "not supported: preferences (preference)",
        "not supported: trajectory constraints (sometime)",
    ]
    assert diagnosis.problems == ()
    assert diagnosis.findings == ()


# -- measurements ----------------------------------------------------------------------------------


def test_sizes_and_plans(tmp_path: Path) -> None:
    diagnosis = diagnose(tmp_path, *HEALTHY)
    first = diagnosis.problems[0]
    assert first.objects == {"place": 4, "crate": 1}
    assert (first.facts, first.goals, first.ground_atoms, first.ground_actions) == (5, 1, 4, 3)
    assert (first.status, first.steps) == ("solved", 3)
    assert first.plan_uses == {"move": 3}
    assert diagnosis.static_predicates == ["road", "colour"]
    assert diagnosis.goal_predicates == {"at": 5}


def test_json_has_everything(tmp_path: Path) -> None:
    diagnosis = diagnose(tmp_path, *HEALTHY, problem(1, 4), problem(1, 3, goals="(at c7 p1)"))
    data = json.loads(json.dumps(diagnosis.to_json()))
    assert data["domain"]["static_predicates"] == ["road", "colour"]
    assert len(data["problems"]) == 6
    assert data["problems"][0]["objects"] == {"place": 4, "crate": 1}
    assert data["problems"][0]["goal_predicates"] == ["at"]
    assert data["faults"][0]["place"].startswith(str(tmp_path / "p6.pddl"))
    assert {concern["check"] for concern in data["concerns"]} >= {"copy"}


# -- findings --------------------------------------------------------------------------------------


def test_findings_of_the_domain(tmp_path: Path) -> None:
    found = {finding.check: finding for finding in diagnose(tmp_path, *HEALTHY).findings}
    assert found["impossible-actions"].level == Level.CONCERN
    assert "find, turn" in found["impossible-actions"].message
    assert "lost" in found["never-true"].message
    assert "colour" in found["unused-predicates"].message
    assert "ghost" in found["unused-types"].message
    assert all(finding.advice for finding in found.values())


CASES = {
    "goal-holds-at-the-start": [*HEALTHY, problem(1, 4, goals="(at c0 p0)")],
    "unsolvable": [*HEALTHY, problem(1, 4, goals="(at c0 home)")],
    "copy": [*HEALTHY, HEALTHY[2]],
    "few-problems": HEALTHY[:3],
    "same-size": [HEALTHY[2], problem(2, 4, goals="(at c0 p3)"), problem(2, 4, goals="(at c1 p3)")],
    "short-plans": [problem(1, 2), problem(1, 3), problem(1, 3, objects="extra - place")],
    "one-goal": HEALTHY[:2],
    "one-constant": [
        problem(1, n, goals="(at c0 home)").replace("(:init", "(:init (road p3 home)")
        for n in (4, 5, 6)
    ],
    "likely-constants": [problem(1, n, objects="depot - place") for n in (4, 5, 6)],
    "idle-objects": [*HEALTHY, problem(1, 4, objects="extra - place")],
    "always-one": [problem(1, 4), problem(1, 5)],
    "idle-actions": [
        *HEALTHY,
        problem(1, 4, objects="x - thing").replace("(:init", "(:init (lost x)"),
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_findings_of_problems(name: str, tmp_path: Path) -> None:
    before = tmp_path / "healthy"
    before.mkdir()
    assert name not in checks(diagnose(before, *HEALTHY)) - {"idle-actions"}
    diagnosis = diagnose(tmp_path, *CASES[name])
    assert name in checks(diagnosis)
    for finding in diagnosis.findings:
        assert finding.advice
        assert set(finding.files) <= set(diagnosis.problem_paths)


def test_who_has_nothing_in_it_is_not_idle(tmp_path: Path) -> None:
    """An empty shelf has no facts; only where the others of its kind do, one is missing."""
    empty = [problem(1, n, objects="ghost1 - ghost") for n in (4, 5, 6)]
    assert "idle-objects" not in checks(diagnose(tmp_path, *HEALTHY, *empty))
    diagnosis = diagnose(tmp_path, *HEALTHY, problem(1, 4, objects="x y - place"))
    (finding,) = [f for f in diagnosis.findings if f.check == "idle-objects"]
    assert finding.message == "no fact and no goal mentions x, y"


def test_goals_of_different_kinds_are_normal(tmp_path: Path) -> None:
    other = problem(1, 6, goals="(at c0 p3) (colour c0)")
    assert checks(diagnose(tmp_path, *HEALTHY, other)) <= checks(diagnose(tmp_path, *HEALTHY))


def test_negative_goals_are_a_concern_if_they_are_derived(tmp_path: Path) -> None:
    problems = [*HEALTHY, problem(1, 6, goals="(not (at c0 p0))")]
    assert "negative-goals" not in checks(diagnose(tmp_path, *problems))
    derived = DOMAIN.replace(
        "(colour ?t - thing))", "(colour ?t - thing) (near ?t - thing))"
    ).replace("(:constants", "(:derived (near ?t - thing) (at ?t home)) (:constants")
    problems[-1] = problem(1, 6, goals="(not (near c0)) (at c0 p5)")
    diagnosis = examine(*write(tmp_path, *problems, domain=derived))
    (finding,) = [finding for finding in diagnosis.concerns if finding.check == "negative-goals"]
    assert "such as (not (near c0)): no effect" in finding.message


def test_a_negative_goal_on_a_number_is_better_written_as_its_opposite(tmp_path: Path) -> None:
    numbers = DOMAIN.replace("(:action", "(:functions (load ?t - thing)) (:action", 1).replace(
        ":effect (and", ":effect (and (increase (load ?t) 1)", 1
    )
    loads = "(:init (= (load c0) 0)"
    problems = [
        *(problem(1, n).replace("(:init", loads) for n in (4, 5)),
        problem(1, 6, goals="(at c0 p5) (not (<= (load c0) 2))").replace("(:init", loads),
    ]
    diagnosis = examine(*write(tmp_path, *problems, domain=numbers))
    (finding,) = [finding for finding in diagnosis.concerns if finding.check == "negative-goals"]
    assert finding.message.endswith("such as (not (<= (load c0) 2))")
    assert finding.advice.startswith("write the opposite comparison")
    assert [Path(file).name for file in finding.files] == ["p2.pddl"]


def test_a_copy_may_list_everything_in_another_order(tmp_path: Path) -> None:
    other = HEALTHY[2].replace("c0 c1 - crate", "c1 c0 - crate")
    other = other.replace("(at c0 p0) (colour c0)", "(colour c0) (at c0 p0)")
    assert other != HEALTHY[2]
    assert "copy" in checks(diagnose(tmp_path, *HEALTHY, other))


def test_limits_make_problems_hard(tmp_path: Path) -> None:
    problems = [problem(6, 6), problem(7, 5), problem(7, 6), problem(5, 6)]
    diagnosis = diagnose(tmp_path, *problems, limits=Limits(expansions=5))
    (finding,) = [f for f in diagnosis.findings if f.check == "unsolved"]
    assert len(finding.files) == 4
    assert {p.status for p in diagnosis.problems} == {"expansion limit"}
    late = diagnose(tmp_path, *problems, limits=Limits(seconds=0.0))
    assert {p.status for p in late.problems} <= {"time limit", "too large to ground"}


def test_axioms_are_noted(tmp_path: Path) -> None:
    problems = [write_problem(grid_problem(size, random.Random(size))) for size in (5, 6, 7, 8)]
    files = write(tmp_path, *problems, domain=write_domain(GRID))
    found = {finding.check: finding for finding in examine(*files).notes}
    assert "derive live, alarm" in found["axioms"].message
    assert "that alarm has to be false" in found["derived-false"].message


def test_costs_are_noted(tmp_path: Path) -> None:
    domain = DOMAIN.replace("(:action move", "(:functions (total-cost) - number) (:action move")
    files = write(tmp_path, *HEALTHY, domain=domain)
    assert "costs" in checks(examine(*files))


def test_warnings_keep_their_places(tmp_path: Path) -> None:
    diagnosis = diagnose(tmp_path, *HEALTHY, problem(4, 4).rstrip()[:-1])
    (finding,) = [f for f in diagnosis.findings if f.check == "warnings"]
    assert finding.level == Level.NOTE
    assert finding.files[0].startswith(f"{tmp_path / 'p5.pddl'}:3:")


@pytest.mark.parametrize("name", CHECKS)
def test_no_problems_no_trouble(name: str) -> None:
    domain = read_domain(FERRY / "domain.pddl")
    assert {f.check for f in CHECKS[name](domain, [])} <= {"few-problems", "never-true"}


# -- the command -----------------------------------------------------------------------------------


def test_healthy_problems(pg3: Run) -> None:
    result = pg3("doctor", FERRY / "domain.pddl", FERRY / "train")
    assert result.code == 0, result.out
    assert "healthy: the planner solves 6 of 6 problems" in result.out
    assert f"next: pg3 learn {FERRY / 'domain.pddl'}" in result.out
    assert "p1.pddl" in result.out


def test_concerns(pg3: Run, tmp_path: Path) -> None:
    domain, problems = write(tmp_path, *HEALTHY)
    result = pg3("doctor", domain, *problems)
    assert result.code == 1
    assert "concerns (1):" in result.out
    assert "-> check its preconditions" in result.out


def test_bad_input_is_reported_with_the_rest(pg3: Run, tmp_path: Path) -> None:
    domain, problems = write(
        tmp_path, *HEALTHY, "(define (problem", problem(1, 2, goals="(preference p (q))")
    )
    result = pg3("doctor", domain, *problems, tmp_path / "missing.pddl")
    assert result.code == 2
    assert f"{problems[5]}:1:" in result.out
    words = " ".join(result.out.split())
    assert "not supported: preferences (preference)" in words
    assert "missing.pddl: no such file" in words
    assert "3 faults: 5 of 8 problems can be read" in result.out


def test_json_option(pg3: Run, tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    domain = FERRY / "domain.pddl"
    assert pg3("doctor", domain, FERRY / "train", "--json", path).code == 0
    assert len(json.loads(path.read_text())["problems"]) == 6
    result = pg3("doctor", domain, FERRY / "train", "--json", "-")
    assert json.loads(result.out)["faults"] == []
    assert "healthy" in result.err
    assert pg3("doctor", domain, FERRY / "small.pddl", "--json", domain).code == 2


@pytest.mark.parametrize("columns", ["72", "80", "200"])
def test_report_fits_the_terminal(
    pg3: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.chdir(tmp_path)
    write(tmp_path, *HEALTHY, *(problem(1, 3 + n) for n in range(30)), problem(1, 3, goals="(oh)"))
    (tmp_path / "p0.pddl").rename(tmp_path / f"{'long' * 12}.pddl")
    result = pg3("doctor", "domain.pddl", ".")
    lines = result.out.splitlines()
    assert max(map(len, lines)) <= min(100, int(columns))
    assert any("and 15 more (see --json)" in line for line in lines)


def test_help_of_doctor(pg3: Run) -> None:
    result = pg3("doctor", "--help")
    assert "Example: pg3 doctor " in result.out
    assert len(result.out.splitlines()) <= 24
