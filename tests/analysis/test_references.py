"""Reference costs from plans and tables, and the score next to them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pg3.analysis.references import quality, read_references
from pg3.cli.main import main
from pg3.errors import Pg3Error
from pg3.pddl import read_domain, read_problem
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

FERRY = REPOSITORY / "examples" / "ferry"
DOMAIN, SMALL = FERRY / "domain.pddl", FERRY / "small.pddl"
GOOD = REPOSITORY / "examples" / "policies" / "ferry.policy"
PLAN = """(sail l1 l3) (board c2 l3) (sail l3 l2) (debark c2 l2)
(board c1 l2) (sail l2 l1) (debark c1 l1)"""


def evaluate(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["evaluate", str(DOMAIN), str(SMALL), "-p", str(GOOD), *map(str, arguments)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.mark.parametrize(
    ("cost", "reference", "score"), [(8, 4, 0.5), (4, 8, 1.0), (0, 0, 1.0), (5, 0, 0.0)]
)
def test_quality(cost: int, reference: int, score: float) -> None:
    assert quality(cost, reference) == score


@pytest.mark.parametrize("line", ["small.pddl 7", "small,7", "# best known\n\nsmall\t7  # LAMA"])
def test_a_table(tmp_path: Path, line: str) -> None:
    table = tmp_path / "costs"
    table.write_text(f"other 3\n{line}\n")
    assert read_references(str(table), ["a/small.pddl", "a/large.pddl"]).known == {
        "a/small.pddl": 7
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("small", "costs:1: expected a problem and its cost, as 'p01.pddl 27'"),
        ("small 7.5", "costs:1: expected a problem and its cost, as 'p01.pddl 27'"),
        ("small 7\nsmall 8", "costs:2: 'small' has a cost already"),
        ("large 7", "costs: no reference cost for any of the problems"),
    ],
)
def test_broken_tables(tmp_path: Path, text: str, message: str) -> None:
    table = tmp_path / "costs"
    table.write_text(text)
    with pytest.raises(Pg3Error) as error:
        read_references(str(table), ["small.pddl"])
    assert str(error.value) == f"{tmp_path}/{message}"


@pytest.mark.parametrize("name", ["small.plan", "small.pddl.soln", "small.sol"])
def test_plans(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(PLAN)
    problem = read_problem(SMALL, read_domain(DOMAIN))
    assert read_references(str(tmp_path), [str(SMALL)]).cost(str(SMALL), problem) == 7


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "small.plan").write_text(PLAN)
    code, out, _ = evaluate(capsys, "--reference", tmp_path)
    assert code == 0
    assert out.splitlines()[0].endswith(" s, quality 0.88")
    assert out.splitlines()[1:] == ["solved 1/1 (1.00)", "quality 0.88/1 (0.88)"]
    code, out, err = evaluate(capsys, "--reference", tmp_path, "--max-steps", "3", "--json", "-")
    assert code == 1
    assert err.endswith("quality 0.00/1 (0.00)\n")
    line = json.loads(out)
    assert (line["reference"], line["quality"]) == (7, 0.0)
    assert "cost" not in line


def test_a_reference_plan_that_is_not_valid(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "small.plan").write_text("(sail l1 l3)")
    code, _, err = evaluate(capsys, "--reference", tmp_path)
    assert code == 2
    assert f"{tmp_path}/small.plan: the reference plan is not valid: the plan ends without" in err
