"""How far a policy can be trusted, as `pg3 learn` says it; `--test`, `--json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pg3.domains import DOMAINS
from pg3.learning.learner import learn
from pg3.learning.policy_search import StopReason
from pg3.learning.result import LearningResult, Status, TrainingProblem
from pg3.learning.robustness.proposers import Proposal
from pg3.learning.robustness.verdicts import Grown
from pg3.pddl import parse_problem, read_domain, read_problem, write_domain, write_problem
from pg3.planning import execute
from pg3.policy import DecisionList, read_policy
from tests.cli.test_cli import DOMAIN, POLICY, ROOT, SHORT_POLICY, SMALL, Result, Run, pg3
from tests.support.ferry_problems import FERRY, small_ferry_problems
from tests.support.ferry_problems import POLICY as BY_HAND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.policy.rule_book import PolicyKey, RuleBook

__all__ = ["pg3"]

PROBLEMS = small_ferry_problems(3)
SOLVED = tuple(TrainingProblem(problem.name, 5, None) for problem in PROBLEMS)
LARGER = Grown(20, 80, 0, ())
FAILS = Grown(40, 80, 31, tuple(PROBLEMS[1:]))
PASSED = LearningResult(
    BY_HAND, 0.0, SOLVED, "made up", "perfect training score", 7, 2, 0.5, LARGER
)
MEMORISED = replace(PASSED, grown=FAILS, reason="no candidates left")


@pytest.fixture
def train(tmp_path: Path) -> Path:
    """A folder of three small problems."""
    folder = tmp_path / "train"
    folder.mkdir()
    for i, problem in enumerate(PROBLEMS, start=1):
        (folder / f"p{i}.pddl").write_text(write_problem(problem))
    return folder


Learned = Callable[..., Result]


@pytest.fixture
def learned(pg3: Run, train: Path, monkeypatch: pytest.MonkeyPatch) -> Learned:
    """Runs `pg3 learn` where learning comes to this result."""

    def run(result: LearningResult, *options: str | Path, training: Path = train) -> Result:
        monkeypatch.setattr("pg3.cli.learning.session.learn_policy", lambda *_, **__: result)
        return pg3("learn", DOMAIN, training, *options)

    return run


# -- how far a policy can be trusted ---------------------------------------------------------------


def test_a_policy_that_passes(learned: Learned, tmp_path: Path) -> None:
    result = learned(PASSED, "-o", tmp_path / "p.policy")
    assert (result.code, result.out) == (0, "")
    assert result.err.splitlines()[-2:] == [
        "4 rules; solves all 3 training problems and 20 grown ones of up to 80 objects; the policy "
        f"is in {tmp_path / 'p.policy'}",
        "stopped: perfect training score (made up); 7 candidates, 2 expanded, 0.50 s",
    ]
    assert not list(tmp_path.glob("*counterexample*"))


def test_what_tells_why_a_training_problem_is_not_solved(learned: Learned, tmp_path: Path) -> None:
    problems = (*SOLVED[:2], SOLVED[2]._replace(steps=None))
    some = replace(PASSED, problems=problems, grown=Grown(), reason="no candidates left")
    result = learned(some, "-o", tmp_path / "p.policy")
    told = [line for line in result.err.splitlines() if line.startswith("where it stops")]
    assert len(told) == 1
    assert told[0].endswith(f"p3.pddl --policy {tmp_path / 'p.policy'}")
    assert f"pg3 explain {DOMAIN} " in told[0], "the line can be pasted"
    assert "where it stops" not in learned(some).err, "there is no policy file to look at"


def test_a_policy_that_has_memorised(learned: Learned, tmp_path: Path) -> None:
    policy, smallest = tmp_path / "p.policy", tmp_path / "p.counterexample.pddl"
    result = learned(MEMORISED, "-o", policy)
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[-2] == (
        "MEMORISED: 4 rules from 3 training problems; fails 31 of 40 grown ones of up to 80 "
        f"objects; smallest failure: {smallest}; the policy is in {policy}"
    )
    assert "perfect" not in result.err
    assert read_policy(policy, FERRY).rules == BY_HAND.rules
    assert read_problem(smallest, FERRY).content == FAILS.counterexamples[0].content


def test_a_counterexample_overwrites_no_input(
    learned: Learned, train: Path, tmp_path: Path
) -> None:
    """A user may learn from it, and fail again."""
    for number, name in ((0, "counterexample"), (1, "counterexample-2")):
        training = [*SOLVED, *SOLVED][: 3 + number]
        result = replace(MEMORISED, problems=tuple(training))
        assert learned(result, "-o", train / "p.policy").code == 1
        assert (train / f"p.{name}.pddl").is_file()


def test_without_a_file_for_the_policy(learned: Learned, tmp_path: Path) -> None:
    result = learned(MEMORISED)
    assert result.code == 1
    assert result.out.startswith("(define (policy ferry)")
    assert "(-o POLICY or --json FILE writes it)" in result.err
    assert learned(MEMORISED, "-o", "/dev/null").code == 1
    assert not list(tmp_path.rglob("*counterexample*"))


def test_a_policy_that_was_not_tested(learned: Learned) -> None:
    result = learned(replace(PASSED, grown=Grown(), passed_tests=False, reason="time limit"))
    assert result.code == 1
    assert result.err.splitlines()[-2] == (
        "DOUBTFUL: 4 rules; solves all 3 training problems, but did not pass the tests on "
        "variations of them"
    )


def test_summaries() -> None:
    one = replace(PASSED, problems=SOLVED[:1], grown=Grown(1, 9))
    assert one.summary == "4 rules; solves the training problem and 1 grown one of up to 9 objects"
    undecided = replace(PASSED, grown=Grown(20, 80, 5))
    assert undecided.status is Status.PASSED
    assert undecided.summary.endswith(
        "and 15 of 20 grown ones of up to 80 objects; for the others no planner found a plan either"
    )
    hardly_tested = replace(PASSED, grown=Grown(20, 80, 11))
    assert hardly_tested.status is Status.DOUBTFUL
    assert hardly_tested.summary.startswith(
        "DOUBTFUL: 4 rules; solves all 3 training problems and 9"
    )
    failed = replace(PASSED, problems=(*SOLVED[:2], TrainingProblem("p", None, None)))
    assert (failed.status, failed.summary) == (
        Status.FAILED,
        "4 rules; solves 2 of 3 training problems",
    )
    nothing = replace(PASSED, problems=(TrainingProblem("p", 0, "its goal holds at the start"),))
    assert (nothing.status, nothing.solved) == (Status.FAILED, True)
    assert nothing.summary.startswith("nothing to learn")
    assert replace(PASSED, grown=Grown()).summary.endswith("; not tested on larger ones")
    # Made problems that have no solution say nothing; but few others are left.
    some_left = replace(PASSED, grown=Grown(14, 80, hopeless=26))
    assert some_left.status is Status.PASSED
    assert some_left.summary.endswith(" and 14 grown ones of up to 80 objects")
    few_left = replace(PASSED, grown=Grown(9, 80, hopeless=31))
    assert few_left.status is Status.DOUBTFUL
    assert few_left.summary.endswith("9 grown ones of up to 80 objects; 31 more have no solution")


def test_many_problems(learned: Learned, tmp_path: Path) -> None:
    """Only those have a line that were not solved, and not all of these."""
    folder = tmp_path / "many"
    folder.mkdir()
    text = write_problem(PROBLEMS[0])
    for i in range(1, 100):
        (folder / f"p{i}.pddl").write_text(text)
    problems = [TrainingProblem(f"p{i}", 5, None, learned_from=i < 6) for i in range(1, 100)]
    result = learned(replace(PASSED, problems=tuple(problems)), training=folder)
    assert result.code == 0
    assert len(result.err.splitlines()) == 2
    assert "solves all 99 training problems" in result.err
    assert "; learned from 5 of 99 problems; " in result.err
    problems[6] = TrainingProblem("p7", None, None)
    problems[8] = TrainingProblem("p9", None, "it has no solution")
    result = learned(replace(PASSED, problems=tuple(problems)), training=folder)
    assert result.code == 1
    first, second, summary, _ = result.err.splitlines()
    assert first == f"{folder / 'p7.pddl'}: not solved"
    assert second == f"{folder / 'p9.pddl'}: left out: it has no solution"
    assert summary == "4 rules; solves 97 of 98 training problems"
    none = tuple(problem._replace(steps=None) for problem in problems)
    result = learned(replace(PASSED, problems=none), training=folder)
    assert len(result.err.splitlines()) == 23
    assert "and 79 more; --json FILE has them all\n" in result.err


# -- three memorising setups -----------------------------------------------------------------------


ONE_CAR = """(define (problem one-car-to-TO) (:domain ferry) (:objects a b c d x)
  (:init (location a) (location b) (location c) (location d) (car x) (not-eq a b) (not-eq b a)
    (not-eq a c) (not-eq c a) (not-eq a d) (not-eq d a) (not-eq b c) (not-eq c b) (not-eq b d)
    (not-eq d b) (not-eq c d) (not-eq d c) (at x a) (at-ferry a) (empty-ferry))
  (:goal (and (at x TO))))"""


class Memorised(NamedTuple):
    """Proposes always the same."""

    rules: DecisionList
    book: RuleBook
    name: str = "memory"
    goes_on: bool = True

    def propose(self, *_: object) -> Proposal:
        return Proposal(self.book.take(self.rules), StopReason.PERFECT)


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("miconic", "fetch-from-below"),
        ("miconic", "carry-up"),
        ("ferry", "sail-to-misplaced"),
    ],
)
def test_a_policy_that_fails_larger_problems_is_never_called_perfect(
    pg3: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, missing: str
) -> None:
    """A policy without one of its rules, and the training problems where that does not show."""
    domain = DOMAINS[name].domain
    whole = read_policy(ROOT / "examples" / "policies" / f"{name}.policy", domain)
    rules = tuple(rule for rule in whole.rules if rule.name != missing)
    assert len(rules) == len(whole.rules) - 1
    policy = replace(whole, rules=rules)
    seeds = (DOMAINS[name].problems("train", seed=seed) for seed in range(10))
    problems = [problem for some in seeds for problem in some]
    if name == "ferry":
        # One car, beside the ferry.
        problems = [parse_problem(ONE_CAR.replace("TO", to), domain) for to in "bcd"]
    solved = [problem for problem in problems if execute(problem, policy).solved]
    assert len(solved) >= 3
    folder, output = tmp_path / "train", tmp_path / "p.policy"
    folder.mkdir()
    (folder / "domain.pddl").write_text(write_domain(domain))
    for i, problem in enumerate(solved[:7]):
        (folder / f"p{i}.pddl").write_text(write_problem(problem))

    def proposers(_: object, working: Any, __: object) -> Iterator[Memorised]:
        yield Memorised(policy, working.book)

    monkeypatch.setattr("pg3.learning.robustness.loop.proposers", proposers)
    result = pg3("learn", folder / "domain.pddl", folder, "-o", output, "--json", tmp_path / "j")
    assert result.code == 1
    assert "perfect" not in result.err
    value = json.loads((tmp_path / "j").read_text())
    assert value["status"] in ("memorised", "doubtful")
    assert value["summary"].startswith(("MEMORISED: ", "DOUBTFUL: "))
    assert all(problem["steps"] is not None for problem in value["problems"])
    assert read_policy(output, domain).rules


def test_a_failure_that_may_be_none_is_not_perfect_either(
    pg3: Run, train: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whether the larger problems that the policy fails can be solved."""
    from pg3.learning.robustness import loop

    class Loop(loop.CounterexampleLoop):
        def _larger(self, policy: PolicyKey) -> Grown:
            return super()._larger(policy)._replace(failed=2)

    monkeypatch.setattr("pg3.learning.learner.CounterexampleLoop", Loop)
    result = pg3("learn", DOMAIN, train)
    assert result.code == 0
    assert "for the others no planner found a plan either" in result.err
    assert "stopped: no failure is known that a planner shows to be one (" in result.err
    assert "perfect" not in result.err


# -- held-out problems -----------------------------------------------------------------------------


def test_held_out_problems(learned: Learned, train: Path, tmp_path: Path) -> None:
    result = learned(PASSED, "--test", SMALL, "--test", train)
    assert result.code == 0
    assert "\nsolves 4 of 4 held-out problems\n" in result.err
    assert f"warning: {train / 'p1.pddl'}: is among the training problems, too\n" in result.err
    short = tmp_path / "short.policy"
    short.write_text(SHORT_POLICY)
    poor = replace(PASSED, policy=read_policy(short, FERRY))
    result = learned(poor, "--test", SMALL)
    assert result.code == 1
    assert f"{SMALL}: not solved: no rule applies" in result.err
    assert "\nsolves 0 of 1 held-out problem\n" in result.err
    assert "perfect" not in result.err


def test_a_bad_held_out_problem_is_told_at_once(
    pg3: Run, train: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("pg3.cli.learning.session.learn_policy", fail)
    bad = tmp_path / "bad.pddl"
    bad.write_text("(define (problem")
    result = pg3("learn", DOMAIN, train, "--test", bad, "-o", tmp_path / "p")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"{bad}:1:")
    missing = tmp_path / "missing.pddl"
    assert pg3("learn", DOMAIN, train, "--test", missing) == Result(
        2, "", f"{missing}: no such file\n"
    )
    result = pg3("learn", DOMAIN, train, "--test", SMALL, "-o", SMALL)
    assert result == Result(2, "", f"{SMALL}: cannot write: it is an input of this command\n")


def test_held_out_problems_are_not_learned_from(pg3: Run, train: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    plain = pg3("learn", DOMAIN, train)
    tested = pg3("learn", DOMAIN, train, "--test", SMALL, "--log", log)
    assert (plain.code, tested.code) == (0, 0)
    assert plain.out == tested.out
    assert SMALL not in log.read_text()


# -- JSON ------------------------------------------------------------------------------------------


def test_json(learned: Learned, train: Path, tmp_path: Path) -> None:
    policy, file = tmp_path / "p.policy", tmp_path / "result.json"
    assert learned(MEMORISED, "-o", policy, "--json", file, "--test", SMALL).code == 1
    value = json.loads(file.read_text())
    assert value["format"] == "pg3-learning-result"
    assert value["version"] == 1
    assert value["status"] == "memorised"
    assert value["summary"] == MEMORISED.summary
    assert (value["path"], value["rules"], value["policy"]) == (str(policy), 4, policy.read_text())
    assert (value["method"], value["reason"]) == ("made up", "no candidates left")
    assert (value["seconds"], value["candidates"], value["expansions"]) == (0.5, 7, 2)
    assert value["problems"][0] == {
        "path": str(train / "p1.pddl"),
        **{"name": PROBLEMS[0].name, "steps": 5, "left_out": None, "learned_from": True},
    }
    counterexample = tmp_path / "p.counterexample.pddl"
    assert value["grown"] == {
        **{"number": 40, "objects": 80, "failed": 31, "altered_failed": 0, "hopeless": 0},
        "counterexample": {"path": str(counterexample), "pddl": counterexample.read_text()},
    }
    assert (value["tests"]["number"], value["tests"]["solved"]) == (1, 1)
    assert value["tests"]["problems"][0]["path"] == SMALL


def test_an_altered_problem_that_fails_is_written(learned: Learned, tmp_path: Path) -> None:
    """The policy passed, as the problem is unlike the given ones; but one can look at it."""
    policy, file = tmp_path / "p.policy", tmp_path / "result.json"
    some = replace(PASSED, grown=LARGER._replace(altered=(PROBLEMS[1],)))
    result = learned(some, "-o", policy, "--json", file)
    written = tmp_path / "p.counterexample.pddl"
    assert result.code == 0
    assert f", but fails altered ones; smallest failure: {written};" in result.err
    assert written.read_text() == write_problem(PROBLEMS[1])
    grown = json.loads(file.read_text())["grown"]
    assert (grown["altered_failed"], grown["counterexample"]["path"]) == (1, str(written))


def test_json_on_stdout(learned: Learned, tmp_path: Path) -> None:
    result = learned(PASSED, "-o", tmp_path / "p", "--json", "-")
    value = json.loads(result.out)
    assert (value["status"], value["tests"]) == ("passed", None)
    assert value["grown"]["counterexample"] is None
    result = learned(PASSED, "--json", "-")
    assert (result.code, result.out) == (2, "")
    assert "two results cannot go to one file" in result.err


# -- a run that is finished ------------------------------------------------------------------------


def test_the_result_of_a_finished_run(learned: Learned, pg3: Run, tmp_path: Path) -> None:
    """The folder knows all of it."""
    for number, result in enumerate((MEMORISED, replace(PASSED, passed_tests=False))):
        run, policy = tmp_path / f"run{number}", tmp_path / f"{number}.policy"
        files = tmp_path / "first.json", tmp_path / "again.json"
        first = learned(result, "--run", run, "-o", policy, "--json", files[0])
        again = pg3("learn", "--resume", run, "--json", files[1], "--test", SMALL)
        assert (first.code, again.code) == (1, 1)
        values = [json.loads(file.read_text()) for file in files]
        assert values[0].pop("tests") is None
        assert values[1].pop("tests")["solved"] == 1
        assert values[0] == values[1]
        assert values[0]["status"] == result.status


# -- a policy to start from ------------------------------------------------------------------------


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_a_start_keeps_its_name(pg3: Run, train: Path, tmp_path: Path, preset: str) -> None:
    start = tmp_path / "start.policy"
    start.write_text(Path(POLICY).read_text().replace("(policy ferry)", "(policy mine)"))
    command = ("learn", DOMAIN, train, "--start", start, "--preset", preset)
    result = pg3(*command, "--keep", "all")
    assert result.out.startswith("(define (policy mine)\n")
    assert "4 of 4 rules of the start as they were\n" in result.err
    assert pg3(*command).out.startswith("(define (policy mine)\n")
    assert pg3(*command, "--name", "other").out.startswith("(define (policy other)\n")
    policy = read_policy(start, FERRY)
    kept = learn(FERRY, PROBLEMS, start=policy, keep=["all"]).policy
    assert (kept.name, kept.rules) == ("mine", policy.rules)


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_all_rules_are_kept(pg3: Run, train: Path, tmp_path: Path, preset: str) -> None:
    domain = read_domain(DOMAIN)
    text = Path(POLICY).read_text()
    start = tmp_path / "start.policy"
    start.write_text(text[: text.index("(:rule sail-to-misplaced")].rstrip() + ")\n")
    output = tmp_path / "p.policy"
    command = ("learn", DOMAIN, train, "--start", start, "--keep", "all", "--preset", preset)
    assert pg3(*command, "-o", output).code == 0
    kept = read_policy(start, domain).rules
    rules = read_policy(output, domain).rules
    assert [rule for rule in rules if rule in kept] == list(kept)
    assert len(rules) > len(kept)
