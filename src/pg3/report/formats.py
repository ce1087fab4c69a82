"""The report as text: HTML, Markdown and LaTeX by their templates, and CSV.

Whatever a template puts in is escaped for its format unless it is marked as safe.
"""

from __future__ import annotations

import csv
import io
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from pg3.errors import pluralize
from pg3.report.comparison import deviations, means
from pg3.report.figures import duration, fraction, named_seeds, whole
from pg3.report.quality import quality_rows

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment

    from pg3.report.tables import Cell, Report


def _asset(name: str) -> str:
    """A file of the folder `templates`: of our own making, with nothing of the results in it."""
    return files("pg3.report").joinpath("templates", name).read_text(encoding="utf-8")


def environment(escape: Callable[[str], str] | None = None, **marks: Any) -> Environment:
    """Templates of a format with its way to escape text; without one, HTML."""
    # Only now: `pg3 --help` comes by here and makes no report.
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    def finalize(value: Any) -> Any:
        if escape is None or isinstance(value, Markup):
            return value
        return Markup(escape(str(value)))

    made = Environment(
        loader=FunctionLoader(_asset),
        autoescape=escape is None,
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        **marks,
    )
    made.filters |= {
        "duration": duration,
        "fraction": fraction,
        "named_seeds": named_seeds,
        "plural": pluralize,
        "whole": whole,
    }
    made.globals["asset"] = lambda name: Markup(_asset(name))
    return made


# -- HTML ------------------------------------------------------------------------------------------


def render_html(report: Report) -> str:
    """The report as one file that needs nothing else: no network, and no script to be read.

    Equal results give equal bytes. Pg3Error if matplotlib is not installed.
    """
    # Only now: the other formats need no plots, and matplotlib is an extra.
    from pg3.report import page  # noqa: PLC0415

    return environment().get_template("report.html.j2").render(page.content(report))


# -- Markdown --------------------------------------------------------------------------------------


def render_markdown(report: Report) -> str:
    """Both tables, with what failed before them."""
    return environment(escape_markdown).get_template("report.md.j2").render(_tables(report))


def escape_markdown(text: str) -> str:
    """The text such that Markdown shows it as it is, also in a table."""
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", text)


def _tables(report: Report) -> dict[str, Any]:
    return {
        "report": report,
        "means": means(report),
        "deviations": deviations(report),
        "quality": quality_rows(report),
        "versions": sorted({versions.pg3 for versions, _ in report.versions}),
    }


# -- LaTeX -----------------------------------------------------------------------------------------

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    # What stands where there is no number; a dash in a name is printed so, too.
    "–": "--",
}


def render_latex(report: Report) -> str:
    r"""Both tables in the paper's form, to \input; below each line of ours stands the paper's."""
    marks = {
        "block_start_string": "<%",
        "block_end_string": "%>",
        "variable_start_string": "<<",
        "variable_end_string": ">>",
        "comment_start_string": "<#",
        "comment_end_string": "#>",
    }
    return environment(escape_latex, **marks).get_template("report.tex.j2").render(_tables(report))


def escape_latex(text: str) -> str:
    """The text as LaTeX prints it, with any font and in a comment, too."""
    return "".join(
        _LATEX[character]
        if character in _LATEX
        else character
        if character.isascii()
        else f"(U+{ord(character):04X})"
        for character in text
    )


# -- CSV -------------------------------------------------------------------------------------------

_FIELDS = (
    "domain",
    "method",
    "variant",
    "n",
    "failed",
    "eval_mean",
    "eval_sd",
    "time_mean",
    "time_sd",
    "reached_90",
    "paper_eval_mean",
    "paper_eval_sd",
    "paper_time_mean",
    "paper_time_sd",
)


def render_csv(report: Report) -> str:
    """A line for each method in each domain; what there is no figure for is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_FIELDS)
    for cell in report.cells:
        writer.writerow(_csv_row(cell))
    return text.getvalue()


def _csv_row(cell: Cell) -> list[str]:
    paper = cell.paper
    facts = [
        _harmless(cell.domain),
        _harmless(cell.column.method),
        _harmless(cell.column.variant),
        str(cell.count),
        str(cell.failed),
        _number(cell.success.mean),
        _number(cell.success.deviation),
        _number(cell.time_mean),
        _number(cell.time_deviation),
        str(len(cell.solutions)),
    ]
    if paper is None:
        return [*facts, "", "", "", ""]
    theirs = (paper.success, paper.success_deviation, paper.time, paper.time_deviation)
    return [*facts, *map(_number, theirs)]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _harmless(text: str) -> str:
    """The text such that no spreadsheet takes it for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


# By name, with the suffix of its files.
FORMATS: dict[str, tuple[str, Callable[[Report], str]]] = {
    "html": (".html", render_html),
    "markdown": (".md", render_markdown),
    "latex": (".tex", render_latex),
    "csv": (".csv", render_csv),
}
