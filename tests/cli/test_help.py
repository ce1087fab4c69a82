"""First contact: help that fits a screen and shows an example, and shell completion."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import typer.main

from pg3.cli.app import MODULES, SUMMARIES, app
from pg3.cli.main import load
from pg3.domains import DOMAINS

if TYPE_CHECKING:
    from pathlib import Path

WIDTH, HEIGHT = 80, 43


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command on a terminal of the usual size."""
    return subprocess.run(
        [sys.executable, "-m", "pg3", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": str(WIDTH), **variables},
    )


@pytest.mark.parametrize("name", [None, *MODULES])
def test_help_fits_a_screen_and_has_an_example(name: str | None) -> None:
    result = run(*([] if name is None else [name]), "--help")
    lines = result.stdout.splitlines()
    assert (result.returncode, result.stderr) == (0, "")
    assert len(lines) < HEIGHT
    assert max(map(len, lines)) <= WIDTH
    assert f"Example: pg3 {name or 'learn'} " in result.stdout or name == "domains"
    assert "Example: pg3 " in result.stdout
    assert "x>=" not in result.stdout


def test_the_list_of_commands_says_what_they_say() -> None:
    load()
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    said = {name: commands[name].help.split("\n\n")[0].replace("\n", " ") for name in MODULES}
    assert said == SUMMARIES


def test_the_command_alone_shows_help() -> None:
    alone = run()
    assert (alone.stdout + alone.stderr).strip() == run("--help").stdout.strip()


# typer asks the processes above for the shell, and tests may run below none.
WITHOUT_DETECTION = {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}

# -- completion ------------------------------------------------------------------------------------


def completions(line: str) -> list[str]:
    """What bash would offer at the end of a line."""
    words = line.split(" ")
    result = run(_PG3_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split()


def test_commands() -> None:
    assert completions("pg3 ") == list(MODULES)
    assert completions("pg3 ex") == ["explain", "export", "experiment"]


def test_options() -> None:
    assert completions("pg3 learn --st") == ["--start"]
    assert completions("pg3 score --js") == ["--json"]


@pytest.mark.parametrize(
    "line",
    [
        *("pg3 domains ", "pg3 generate ", "pg3 experiment --domains "),
        "pg3 challenge domain.pddl --generator ",
    ],
)
def test_built_in_domains(line: str) -> None:
    assert completions(line) == list(DOMAINS)
    assert completions(line + "fe") == ["ferry", "ferry-typed"]


def test_values() -> None:
    assert completions("pg3 learn --preset p") == ["paper"]
    assert completions("pg3 learn --score p") == ["pg3", "policy-evaluation", "plan-comparison"]
    assert completions("pg3 learn --operators add-rule,del") == [
        "add-rule,delete-condition",
        "add-rule,delete-rule",
    ]
    assert completions("pg3 export --to p") == ["python", "pddl-axioms"]


def test_bash_takes_it(tmp_path: Path) -> None:
    """The script that is shown, in a real shell: what Tab would offer."""
    script = run("--show-completion", "bash", **WITHOUT_DETECTION)
    assert script.returncode == 0
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "pg3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pg3 "$@"\n')
    (bin_folder / "pg3").chmod(0o755)
    check = """
COMP_WORDS=(pg3 generate gr); COMP_CWORD=2
_pg3_completion pg3
echo "${COMPREPLY[@]}"
complete -p pg3
"""
    shell = subprocess.run(
        ["bash", "--norc", "-c", script.stdout + check],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"},
    )
    assert shell.stdout.splitlines()[0] == "gripper"
    assert "_pg3_completion" in shell.stdout
    assert shell.stderr == ""


def test_it_is_installed_where_bash_looks(tmp_path: Path) -> None:
    result = run("--install-completion", "bash", HOME=str(tmp_path), **WITHOUT_DETECTION)
    assert result.returncode == 0
    written = "".join(p.read_text() for p in tmp_path.rglob("*") if p.is_file())
    assert "_pg3_completion" in written
    assert ".bashrc" in {path.name for path in tmp_path.iterdir()}
