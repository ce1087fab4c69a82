"""Options and versions on the page: all that one needs to run it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.figures import NONE, seeds, whole
from pg3.report.html_parts import plain_table, section

if TYPE_CHECKING:
    from pg3.experiments.results import Options
    from pg3.report.columns import Column
    from pg3.report.markup import Markup
    from pg3.report.tables import Report


def options_section(report: Report) -> Markup:
    """What each method was told, what each domain was, and what the runs were made with."""
    names = (
        "Method",
        "Preset",
        "Candidates",
        "Expansions",
        "Epochs",
        "Limits",
        "Operators",
        "Seeds",
    )
    options = [_options(report, column) for column in report.columns]
    domains = [_domain(report, row.domain, row.title) for row in report.rows]
    versions = [
        (used.pg3, used.python, used.torch or NONE, used.platform, whole(number))
        for used, number in report.versions
    ]
    return section(
        "options",
        "Options and versions",
        plain_table("What each method was told", names, options),
        plain_table(
            "The problems of a run",
            ("Domain", "To learn from", "To test on", "Steps at most"),
            domains,
        ),
        plain_table(
            "What the runs were made with",
            ("pg3", "Python", "PyTorch", "Platform", "Runs"),
            versions,
        ),
    )


def _options(report: Report, column: Column) -> tuple[str, ...]:
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


def _domain(report: Report, domain: str, title: str) -> tuple[str, ...]:
    lines = [line for line in report.lines if line.domain == domain]

    def values(name: str) -> str:
        found: set[int] = {getattr(line, name) for line in lines}
        return " or ".join(map(whole, sorted(found)))

    return title, values("train"), values("test"), values("horizon")
