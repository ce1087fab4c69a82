"""The log: what it holds, that a search can be replayed from it, and that it survives trouble."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pg3.errors import Pg3Error
from pg3.learning.learner import learn
from pg3.learning.log import LearningLog, change
from pg3.learning.training import Training
from pg3.policy import parse_policy
from pg3.policy.rule_book import RuleBook
from pg3.storage import json_lines as line_files
from tests.support.ferry_problems import FERRY, POLICY, small_ferry_problems

if TYPE_CHECKING:
    from pg3.learning.result import LearningResult

PROBLEMS = small_ferry_problems(4)
FIELDS = [
    *("best", "by_problem", "candidate", "change", "operator", "parent", "policy"),
    *("score", "search", "seconds", "semantic_count", "size"),
]


def logged(path: Path, **options: Any) -> tuple[LearningResult, list[dict[str, Any]]]:
    with LearningLog(path, {"seed": 0}) as log:
        result = learn(FERRY, PROBLEMS, observe=log.observe, **options)
        log.finish(result)
    return result, [json.loads(line) for line in path.read_text().splitlines()]


def test_every_candidate_is_there(tmp_path: Path) -> None:
    result, lines = logged(tmp_path / "log", preset="paper")
    header, *middle, last = lines
    assert header == {"format": "pg3-learning-log", "version": 2, "seed": 0}
    candidates = [line for line in middle if "candidate" in line]
    assert [line["candidate"] for line in candidates] == list(range(result.candidates + 1))
    assert candidates[0]["parent"] is None
    assert candidates[0]["policy"] == []
    for line in candidates:
        assert sorted(line) == FIELDS
        assert len(line["by_problem"]) == len(PROBLEMS)
        assert line["score"] == max(line["by_problem"])
    assert parse_policy(last["result"], FERRY) == result.policy
    assert last["reason"] == "perfect training score"
    assert last["candidates"] == result.candidates
    assert [problem["steps"] for problem in last["problems"]] == [
        problem.steps for problem in result.problems
    ]


@pytest.mark.parametrize("preset", ["paper", "robust"])
def test_a_search_can_be_replayed(tmp_path: Path, preset: str) -> None:
    """Rules come before the candidates that use them, and a candidate's policy can be rebuilt."""
    _, lines = logged(
        tmp_path / "log", preset=preset, max_candidates=60, operators=["add-rule", "add-condition"]
    )
    rules: dict[int, str] = {}
    training = Training(PROBLEMS)
    best: dict[str, float] = {}
    scored: dict[str, list[int]] = {}
    for line in lines[1:-1]:
        if "rule" in line:
            assert line["rule"] not in rules
            rules[line["rule"]] = line["text"]
            continue
        if "problems" in line:
            scored[line["search"]] = line["problems"]
            continue
        assert len(line["by_problem"]) == len(scored[line["search"]])
        text = "\n".join(
            rules[number].replace("(:rule ", f"(:rule r{i}-", 1)
            for i, number in enumerate(line["policy"])
        )
        policy = parse_policy(f"(define (policy p) {text})", FERRY)
        key = training.book.key(policy)
        assert line["size"] == sum(training.book.size(rule) for rule in key)
        priority = line["score"] + 1e-5 * line["size"]
        assert line["best"] == (priority < best.get(line["search"], float("inf")))
        if line["best"]:
            best[line["search"]] = priority


def test_changes_in_words() -> None:
    book = RuleBook(FERRY)
    key = book.key(POLICY)
    shorter = (*key[:1], *key[2:])
    assert change(key, shorter, book) == "rule 2: gone (sail)"
    assert change(shorter, key, book) == "rule 2: new (sail)"
    assert change(key[:3], key, book) == "rule 4: new (sail)"
    operators = Training(PROBLEMS, book=book)
    from pg3.learning.operators import OPERATORS, OperatorOptions

    add = OPERATORS["add-condition"](operators, OperatorOptions())
    child = next(iter(add.children(key, tuple)))
    added = change(key, child, book)
    assert added.startswith("rule 1: + (")
    assert change(child, key, book) == added.replace("+", "-")
    on_goal = [change(key, child, book) for child in add.children(key, tuple)]
    assert any(text.startswith("rule 1: + goal (not (") for text in on_goal)
    assert len(set(on_goal)) == len(on_goal)


def test_lines_are_in_the_file_before_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_files, "_DELAY", 0.0)
    path = tmp_path / "log"
    log = LearningLog(path, {})
    assert len(path.read_text().splitlines()) == 1
    seen = []

    def observe(*arguments: Any) -> None:
        log.observe(*arguments)
        seen.append(path.read_text())

    learn(FERRY, PROBLEMS, preset="paper", observe=observe)
    for i, text in enumerate(seen):
        assert text.endswith("}\n")
        assert json.loads(text.splitlines()[-1])["candidate"] == i
    log.__exit__(None, None, None)


def test_nothing_is_written_after_the_end(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with LearningLog(path, {}) as log:
        pass
    learn(FERRY, PROBLEMS, preset="paper", observe=log.observe)
    assert len(path.read_text().splitlines()) == 1


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(Pg3Error, match=r"none/log: cannot write: no such file or directory"):
        LearningLog(tmp_path / "none" / "log", {})
    if Path("/dev/full").exists():
        with pytest.raises(Pg3Error, match=r"/dev/full: cannot write: no space left on device"):
            LearningLog("/dev/full", {})
