"""`report`: results as tables and plots for people."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pg3.cli.app import STDOUT, command, note, output_option, require_outputs
from pg3.errors import Pg3Error, pluralize
from pg3.experiments.results import RESULTS, read_results
from pg3.report import FORMATS, compute
from pg3.storage.files import is_regular, is_stdout, write_atomically


class ReportFormat(StrEnum):
    """What `report` writes."""

    HTML = "html"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"


@command()
def report(
    folder: Annotated[
        str, typer.Argument(metavar="RESULTS", help="Folder that `pg3 experiment` filled.")
    ],
    *,
    output: Annotated[
        str | None,
        output_option(
            "FILE", "Write the report here, not to stdout (-).", extra=True, any_ending=True
        ),
    ] = None,
    form: Annotated[
        ReportFormat | None,
        typer.Option(
            "--format",
            metavar="|".join(ReportFormat),
            help="Else by the end of FILE: .html, .md, .tex, .csv; without FILE markdown.",
        ),
    ] = None,
) -> None:
    """Make a report of the results of experiments.

    HTML has it all, tables, plots and learned policies, in one file that needs no network; the
    other formats have the two tables.

    \b
    Example: pg3 report results/ -o report.html
    """
    require_outputs([output], [str(Path(folder) / RESULTS)])
    form = form or _format_of(output)
    if form is ReportFormat.HTML and output is None:
        raise Pg3Error("a page is for a browser: give it a file with -o report.html")
    results = read_results(folder)
    if not results:
        raise Pg3Error(f"{folder}: no results yet ({RESULTS} is empty)")
    text = FORMATS[form][1](compute(results))
    write_atomically(output or STDOUT, text)
    if output is not None and is_regular(output):
        note(f"{output}: {form} of {pluralize(len(results), 'run')}")


def _format_of(output: str | None) -> ReportFormat:
    """The format that a file is to have by its name."""
    if output is None:
        return ReportFormat.MARKDOWN
    suffix = Path(output).suffix.lower()
    for name, (ending, _) in FORMATS.items():
        if ending == suffix or (ending == ".html" and suffix in ("", ".htm")) or is_stdout(output):
            return ReportFormat(name)
    known = ", ".join(ending for ending, _ in FORMATS.values())
    raise Pg3Error(f"{output}: no report ends with '{suffix}': {known} do; else give --format")
