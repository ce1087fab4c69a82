r"""Tables 1 and 2 in LaTeX, in the paper's form: to \input in a document with `booktabs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.figures import NONE, fraction, paper_seconds, seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    from pg3.report.tables import Cell, Report, Row

_PREAMBLE = r"% To be \input; the document needs \usepackage{booktabs,graphicx}."

# As in the paper.
_NONE = "--"

_ESCAPES = {
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
}

Pair = tuple[str, str]


def render_latex(report: Report) -> str:
    """Both tables; below each line of ours stands the paper's, small."""
    versions = ", ".join(sorted({versions.pg3 for versions, _ in report.versions}))
    means = (
        r"\textbf{Policy learning results.} Eval: fraction of test problems solved by the final "
        r"policy. Time: seconds of learning until a policy solves at least 90\,\% of them, over "
        r"the seeds for which one does. Means over up to "
        rf"{report.seeds} seeds; the paper's below ours. pg3 {_escape(versions)}, "
        rf"{report.date[:10]}."
    )
    deviations = r"\textbf{Sample standard deviations} of the figures of Table~\ref{tab:pg3-means}."
    parts = [
        _PREAMBLE,
        *_failures(report),
        _table(report, "tab:pg3-means", means, _means, _paper_means),
        _table(report, "tab:pg3-deviations", deviations, _deviations, _paper_deviations),
    ]
    return "\n".join(parts)


def _failures(report: Report) -> list[str]:
    """What failed, as comments: it must not be lost, and has no place in a paper's table."""
    return [
        f"% failed: {_escape(failure.row.title)}, {_escape(failure.column.label)}, "
        f"seed {failure.line.seed}: {_escape(failure.line.reason or '')}"
        for failure in report.failures
    ]


def _table(
    report: Report,
    label: str,
    caption: str,
    ours: Callable[[Cell, Row], Pair],
    paper: Callable[[Cell], Pair],
) -> str:
    count = len(report.columns)
    lines = [
        r"\begin{table*}",
        r"\centering\footnotesize",
        r"\setlength{\tabcolsep}{3pt}",
        r"\resizebox{\textwidth}{!}{%",
        rf"\begin{{tabular}}{{l{'rr' * count}}}",
        r"\toprule",
        *_head(report),
        r"\midrule",
    ]
    for row in report.rows:
        pairs = [_no_run() if cell is None else ours(cell, row) for cell in row.cells]
        lines.append(_line(_escape(row.title), pairs))
        if any(cell is not None and cell.paper is not None for cell in row.cells):
            pairs = [
                ("", "") if cell is None or cell.paper is None else paper(cell)
                for cell in row.cells
            ]
            small = [(_small(success), _small(time)) for success, time in pairs]
            lines.append(_line(r"\quad\scriptsize paper", small))
    lines += [
        r"\bottomrule",
        r"\end{tabular}}",
        rf"\caption{{{caption}}}",
        rf"\label{{{label}}}",
        r"\end{table*}",
        "",
    ]
    return "\n".join(lines)


def _head(report: Report) -> list[str]:
    methods, rules = [""], []
    for i, column in enumerate(report.columns):
        count = report.column_seeds(column)
        few = f" ($n={count}$)" if count < report.seeds else ""
        methods.append(rf"\multicolumn{{2}}{{c}}{{{_escape(column.label)}{few}}}")
        rules.append(rf"\cmidrule(lr){{{2 * i + 2}-{2 * i + 3}}}")
    return [
        f"{' & '.join(methods)} \\\\",
        "".join(rules),
        _line("Domains", [("Eval", "Time")] * len(report.columns)),
    ]


def _line(head: str, pairs: list[Pair]) -> str:
    return f"{' & '.join([head, *(text for pair in pairs for text in pair)])} \\\\"


def _no_run() -> Pair:
    return "n/a", _NONE


def _small(text: str) -> str:
    return rf"\scriptsize {text}" if text else ""


def _means(cell: Cell, row: Row) -> Pair:
    success = fraction(cell.success.mean)
    best = max(other.success.mean for other in row.cells if other is not None)
    if cell.success.mean == best > 0:
        success = rf"\textbf{{{success}}}"
    return success, _seconds(cell.time_mean)


def _paper_means(cell: Cell) -> Pair:
    assert cell.paper is not None
    return fraction(cell.paper.success), _paper_seconds(cell.paper.time)


def _deviations(cell: Cell, row: Row) -> Pair:
    success = cell.success.deviation
    return (
        _NONE if success is None else fraction(success),
        _seconds(cell.time_deviation),
    )


def _paper_deviations(cell: Cell) -> Pair:
    assert cell.paper is not None
    return fraction(cell.paper.success_deviation), _paper_seconds(cell.paper.time_deviation)


def _seconds(value: float | None) -> str:
    if value is None:
        return _NONE
    return seconds(value).replace("<", r"$<$")


def _paper_seconds(value: float | None) -> str:
    return paper_seconds(value).replace(NONE, _NONE)


def _escape(text: str) -> str:
    """The text as LaTeX prints it, with any font and in a comment, too."""
    return "".join(
        _ESCAPES.get(character, character) if character.isascii() else f"(U+{ord(character):04X})"
        for character in text
    )
