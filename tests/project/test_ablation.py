"""The ablation: every variant finds what it changes, and only that; results are kept."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

import pytest
from benchmarks.ablation.__main__ import line
from benchmarks.ablation.variants import VARIANTS
from benchmarks.child import PG3
from benchmarks.learners.sets import problem_set

from pg3 import learn
from pg3.domains import DOMAINS
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LEARNER = [path.read_text() for path in (REPOSITORY / "src/pg3/learning").rglob("*.py")]
SWITCHES = [name for name in VARIANTS if "=" not in name]


def _names_read_in_functions(code: CodeType, *, inside: bool = False) -> Iterator[str]:
    if inside:
        yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            # The body of a class is executed once, when the module is imported.
            is_function = bool(constant.co_flags & inspect.CO_NEWLOCALS)
            yield from _names_read_in_functions(constant, inside=inside or is_function)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_variant_changes_what_the_learner_uses(name: str) -> None:
    _, owner, attribute, change = VARIANTS[name]
    old = vars(owner)[attribute]
    assert change(old) != old
    if isinstance(owner, ModuleType):
        # A name that is read while the module is imported could not be changed later.
        code = compile(inspect.getsource(owner), owner.__name__, "exec")
        assert attribute in _names_read_in_functions(code)
    elif not attribute.startswith("__"):
        # A member that nobody in the learner asks for would be changed in vain.
        assert any(re.search(rf"\.{attribute}\b", text) for text in _LEARNER)


# Hardly more than a few atoms; the second learns without regression, so that it has to search.
TINY = {"locations": (3, 4), "requests": (1, 2), "extra": (0, 1)}
SEARCH = ["induce-rule", "add-condition", "add-rule", "delete-condition"]


@pytest.mark.parametrize(
    "sizes", [TINY, pytest.param(None, marks=pytest.mark.thorough)], ids=["tiny", "whole"]
)
@pytest.mark.parametrize("name", SWITCHES)
def test_the_learner_works_with_a_variant(
    name: str, sizes: dict[str, tuple[int, int]] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, owner, attribute, change = VARIANTS[name]
    monkeypatch.setattr(owner, attribute, change(vars(owner)[attribute]))
    domain = DOMAINS["delivery"]
    problems = domain.problems("train", seed=0, count=2, sizes=sizes or {})
    assert learn(domain.domain, problems, max_candidates=10).policy.rules
    if name != "no search in the small language":
        assert learn(domain.domain, problems, max_candidates=10, operators=SEARCH).policy.rules


def test_the_baseline_is_the_learner(tmp_path: Path) -> None:
    case = problem_set("built-in").case("delivery", 0, tmp_path)
    policies = []
    for command in (PG3, (sys.executable, "-m", "benchmarks.ablation.child", "baseline")):
        learned = [*command, "learn", str(case.domain), *map(str, case.training), "--seed", "0"]
        policies.append(subprocess.check_output(learned, cwd=REPOSITORY))
    assert policies[0] == policies[1]


def test_a_variant_is_measured_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.ablation", "--domains", "delivery"]
    command += ["--variants", "no goal regress?on", "-o", str(tmp_path)]
    printed = [subprocess.check_output(command, cwd=REPOSITORY, text=True) for _ in range(2)]
    assert printed[0] == printed[1]
    *_, baseline, variant = printed[0].splitlines()
    assert baseline.startswith("| baseline | 1/1 | 30/30 |")
    assert variant.startswith("| no goal regression | 1/1 | 30/30 |")
    assert len((tmp_path / "results.jsonl").read_text().splitlines()) == 2


def test_a_line_says_what_differs() -> None:
    was = {"domain": "a", "tests": 9, "tests_solved": 9, "rules": 2, "policy": "p"}
    was["cpu_seconds"] = 1.2
    now = was | {"tests_solved": 0, "rules": None, "policy": None}
    assert line("v", [now, was | {"policy": "q"}, was], [was] * 3) == (
        "| v | 2/3 | 18/27 | 4 | 4 | a 9 → 0 (no policy), 1 other policy |"
    )
