"""What the HTML page says beside the tables: the facts at its top, plots, policies and options."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from pg3.errors import pluralize
from pg3.report import plots
from pg3.report.comparison import Verdict, compare, deviations, means
from pg3.report.figures import NONE, named_seeds, seeds, whole
from pg3.report.paper import EPOCHS
from pg3.report.policies import highlight, policies_of
from pg3.report.quality import quality_rows

if TYPE_CHECKING:
    from pg3.experiments.results import Options
    from pg3.report.columns import Column
    from pg3.report.policies import LearnedPolicy
    from pg3.report.tables import Cell, Failure, Report, Row

# So many gaps are told one by one.
_FEW = 4


def content(report: Report) -> dict[str, Any]:
    """What the template of the page puts in its places."""
    columns = plots.searchers(report)
    return {
        "report": report,
        "versions": _versions(report),
        "headlines": headlines(report),
        "failures": _failures(report),
        "gaps": _gaps(report),
        "few": _FEW,
        "means": means(report),
        "deviations": deviations(report),
        "quality": quality_rows(report),
        "quality_head": ["", *(column.label for column in report.columns)],
        # The paper's network was trained for so long; said where ours was not.
        "epochs": next(
            (EPOCHS for column in report.columns if column.in_paper and not column.as_in_paper), 0
        ),
        "legend": [
            (column.label, style.name, plots.swatch(style))
            for column, style in plots.styles_of(report.columns).items()
        ],
        "success": plots.success_panels(report),
        "candidates": plots.candidate_panels(report) if columns else [],
        "candidate_head": ["", *(column.label for column in columns)],
        "candidate_rows": [
            [row.title, *(_candidate_figures(row.cell(column)) for column in columns)]
            for row in report.rows
        ],
        "policies": _policies(report),
        "highlight": highlight,
        "options": [_options(report, column) for column in report.columns],
        "domains": [_domain(report, row) for row in report.rows],
        "made_with": [
            (used.pg3, used.python, used.torch or NONE, used.platform, whole(number))
            for used, number in report.versions
        ],
    }


# -- the top ---------------------------------------------------------------------------------------


def _versions(report: Report) -> list[str]:
    """What the results were made with, a text for each program."""
    parts = []
    for name, label in (("pg3", "pg3"), ("python", "Python"), ("torch", "PyTorch")):
        found = {value for used, _ in report.versions if (value := getattr(used, name))}
        if found:
            parts.append(f"{label} {', '.join(sorted(found))}")
    return parts + sorted({used.platform for used, _ in report.versions})


def headlines(report: Report) -> list[str]:
    """What the tables say, in a few sentences."""
    facts = []
    for column in report.columns:
        if column.is_main:
            cells = report.column_cells(column)
            perfect = sum(cell.success.mean == 1 for cell in cells)
            facts.append(f"{column.label}: 1.00 in {perfect} of {pluralize(len(cells), 'domain')}")
    # A network that was trained for less is no fair comparison.
    fair = (compare(cell) for cell in report.cells if cell.column.as_in_paper)
    verdicts = [comparison.success.verdict for comparison in fair if comparison is not None]
    if verdicts:
        facts.append(
            f"Eval next to the paper’s: {verdicts.count(Verdict.EQUAL)} equal, "
            f"{verdicts.count(Verdict.BETTER)} higher, {verdicts.count(Verdict.WORSE)} lower"
        )
    return facts


def _failures(report: Report) -> list[tuple[str, str, str]]:
    """Failures of one kind together: what happened how often, the reason, and where."""
    alike: dict[tuple[str, str], list[Failure]] = {}
    for failure in report.failures:
        alike.setdefault((failure.line.status, failure.line.reason or ""), []).append(failure)
    return [
        (f"{pluralize(len(members), 'run')}, {status}", reason, _places(members))
        for (status, reason), members in sorted(
            alike.items(), key=lambda item: (-len(item[1]), item[0])
        )
    ]


def _places(failures: list[Failure]) -> str:
    """Where the same failure happened: "Ferry: PG3 (seeds 1, 2), Combo (seed 7); Forest: ..."."""
    places: dict[str, dict[str, list[int]]] = {}
    for failure in failures:
        methods = places.setdefault(failure.row.title, {})
        methods.setdefault(failure.column.label, []).append(failure.line.seed)
    return "; ".join(
        f"{domain}: "
        + ", ".join(
            f"{method} ({named_seeds(tuple(numbers))})" for method, numbers in methods.items()
        )
        for domain, methods in places.items()
    )


def _gaps(report: Report) -> list[str]:
    """What is missing to a full table."""
    gaps = []
    for row in report.rows:
        for column in report.columns:
            cell, most = row.cell(column), report.column_seeds(column)
            if cell is None:
                gaps.append(f"{row.title}, {column.label}: not run")
            elif cell.count < most:
                gaps.append(f"{row.title}, {column.label}: {cell.count} of {most} seeds")
    return gaps


# -- candidates and policies -----------------------------------------------------------------------


def _candidate_figures(cell: Cell | None) -> str:
    """The candidates to the first solution as numbers: median, least to most, seeds."""
    if cell is None:
        return "not run"
    counts = plots.candidate_counts(cell)
    if not counts:
        return f"{NONE}, 0 of {cell.count}"
    spread = "" if counts[0] == counts[-1] else f" ({whole(counts[0])} to {whole(counts[-1])})"
    return f"{whole(statistics.median(counts))}{spread}, {len(counts)} of {cell.count}"


def _policies(report: Report) -> list[tuple[Row, list[tuple[Cell, list[LearnedPolicy]]]]]:
    """The domains that have policies, and in them the methods that have some."""
    domains = []
    for row in report.rows:
        cells = [(cell, policies_of(cell)) for cell in row.cells if cell is not None]
        if methods := [(cell, policies) for cell, policies in cells if policies]:
            domains.append((row, methods))
    return domains


# -- options and versions --------------------------------------------------------------------------


def _options(report: Report, column: Column) -> tuple[str, ...]:
    """What a method was told."""
    options = column.options
    limits = []
    if options.time_limit is not None:
        limits.append(f"{options.time_limit:g} s")
    if options.memory_limit is not None:
        limits.append(f"{options.memory_limit:g} MB")
    numbers = {line.seed for cell in report.column_cells(column) for line in cell.lines}
    return (
        column.label,
        _preset(options),
        NONE if options.max_candidates is None else whole(options.max_candidates),
        NONE if options.max_expansions is None else whole(options.max_expansions),
        NONE if options.epochs is None else whole(options.epochs),
        ", ".join(limits) or NONE,
        _operators(report, column),
        seeds(tuple(sorted(numbers))),
    )


def _preset(options: Options) -> str:
    """The preset, and in which way it was changed: "paper, as printed, mean score"."""
    parts = [options.preset or NONE]
    if options.as_printed:
        parts.append("as printed")
    if options.accumulate is not None:
        parts.append(f"{options.accumulate} score")
    return ", ".join(parts)


def _operators(report: Report, column: Column) -> str:
    """The search operators, by domain where they differ."""
    if column.options.preset is None:
        return NONE
    domains: dict[tuple[str, ...] | None, list[str]] = {}
    for row in report.rows:
        cell = row.cell(column)
        used = set() if cell is None else {line.options.operators for line in cell.lines}
        for operators in sorted(used, key=str):
            domains.setdefault(operators, []).append(row.title)
    # The most common set is the rule, the others are told by what they lack of it.
    common = max(domains, key=lambda operators: len(domains[operators]))
    others = [
        f"in {', '.join(titles)} {_difference(operators, common)}"
        for operators, titles in domains.items()
        if operators != common
    ]
    return "; ".join([_names(common), *others])


def _difference(operators: tuple[str, ...] | None, common: tuple[str, ...] | None) -> str:
    if operators is None or common is None:
        return _names(operators)
    lacking = [name for name in common if name not in operators]
    left = tuple(name for name in common if name in operators)
    return f"without {', '.join(lacking)}" if left == operators else _names(operators)


def _names(operators: tuple[str, ...] | None) -> str:
    return "all" if operators is None else ", ".join(operators) or "none"


def _domain(report: Report, row: Row) -> tuple[str, ...]:
    """The problems of a domain's runs."""
    lines = [line for line in report.lines if line.domain == row.domain]

    def values(name: str) -> str:
        found: set[int] = {getattr(line, name) for line in lines}
        return " or ".join(map(whole, sorted(found)))

    return row.title, values("train"), values("test"), values("horizon")
