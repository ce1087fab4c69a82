"""`import pg3`: the names, their help, and every example in the documentation."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import pg3
from tests.support.pages import PAGES, blocks

ROOT = Path(__file__).parents[1]


def test_the_package_docstring_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    outcome = doctest.testmod(pg3)
    assert outcome.attempted > 5
    assert outcome.failed == 0


@pytest.mark.parametrize("name", pg3.__all__)
def test_every_name_is_there_and_explained(name: str) -> None:
    value = getattr(pg3, name)
    if name != "__version__":
        assert len(value.__doc__) > 20


def test_help_lists_the_names() -> None:
    text = subprocess.run(
        [sys.executable, "-c", "import pg3; help(pg3)"], capture_output=True, text=True, check=True
    ).stdout
    for name in pg3.__all__:
        assert name in text


def test_policy_is_another_name_for_decision_list() -> None:
    assert pg3.Policy is pg3.DecisionList


def test_importing_leaves_the_command_line_out() -> None:
    script = "import sys, pg3; print([m for m in ('typer', 'rich', 'click') if m in sys.modules])"
    outcome = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert outcome.stdout == "[]\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = pg3.nothing


def test_the_story_of_the_readme(tmp_path: Path) -> None:
    """Three commands, and the policy that the first of them learns."""
    story, policy = (block.text for block in blocks("README.md")[1:3])
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    commands = re.findall(r"^pg3 (.*)$", story, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["learn", "solve", "view"]
    for command in commands:
        subprocess.run(
            [sys.executable, "-m", "pg3", *shlex.split(command)],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
    domain = pg3.read_domain(ROOT / "examples" / "ferry" / "domain.pddl")
    from pg3.policy import parse_policy

    assert parse_policy(policy, domain) == pg3.read_policy(tmp_path / "ferry.policy", domain)


def test_links_in_the_documentation_lead_somewhere() -> None:
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES)
def test_files_named_on_a_page_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for name in re.findall(r"`((?:src|native|tests|examples|benchmarks|docs)/[\w./-]+)`", text):
        # NAME is for the reader to fill in.
        assert "NAME" in name or (ROOT / name).exists(), f"{page}: {name}"


def test_the_demo(tmp_path: Path) -> None:
    outcome = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py"), "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    assert "4 rules; solves all 10 training problems and " in outcome.stderr
    assert outcome.stdout.count("(:rule ") == 4
    assert "\nsolved 30/30 (1.00)\n" in outcome.stdout
    assert outcome.stdout.count("\nvalid: ") == 1
    assert (tmp_path / "large.plan").exists()
    assert (tmp_path / "ferry.html").exists()
