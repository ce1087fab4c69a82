"""`pg3 report`: where the report goes, in which format, and what it says of bad input."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pg3.cli.main import main
from tests.report.fabrication import failure, result, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., "Result"]


class Result(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def report(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `pg3 report` in this process."""

    def run(*arguments: str | Path) -> Result:
        with pytest.raises(SystemExit) as ended:
            main(["report", *map(str, arguments)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        code = ended.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return write(tmp_path / "results", [result("ferry", "pg3", seed) for seed in range(2)])


def test_help(report: Run) -> None:
    shown = report("--help")
    assert shown.code == 0
    assert "Example: pg3 report " in shown.out


def test_a_page_in_a_file(report: Run, results: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    done = report(results, "-o", target)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"{target}: html of 2 runs\n"
    assert target.read_text(encoding="utf-8").startswith("<!doctype html>")
    first = target.read_bytes()
    report(results, "-o", target)
    assert target.read_bytes() == first


@pytest.mark.parametrize(
    ("name", "begin"),
    [
        ("r.md", "# The paper"),
        ("r.tex", "% To be"),
        ("r.csv", "domain,"),
        ("r.HTML", "<!doctype"),
        ("r", "<!doctype"),
    ],
)
def test_the_format_by_the_name(
    report: Run, results: Path, tmp_path: Path, name: str, begin: str
) -> None:
    assert report(results, "-o", tmp_path / name).code == 0
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(begin)


def test_the_format_by_the_option(report: Run, results: Path, tmp_path: Path) -> None:
    assert report(results, "-o", tmp_path / "r.html", "--format", "csv").code == 0
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("domain,")


def test_to_stdout(report: Run, results: Path) -> None:
    assert report(results).out.startswith("# The paper")
    assert report(results, "-o", "-").out.startswith("<!doctype html>")
    for form, begin in (("markdown", "# The"), ("latex", "% To"), ("csv", "domain,")):
        shown = report(results, "--format", form)
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith(begin)


def test_a_page_wants_a_file(report: Run, results: Path) -> None:
    refused = report(results, "--format", "html")
    assert (refused.code, refused.out) == (2, "")
    assert "-o report.html" in refused.err


def test_no_folder_and_no_results(report: Run, tmp_path: Path) -> None:
    missing = report(tmp_path / "none")
    assert (missing.code, missing.err) == (2, f"{tmp_path / 'none'}: no such folder\n")
    empty = report(tmp_path)
    assert empty.code == 2
    assert "no results here" in empty.err
    write(tmp_path, [])
    nothing = report(tmp_path, "-o", tmp_path / "r.html")
    assert nothing.code == 2
    assert "no results yet" in nothing.err
    assert not (tmp_path / "r.html").exists()


def test_a_broken_line_is_named(report: Run, results: Path) -> None:
    file = results / "results.jsonl"
    file.write_text('{"format": "x"}\n' + file.read_text())
    broken = report(results)
    assert broken.code == 2
    assert "results.jsonl:1: " in broken.err


def test_half_a_line_is_left_out(report: Run, results: Path) -> None:
    file = results / "results.jsonl"
    file.write_text(file.read_text() + '{"format": "pg3-res')
    shown = report(results)
    assert shown.code == 0
    assert "half a line" in shown.err
    assert "2 runs" in shown.out


def test_the_results_are_never_written_over(report: Run, results: Path) -> None:
    file = results / "results.jsonl"
    before = file.read_bytes()
    refused = report(results, "-o", file)
    assert refused.code == 2
    assert "it is an input" in refused.err
    assert file.read_bytes() == before


def test_failures_are_no_error(report: Run, tmp_path: Path) -> None:
    shown = report(write(tmp_path, [failure()]))
    assert shown.code == 0
    assert "crashed" in shown.out


def test_help_takes_no_time_for_templates_plots_and_colours() -> None:
    script = """
import sys
from pg3.cli.main import main
try:
    main(["--help"])
except SystemExit:
    print([name for name in ("jinja2", "matplotlib", "rich") if name in sys.modules])
"""
    shown = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert shown.stdout.endswith("\n[]\n")
