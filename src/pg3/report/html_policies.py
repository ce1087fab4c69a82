"""The learned policies on the page: by domain and method, to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.errors import pluralize
from pg3.report.figures import fraction, named_seeds
from pg3.report.html_parts import reading, section
from pg3.report.markup import Markup, tag
from pg3.report.policies import LearnedPolicy, highlight, policies_of

if TYPE_CHECKING:
    from pg3.report.tables import Cell, Report, Row


def policy_section(report: Report) -> Markup | None:
    """All policies; None if there are none."""
    domains = [part for row in report.rows if (part := _domain(row)) is not None]
    if not domains:
        return None
    return section(
        "policies",
        "The learned policies",
        reading(
            "In each state the first rule that some objects satisfy acts. A policy that several "
            "seeds found stands once; the most common come first."
        ),
        tag("div", *domains, class_="policies"),
    )


def _domain(row: Row) -> Markup | None:
    methods = [
        _method(cell, policies)
        for cell in row.cells
        if cell is not None and (policies := policies_of(cell))
    ]
    if not methods:
        return None
    return tag("section", tag("h3", row.title), tag("div", *methods, class_="methods"))


def _method(cell: Cell, policies: list[LearnedPolicy]) -> Markup:
    number = "1 policy" if len(policies) == 1 else f"{len(policies)} policies"
    facts = f"{number}, success {fraction(cell.success.mean)}"
    summary = tag("summary", tag("b", cell.column.label), tag("span", facts, class_="aside"))
    return tag("details", summary, *map(_policy, policies))


def _policy(policy: LearnedPolicy) -> Markup:
    facts = (
        f"{named_seeds(policy.seeds)} · {pluralize(policy.rules, 'rule')} · "
        f"success {fraction(policy.success)}"
    )
    # Wide ones scroll: with the keyboard, too.
    text = tag("pre", tag("code", highlight(policy.text)), tabindex=0)
    return tag("figure", tag("figcaption", facts), text, class_="policy")
