"""The report as one HTML file that needs nothing else: no network, and no script to be read."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from pg3.errors import pluralize
from pg3.report.comparison import Verdict, compare
from pg3.report.figures import duration, named_seeds, whole
from pg3.report.html_options import options_section
from pg3.report.html_parts import reading, section
from pg3.report.html_plots import candidate_section, success_section
from pg3.report.html_policies import policy_section
from pg3.report.html_tables import deviations_table, means_table
from pg3.report.markup import Markup, join, tag
from pg3.report.paper import EPOCHS
from pg3.report.plot_styles import styles_of

if TYPE_CHECKING:
    from pg3.report.tables import Failure, Report

# So many gaps are told one by one.
_FEW = 4

TITLE = "PG3: the paper’s experiments, run again"


def render_html(report: Report) -> str:
    """The whole page. Equal results give equal bytes."""
    styles = styles_of(report.columns)
    sections = {
        "Table 1": _means(report),
        "Table 2": _deviations(report),
        "Success against time": success_section(report, styles),
        "Candidates": candidate_section(report, styles),
        "Policies": policy_section(report),
        "Options and versions": options_section(report),
    }
    links = ("means", "deviations", "time", "candidates", "policies", "options")
    contents = tag(
        "nav",
        tag(
            "ul",
            *(
                tag("li", tag("a", text, href=f"#{link}"))
                for (text, part), link in zip(sections.items(), links, strict=True)
                if part is not None
            ),
        ),
        aria_label="Contents",
    )
    page = tag(
        "html",
        tag(
            "head",
            tag("meta", charset="utf-8"),
            tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
            tag("meta", name="color-scheme", content="light dark"),
            tag("title", TITLE),
            tag("style", _asset("page.css")),
        ),
        tag(
            "body",
            tag("header", *_facts(report), contents),
            tag("main", _failures(report), _gaps(report), *sections.values()),
            tag("script", _asset("page.js")),
        ),
        lang="en",
    )
    return f"<!doctype html>\n{page}\n"


def _asset(name: str) -> Markup:
    """A file beside this module: of our own making, with nothing of the results in it."""
    return Markup("\n" + files("pg3.report").joinpath(name).read_text(encoding="utf-8"))


# -- the top ---------------------------------------------------------------------------------------


def _facts(report: Report) -> list[Markup]:
    return [
        tag("h1", TITLE),
        tag("p", _when_and_what(report), class_="facts"),
        tag("p", _effort(report), class_="facts"),
        tag("ul", *(tag("li", fact) for fact in headlines(report)), class_="headlines"),
    ]


def _when_and_what(report: Report) -> Markup:
    parts: list[str] = [tag("time", report.date[:10], datetime=report.date)]
    for name, label in (("pg3", "pg3"), ("python", "Python"), ("torch", "PyTorch")):
        found = {value for used, _ in report.versions if (value := getattr(used, name))}
        if found:
            parts.append(f"{label} {', '.join(sorted(found))}")
    parts += sorted({used.platform for used, _ in report.versions})
    return join(parts, " · ")


def _effort(report: Report) -> str:
    learning = sum(line.learning_seconds for line in report.lines)
    testing = sum(line.testing_seconds for line in report.lines)
    peak = max(line.peak_megabytes for line in report.lines)
    return (
        f"{pluralize(len(report.lines), 'run')}: {pluralize(len(report.rows), 'domain')}, "
        f"{pluralize(len(report.columns), 'method')}, up to {pluralize(report.seeds, 'seed')} · "
        f"{duration(learning)} of learning, {duration(testing)} of testing · "
        f"at most {whole(round(peak))} MB in one run"
    )


def headlines(report: Report) -> list[str]:
    """What the tables say, in a few sentences."""
    facts = []
    for column in report.columns:
        if column.method in ("pg3", "robust"):
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


def _failures(report: Report) -> Markup:
    total = len(report.lines)
    if not report.failures:
        all_done = "The run" if total == 1 else f"All {whole(total)} runs"
        return tag("p", f"No failures: {all_done.lower()} came to the end.", class_="quiet")
    alike: dict[tuple[str, str], list[Failure]] = {}
    for failure in report.failures:
        alike.setdefault((failure.line.status, failure.line.reason or ""), []).append(failure)
    items = [
        tag(
            "li",
            tag("b", f"{pluralize(len(members), 'run')}, {status}: "),
            reason,
            tag("div", _places(members)),
        )
        for (status, reason), members in sorted(
            alike.items(), key=lambda item: (-len(item[1]), item[0])
        )
    ]
    failed = len(report.failures)
    summary = f"{failed} of {pluralize(total, 'run')} did not come to the end; each counts as 0."
    return tag(
        "div",
        section("failures", "Failures", tag("p", summary), tag("ul", *items)),
        class_="alarm",
    )


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


def _gaps(report: Report) -> Markup | None:
    """What is missing to a full table: in one line, or behind it if it is long."""
    gaps = []
    for row in report.rows:
        for column in report.columns:
            cell, most = row.cell(column), report.column_seeds(column)
            if cell is None:
                gaps.append(f"{row.title}, {column.label}: not run")
            elif cell.count < most:
                gaps.append(f"{row.title}, {column.label}: {cell.count} of {most} seeds")
    if not gaps:
        return None
    if len(gaps) <= _FEW:
        return tag("p", f"Not complete: {'; '.join(gaps)}.", class_="quiet")
    total = len(report.rows) * len(report.columns)
    summary = f"Not complete: {len(gaps)} of {total} cells lack seeds"
    items = tag("ul", *(tag("li", gap) for gap in gaps))
    return tag("details", tag("summary", summary), items, class_="quiet")


# -- the tables ------------------------------------------------------------------------------------


def _means(report: Report) -> Markup:
    less = any(column.in_paper and not column.as_in_paper for column in report.columns)
    epochs = f" The paper’s GNN BC is trained for {whole(EPOCHS)} epochs." if less else ""
    return section(
        "means",
        "Table 1: how well, and how soon",
        reading(
            "Eval is the part of the test problems that the final policy solves. Time, in seconds "
            "of learning, is when a policy that solves at least 90 % of them is first found, over "
            "the seeds that find one (a note says how many, if not all). Means over seeds; the "
            "best Eval of a domain is bold.",
            "▲ better than in the paper, ▼ worse, = as printed there: for Eval by how much, for "
            "Time how many times faster or slower; “found” where only we find such a policy, "
            "“none” where only the paper does. Its times are those of other code on another "
            f"machine: only large factors mean something.{epochs}",
        ),
        means_table(report),
    )


def _deviations(report: Report) -> Markup:
    return section(
        "deviations",
        "Table 2: how much it varies",
        reading(
            "Standard deviations over seeds, those of a sample (divided by n − 1) as in the paper: "
            "one success in ten seeds is 0.10 with 0.32. A single figure has none (–). ↑ more "
            "spread than in the paper, ↓ less; neither is good or bad in itself, as a method that "
            "always fails has no spread."
        ),
        deviations_table(report),
    )
