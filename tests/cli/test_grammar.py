"""One grammar of options for all commands (CONTRIBUTING.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import pytest
import typer.main

from pg3.cli.app import MODULES, app
from pg3.cli.main import load
from pg3.experiments.methods.table import METHODS
from pg3.integrations.exports import EXPORTS
from pg3.learning.operators import OPERATORS
from pg3.learning.scores import SCORES
from pg3.report import FORMATS
from tests.cli.test_cli import DOMAIN, POLICY, SMALL, Run, pg3

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["pg3"]

load()
COMMANDS: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]

# What has no result but files, or prints a list.
WITHOUT_JSON = {"show", "view", "export", "domains", "generate", "experiment", "report"}
# About no problem of a domain that is given as a file.
WITHOUT_DOMAIN = {"domains", "generate", "experiment", "report"}

CHOICES = {
    "plan": ["satisficing", "astar"],
    "show": ["text", "json"],
    "export": list(EXPORTS),
    "report": list(FORMATS),
    "learn": ["robust", "paper", *SCORES, *OPERATORS],
    "experiment": list(METHODS),
    "generate": ["train", "test"],
}


def parameters(name: str, kind: str) -> list[Any]:
    return [
        one
        for one in COMMANDS[name].params
        if one.param_type_name == kind and not getattr(one, "hidden", False)
    ]


def option(name: str, flag: str) -> Any:
    return next((one for one in parameters(name, "option") if flag in one.opts), None)


def test_every_command_is_looked_at() -> None:
    assert set(COMMANDS) == set(MODULES)


@pytest.mark.parametrize("name", sorted(set(MODULES) - WITHOUT_DOMAIN))
def test_the_domain_comes_first_then_problems(name: str) -> None:
    words = [one.metavar for one in parameters(name, "argument")]
    assert words[0] in ("DOMAIN", "RUN|DOMAIN")
    assert all(word in ("PROBLEM", "[PROBLEM]", "PLAN") for word in words[1:])


@pytest.mark.parametrize("name", MODULES)
def test_the_same_option_is_called_the_same(name: str) -> None:
    for flags, metavar in (
        (["--policy", "-p"], "POLICY"),
        (["--json"], "FILE"),
        (["--seed"], "N"),
        (["--number", "-n"], "N"),
        (["--jobs"], "N"),
        (["--max-steps"], "N"),
        (["--time-limit"], "S"),
        (["--memory-limit"], "MB"),
    ):
        found = option(name, flags[0])
        if found is not None:
            assert (found.opts, found.metavar) == (flags, metavar), flags[0]
    output = option(name, "-o")
    assert output is None or output.opts == ["--output", "-o"]
    for one in parameters(name, "option"):
        assert one.opts[0] not in ("--problems", "--budget", "--out", "--limit", "--timeout")


@pytest.mark.parametrize("name", MODULES)
def test_json_is_everywhere_and_means_the_same(name: str) -> None:
    found = option(name, "--json")
    assert (found is None) == (name in WITHOUT_JSON)
    if found is not None:
        assert found.help == option("solve", "--json").help


@pytest.mark.parametrize("name", MODULES)
def test_choices_are_in_the_help(name: str) -> None:
    text = COMMANDS[name].get_help(click.Context(COMMANDS[name], terminal_width=1000))
    assert [choice for choice in CHOICES.get(name, ()) if choice not in text] == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["show", POLICY, "-d", DOMAIN], ["show", DOMAIN, "-p", POLICY]),
        (
            ["export", POLICY, "-d", DOMAIN, "--to", "json"],
            ["export", DOMAIN, "-p", POLICY, "--to", "json"],
        ),
        (
            ["challenge", DOMAIN, "-p", POLICY, "--from", SMALL, "--problems", "3"],
            ["challenge", DOMAIN, SMALL, "-p", POLICY, "-n", "3"],
        ),
        (
            ["certify", DOMAIN, "-p", POLICY, "--from", SMALL],
            ["certify", DOMAIN, SMALL, "-p", POLICY],
        ),
    ],
)
def test_old_orders_work_with_a_note(pg3: Run, old: list[str], new: list[str]) -> None:
    before, now = pg3(*old), pg3(*new)
    assert before.code == now.code
    assert before.out == now.out
    assert "note: " in before.err
    assert "note: " not in now.err


def test_a_policy_without_its_domain(pg3: Run) -> None:
    result = pg3("view", POLICY)
    assert result.code == 2
    assert "The order is pg3 view DOMAIN [PROBLEM] --policy POLICY" in result.err


def test_a_report_that_nobody_can_write(pg3: Run, tmp_path: Path) -> None:
    result = pg3("report", tmp_path, "-o", tmp_path / "report.docx")
    assert result.code == 2
    assert "no report ends with '.docx': .html, .md, .tex, .csv do" in result.err


@pytest.mark.parametrize(
    "name", ["learn", "plan", "solve", "view", "export", "challenge", "certify"]
)
def test_a_file_of_another_program(pg3: Run, tmp_path: Path, name: str) -> None:
    file = tmp_path / "result.docx"
    result = pg3(
        name, DOMAIN, SMALL, *([] if name in ("learn", "plan") else ["-p", POLICY]), "-o", file
    )
    assert result.code == 2
    assert "pg3 cannot write a file of the kind '.docx'" in result.err
    assert not file.exists()
