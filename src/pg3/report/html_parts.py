"""What the sections of the page are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.report.markup import Markup, join, tag

if TYPE_CHECKING:
    from collections.abc import Iterable

# Longer texts get lines of a readable width, however narrow the page is.
_LONG = 30


def section(name: str, title: str, *content: Markup | None) -> Markup:
    """A part of the page under a heading that can be linked to as #name."""
    return tag("section", tag("h2", title, id=name), *content, aria_labelledby=name)


def reading(*paragraphs: str) -> Markup:
    """The short "how to read this" of a table or plot."""
    return tag("div", *(tag("p", paragraph) for paragraph in paragraphs), class_="reading")


def scrolling(table: Markup, label: str) -> Markup:
    """A table in a box of its own, so that a wide one moves there and not the page."""
    return tag("div", table, class_="scroll", tabindex=0, role="region", aria_label=label)


def plain_table(caption: str, head: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """A table of texts, the first of each row its heading."""
    lines = []
    for first, *others in rows:
        cells = (tag("td", text, class_="long" if len(text) > _LONG else None) for text in others)
        lines.append(tag("tr", tag("th", first, scope="row"), *cells))
    table = tag(
        "table",
        tag("caption", tag("span", caption)),
        tag("thead", tag("tr", *(_column_head(text) for text in head))),
        tag("tbody", *lines),
        class_="plain",
    )
    return scrolling(table, caption)


def _column_head(text: str) -> Markup:
    # A heading of nothing is none: the corner of a table.
    return tag("th", text, scope="col") if text else tag("td")


def panels(figures: Iterable[tuple[str, Markup]]) -> Markup:
    """Plots side by side, as many as fit, each under its title."""
    return tag(
        "div",
        join(
            tag("figure", tag("figcaption", title), tag("div", plot, class_="plot"))
            for title, plot in figures
        ),
        class_="panels",
    )
