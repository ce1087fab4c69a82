"""Learning from a policy that is right in part: `learn(start=…, keep=…)`, `pg3 learn --start`."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from pg3.backends.scoring import PoolEvaluator
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.errors import Pg3Error
from pg3.learning.evaluator import LOCAL
from pg3.learning.learner import learn
from pg3.pddl import read_domain
from pg3.planning import execute
from pg3.policy import DecisionList, canonical_rule, read_policy
from pg3.viewer.logs import read_log
from tests.backends import test_remote_scores
from tests.cli.test_cli import DOMAIN, Run, pg3
from tests.conftest import REPOSITORY
from tests.learning import test_learning_run
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pg3.learning.config import Preset
    from pg3.learning.result import LearningResult
    from pg3.policy import Rule

__all__ = ["pg3"]

PROBLEMS = small_ferry_problems(6)
TRAIN = REPOSITORY / "examples" / "ferry" / "train"
BY_HAND = REPOSITORY / "examples" / "policies"


def names(rules: Sequence[Rule]) -> list[str]:
    return [rule.name for rule in rules]


def assert_kept(result: LearningResult, kept: Sequence[Rule]) -> None:
    """The kept rules are in the result word for word, in their order."""
    assert [rule for rule in result.policy.rules if rule in kept] == list(kept)
    canonical = iter([canonical_rule(rule) for rule in result.policy.rules])
    assert all(canonical_rule(rule) in canonical for rule in kept)


# -- half of a policy ------------------------------------------------------------------------------


def damaged() -> Iterator[object]:
    """Each domain with one kind of damage to every other rule; the others take long."""
    kinds = ("deleted", "without goals")
    for place, name in enumerate(PAPER_DOMAINS):
        for damage in kinds:
            for half in ("first", "second", "every other"):
                few = half == "every other" and damage == kinds[place % 2]
                yield pytest.param(name, half, damage, marks=() if few else pytest.mark.thorough)


@pytest.mark.parametrize(("name", "half", "damage"), list(damaged()))
def test_the_other_half_is_learned(name: str, half: str, damage: str) -> None:
    domain = PAPER_DOMAINS[name].domain
    policy = read_policy(BY_HAND / f"{name}.policy", domain)
    middle = (len(policy.rules) + 1) // 2
    kept = {
        "first": policy.rules[:middle],
        "second": policy.rules[middle:],
        "every other": policy.rules[::2],
    }[half]
    rules = kept
    if damage == "without goals":
        rules = tuple(r if r in kept else replace(r, goals=()) for r in policy.rules)
    result = learn(
        domain,
        DOMAINS[name].problems("train", seed=0),
        start=replace(policy, rules=rules),
        keep=names(kept),
    )
    assert result.solved
    assert_kept(result, kept)
    for problem in DOMAINS[name].problems("test", seed=0)[:6]:
        assert execute(problem, result.policy).solved


@pytest.mark.parametrize("name", ["delivery", "ferry", "miconic", "spanner"])
def test_the_paper_s_search_begins_with_the_start(name: str) -> None:
    domain = DOMAINS[name].domain
    policy = read_policy(BY_HAND / f"{name}.policy", domain)
    kept = policy.rules[::2]
    start = replace(policy, rules=kept)
    first: list[DecisionList] = []
    result = learn(
        domain,
        DOMAINS[name].problems("train", seed=0),
        preset="paper",
        start=start,
        keep=names(kept),
        observe=lambda _, c, book: first.append(book.policy(c.policy, start.name)),
    )
    assert first[0] == start
    assert result.score == 0
    assert_kept(result, kept)
    for problem in DOMAINS[name].problems("test", seed=0)[:6]:
        assert execute(problem, result.policy).solved


# -- what is kept and what is not ------------------------------------------------------------------


def test_a_good_start_is_the_result() -> None:
    """With preset robust, conditions go that no test needs, unless all rules are kept."""
    for preset, keep in (("robust", ["all"]), ("paper", [])):
        result = learn(FERRY, PROBLEMS, start=POLICY, keep=keep, preset=preset)
        assert (result.policy.rules, result.candidates) == (POLICY.rules, 0)
    result = learn(FERRY, PROBLEMS, start=POLICY)
    assert len(result.policy.rules) == len(POLICY.rules)
    assert result.policy.size <= POLICY.size


def test_rules_that_never_act_go_unless_they_are_kept() -> None:
    idle = replace(POLICY.rules[0], name="again")
    start = replace(POLICY, rules=(*POLICY.rules, idle))
    assert len(learn(FERRY, PROBLEMS, start=start).policy.rules) == len(POLICY.rules)
    kept = learn(FERRY, PROBLEMS, start=start, keep=["again", "debark-at-target"])
    assert len(kept.policy.rules) == 5
    one = replace(POLICY.rules[0], name="board-what-is-aboard", action="board")
    start = replace(POLICY, rules=(*POLICY.rules, one))
    kept = learn(FERRY, PROBLEMS, start=start, keep=["board-what-is-aboard"])
    assert one in kept.policy.rules
    assert len(kept.policy.rules) == len(start.rules)


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_a_kept_rule_that_does_harm_stays(preset: Preset) -> None:
    """Nothing can be learned around it, but it was asked for."""
    harm = replace(POLICY.rules[3], name="harm", goals=(), preconditions=())
    start = DecisionList("bad", (harm,))
    result = learn(FERRY, PROBLEMS, start=start, keep=["harm"], preset=preset, max_candidates=60)
    assert_kept(result, [harm])


@pytest.mark.parametrize("preset", ["robust", "paper"])
def test_every_candidate_has_the_kept_rules(preset: Preset) -> None:
    start = replace(POLICY, rules=POLICY.rules[::-1])
    kept = start.rules[:2]
    seen = []
    learn(
        FERRY,
        PROBLEMS,
        preset=preset,
        start=start,
        keep=names(kept),
        operators=["add-condition", "delete-condition", "delete-rule", "add-rule"],
        max_candidates=100,
        observe=lambda _, c, book: seen.append(book.policy(c.policy, "p").rules),
    )
    assert len(seen) > 50
    assert all([rule for rule in rules if rule in kept] == list(kept) for rules in seen)


def test_regression_puts_the_kept_rules_first() -> None:
    kept = POLICY.rules[2:]
    methods = []
    result = learn(
        FERRY,
        PROBLEMS,
        start=replace(POLICY, rules=kept),
        keep=names(kept),
        max_candidates=1,
        observe=lambda method, *_: methods.append(method),
    )
    assert "goal regression" in methods
    assert result.method == "goal regression"
    assert result.solved
    assert result.policy.rules[:2] == kept


def test_what_is_left_when_there_is_no_time() -> None:
    for preset in ("robust", "paper"):
        result = learn(FERRY, PROBLEMS, start=POLICY, preset=preset, time_limit=0)
        assert result.policy.rules == POLICY.rules


# Searches that succeed, and one that fails so that regression has its turn.
SETTINGS: list[dict[str, Any]] = [{"preset": "paper"}, {}, {"max_candidates": 1}]


@pytest.mark.parametrize("options", SETTINGS)
def test_the_same_again(options: dict[str, Any]) -> None:
    start = replace(POLICY, rules=POLICY.rules[::2])
    runs = [
        test_learning_run.observed(
            None, start=start, keep=[start.rules[1].name], jobs=jobs, **options
        )
        for jobs in (1, 2)
    ]
    (one, seen), (other, seen_again) = runs
    assert test_learning_run.outcome(one) == test_learning_run.outcome(other)
    assert seen == seen_again


@pytest.mark.parametrize("options", SETTINGS)
def test_it_goes_on_from_any_part_of_its_journal(options: dict[str, Any]) -> None:
    start = replace(POLICY, rules=POLICY.rules[::2])
    test_learning_run.test_a_run_goes_on_from_any_part_of_its_journal(
        {"start": start, "keep": [start.rules[1].name], **options}
    )


def test_candidates_are_scored_elsewhere_as_here() -> None:
    start = replace(POLICY, rules=POLICY.rules[:2])
    with ThreadPoolExecutor(2) as executor:
        pool = test_remote_scores.LocalPool(executor, lambda: 2)
        here, there = (
            # Without an operator of the paper there is no regression, which scores nothing.
            learn(
                FERRY,
                PROBLEMS,
                start=start,
                keep=names(start.rules),
                operators=["induce-rule", "add-condition"],
                evaluator=e,
            )
            for e in (LOCAL, PoolEvaluator(pool))
        )
    assert test_learning_run.outcome(here) == test_learning_run.outcome(there)
    assert pool.messages


# -- bad input -------------------------------------------------------------------------------------


def test_bad_arguments() -> None:
    with pytest.raises(Pg3Error, match="no rule 'board-misplace' to keep; did you mean 'board-mis"):
        learn(FERRY, PROBLEMS, start=POLICY, keep=["board-misplace"])
    with pytest.raises(Pg3Error, match="has no rule 'xyz' to keep; its rules are: debark-at-"):
        learn(FERRY, PROBLEMS, start=POLICY, keep=["xyz"])
    with pytest.raises(Pg3Error, match="no policy to start from, so no rule 'a' to keep"):
        learn(FERRY, PROBLEMS, keep=["a"])
    stranger = replace(POLICY, rules=(replace(POLICY.rules[0], action="fly"),))
    with pytest.raises(Pg3Error, match="fly"):
        learn(FERRY, PROBLEMS, start=stranger)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--keep", "sail-to-target"], "--keep: there is no policy to keep rules of"),
        (["--start", "POLICY", "--keep", "sial-to-target"], "did you mean 'sail-to-target'?"),
        (
            ["--start", "POLICY", "--keep", "-o"],
            "--keep needs the name of a rule, or all, before -o",
        ),
        (["--start", "nowhere.policy"], "nowhere.policy: "),
        (["--start", str(BY_HAND / "gripper.policy")], "gripper.policy:"),
        (["--start", "POLICY", "-o", "POLICY"], "it is an input of this command"),
    ],
)
def test_one_message(pg3: Run, tmp_path: Path, arguments: list[str], message: str) -> None:
    policy = tmp_path / "mine.policy"
    policy.write_text((BY_HAND / "ferry.policy").read_text())
    given = [str(policy) if a == "POLICY" else a for a in arguments]
    result = pg3("learn", DOMAIN, TRAIN, *given, "--run", tmp_path / "run")
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert not (tmp_path / "run").exists()
    assert "Traceback" not in result.err


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def half(tmp_path: Path) -> Path:
    """The policy by hand without the rule that sails to a car."""
    text = (BY_HAND / "ferry.policy").read_text()
    path = tmp_path / "half.policy"
    path.write_text(text[: text.index("(:rule sail-to-misplaced")].rstrip() + ")\n")
    return path


KEPT = ("--keep", "board-misplaced", "--keep", "DEBARK-at-target")


def test_start_and_keep(pg3: Run, half: Path, tmp_path: Path) -> None:
    output, log = tmp_path / "ferry.policy", tmp_path / "log.jsonl"
    result = pg3(
        *("learn", DOMAIN, TRAIN, "--start", half, *KEPT),
        *("-o", output, "--log", log),
    )
    assert result.code == 0
    domain = read_domain(DOMAIN)
    learned, given = read_policy(output, domain), read_policy(half, domain)
    assert set(given.rules) < set(learned.rules)
    new = ", ".join(rule.name for rule in learned.rules if rule not in given.rules)
    assert f"3 of 3 rules of the start as they were; new or changed: {new}\n" in result.err
    read = read_log(log)
    assert read.header["start"] == str(half)
    assert read.header["options"]["keep"] == ["board-misplaced", "DEBARK-at-target"]
    first = read.searches[0].candidates[0]
    assert [read.rules[number].name for number in first.policy][: len(given.rules)] == names(
        given.rules
    )
    assert pg3("view", log, "-o", tmp_path / "view.html").code == 0


@pytest.mark.parametrize("preset", ["paper", "robust"])
def test_a_run_that_goes_on(pg3: Run, half: Path, tmp_path: Path, preset: str) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    command = ("learn", DOMAIN, TRAIN, "--start", half, *KEPT, "--preset", preset)
    plain = pg3(*command)
    for folder in (whole, cut):
        assert pg3(*command, "--run", folder).out == plain.out
    # As a kill would leave it: half of the journal, half of the log, and the files have changed.
    for name in ("journal.jsonl", "log.jsonl"):
        data = (cut / name).read_bytes()
        (cut / name).write_bytes(data[: len(data) // 2])
    half.unlink()
    again = pg3("learn", "--resume", cut)
    assert (again.code, again.out) == (0, plain.out)

    def said(folder: Path) -> list[dict[str, Any]]:
        lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
        for line in lines:
            line.pop("seconds", None)
        return lines

    assert said(cut) == said(whole)
    stored = cut / "input" / "start.policy"
    stored.write_text(stored.read_text() + "; a remark\n")
    changed = pg3("learn", "--resume", cut)
    assert changed.code == 2
    assert "start.policy: was changed since the run began" in changed.err
