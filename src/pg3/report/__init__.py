"""Tables, plots and pages made of result lines; never runs anything.

`compute` turns results into the values of the report; each format of `FORMATS` makes a text of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.csv_table import render_csv
from pg3.report.html import render_html
from pg3.report.latex import render_latex
from pg3.report.markdown import render_markdown
from pg3.report.tables import compute

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.report.tables import Report

__all__ = ["FORMATS", "compute"]

# By name, with the suffix of its files.
FORMATS: dict[str, tuple[str, Callable[[Report], str]]] = {
    "html": (".html", render_html),
    "markdown": (".md", render_markdown),
    "latex": (".tex", render_latex),
    "csv": (".csv", render_csv),
}
