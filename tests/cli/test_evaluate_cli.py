"""`pg3 evaluate`, as a user sees it."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.cli.test_cli import (
    DOMAIN,
    HASTY_POLICY,
    POLICY,
    SHORT_POLICY,
    SMALL,
    UNSOLVABLE,
    Run,
    pg3,
)

__all__ = ["pg3"]


def without_times(text: str) -> str:
    return re.sub(r"\d+\.\d+ s", "T s", text)


def without_progress(text: str) -> str:
    """A slow machine sees lines that a fast one does not."""
    return re.sub(r"^.* \d+/\d+, \d+ s\n", "", text, flags=re.MULTILINE)


def test_evaluate(pg3: Run, tmp_path: Path) -> None:
    report = tmp_path / "out.jsonl"
    result = pg3("evaluate", DOMAIN, SMALL, SMALL, "--policy", POLICY, "--json", report)
    assert result.code == 0
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert len(lines) == 2
    for line in lines:
        assert sorted(line) == ["load_seconds", "objects", "path", "seconds", "status", "steps"]
        assert (line["path"], line["status"], line["objects"]) == (SMALL, "solved", 6)
        assert line["seconds"] >= 0
        assert line["load_seconds"] > 0
    steps = lines[0]["steps"]
    assert without_times(result.out) == (
        f"{SMALL}: solved, {steps} steps, T s\n" * 2 + "solved 2/2 (1.00)\n"
    )
    assert result.err == ""


def test_evaluate_tells_people_why_a_policy_stops(pg3: Run, tmp_path: Path) -> None:
    """The JSON keeps its one word for both reasons."""
    report, policy = tmp_path / "out.jsonl", tmp_path / "p.policy"
    for text, said in (
        (SHORT_POLICY, "no rule applies, 0 steps, T s\n"),
        (HASTY_POLICY, "the chosen action cannot be done, 0 steps, T s: after 0 steps rule 'b' "),
    ):
        policy.write_text(text)
        result = pg3("evaluate", DOMAIN, SMALL, "--policy", policy, "--json", report)
        assert without_times(result.out).startswith(f"{SMALL}: {said}")
        value = json.loads(report.read_text())
        assert value["status"] == "not applicable"
        assert "no_rule_applied" not in value


def test_evaluate_with_failures_and_broken_files(pg3: Run, tmp_path: Path) -> None:
    unsolvable, broken, report = tmp_path / "p.pddl", tmp_path / "b.pddl", tmp_path / "out"
    unsolvable.write_text(UNSOLVABLE)
    broken.write_text(UNSOLVABLE.replace("(at c b)", "(att c b)"))
    missing = tmp_path / "none.pddl"

    result = pg3("evaluate", DOMAIN, SMALL, unsolvable, "--policy", POLICY)
    assert result.code == 1
    assert result.out.endswith("solved 1/2 (0.50)\n")

    files = [unsolvable, broken, missing, SMALL]
    result = pg3("evaluate", DOMAIN, *files, "--policy", POLICY, "--json", report)
    assert result.code == 2
    out = result.out.splitlines()
    assert [out[1], out[2], out[4]] == [
        f"{broken}: error",
        f"{missing}: error",
        "solved 1/4 (0.25)",
    ]
    assert "b.pddl:3:11: " in result.err
    assert "none.pddl" in result.err
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    assert [line["path"] for line in lines] == list(map(str, files))
    assert [line["status"] for line in lines][1:] == ["error", "error", "solved"]
    assert lines[0]["status"] != "solved"
    assert lines[0]["reason"]
    assert lines[1]["reason"].startswith(f"{broken}:3:11: ")
    assert (lines[1]["steps"], lines[1]["seconds"], lines[1]["objects"]) == (None, None, None)


def test_jobs_change_nothing_but_times(pg3: Run, tmp_path: Path) -> None:
    unsolvable, broken = tmp_path / "p.pddl", tmp_path / "b.pddl"
    unsolvable.write_text(UNSOLVABLE)
    broken.write_text(UNSOLVABLE + ")")
    warned = tmp_path / "w.pddl"
    warned.write_text(Path(SMALL).read_text().rstrip()[:-1])
    files = [SMALL, unsolvable, warned, broken] * 5

    def run(jobs: int) -> tuple[int, str, str, list[dict[str, object]]]:
        report = tmp_path / f"out{jobs}"
        result = pg3(
            *("evaluate", DOMAIN, *files, "--policy", POLICY),
            *("--jobs", str(jobs), "--json", report),
        )
        lines = [json.loads(line) for line in report.read_text().splitlines()]
        for line in lines:
            del line["seconds"], line["load_seconds"]
        return result.code, without_times(result.out), without_progress(result.err), lines

    assert run(1) == run(2) == run(7)
