"""How values show themselves to people: in a terminal with rich, in Jupyter as HTML.

A class that derives from `Displayed` says once what there is to see, as a `Sheet`; the rest is done
here for both. Rich is imported when it asks for something, never before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Group, RenderableType
    from rich.text import Text

# How a cell is meant; nothing is said by colour alone.
Mark = Literal["good", "bad", "faint"]

# Lines and rows beyond these are counted, not shown.
MOST_LINES, MOST_ROWS = 200, 50

_TOKEN = re.compile(
    r"(?P<comment>;[^\n]*)|(?P<keyword>(?<![^\s(]):[^\s()]+)|(?P<variable>\?[^\s()]+)"
    r"|(?P<word>(?<=\()(?:define|policy|domain|problem|and|not|either)(?=[\s)]))"
)

# Rich's names of styles; they suit light and dark terminals.
_STYLES = {
    "comment": "dim",
    "keyword": "bold blue",
    "variable": "magenta",
    "word": "blue",
    "good": "green",
    "bad": "red",
    "faint": "dim",
}

# Colours of text are the notebook's own, so that they suit light and dark; those of the marks are
# given for both. JupyterLab and VS Code say in the page which it is, browsers in a media query.
_CSS = """
.pg3-sheet { LIGHT; max-width: 60em }
@media (prefers-color-scheme: dark) { .pg3-sheet { DARK } }
[data-jp-theme-light=true] .pg3-sheet, .vscode-light .pg3-sheet { LIGHT }
[data-jp-theme-light=false] .pg3-sheet, .vscode-dark .pg3-sheet { DARK }
.pg3-sheet p { margin: .3em 0 }
.pg3-sheet pre { margin: .4em 0; overflow-x: auto; color: inherit; background: none }
.pg3-sheet table { border-collapse: collapse; margin: .4em 0; color: inherit }
.pg3-sheet th, .pg3-sheet td {
  padding: .15em .7em; text-align: left; border-bottom: 1px solid rgba(128, 128, 128, .35)
}
.pg3-sheet .number { text-align: right }
.pg3-sheet .keyword { color: var(--keyword); font-weight: bold }
.pg3-sheet .word { color: var(--keyword) }
.pg3-sheet .variable { color: var(--variable) }
.pg3-sheet .comment, .pg3-sheet .faint { opacity: .75 }
.pg3-sheet .good { color: var(--good) }
.pg3-sheet .bad { color: var(--bad) }
"""
_LIGHT = "--keyword: #0550ae; --variable: #8250df; --good: #116329; --bad: #b31d28"
_DARK = "--keyword: #79c0ff; --variable: #d2a8ff; --good: #56d364; --bad: #ff7b72"


class Cell(NamedTuple):
    """What stands in a table."""

    text: str
    mark: Mark | None = None


class Code(NamedTuple):
    """PDDL, or a policy."""

    text: str


class Table(NamedTuple):
    """Rows of cells under a head; `numbers` are the columns to be flush right."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell | str, ...], ...]
    numbers: frozenset[int] = frozenset()
    title: str = ""


class Prose(NamedTuple):
    """A sentence, or a few."""

    text: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """What there is to see of a value: a title with a few facts beside it, and parts below."""

    title: str
    facts: str
    parts: tuple[Code | Table | Prose, ...] = ()


class Displayed:
    """A value that shows itself: `_sheet` says what, this class how."""

    __slots__ = ()

    def _sheet(self) -> Sheet:
        raise NotImplementedError

    def __rich__(self) -> Group:
        return rich_sheet(self._sheet())

    def _repr_html_(self) -> str:
        return html_sheet(self._sheet())

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """For IPython: its terminal shows the text, its notebooks keep it beside the HTML."""
        sheet = self._sheet()
        return {"text/plain": plain_sheet(sheet), "text/html": html_sheet(sheet)}


def shortened(text: str) -> str:
    """A text with no more lines than are shown."""
    lines = text.rstrip("\n").split("\n")
    if len(lines) <= MOST_LINES:
        return "\n".join(lines)
    return "\n".join([*lines[:MOST_LINES], f"; and {len(lines) - MOST_LINES} more lines"])


def rows_left(total: int) -> tuple[Prose, ...]:
    """A remark on the rows that are not shown, if there are any."""
    return (Prose(f"and {total - MOST_ROWS} more", "faint"),) if total > MOST_ROWS else ()


def listed(names: Sequence[str], most: int = 12) -> str:
    """The first names, and how many there are beyond."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _pieces(code: str) -> Iterator[tuple[str, str | None]]:
    """The code in pieces, each with what it is, if that is worth a colour."""
    at = 0
    for token in _TOKEN.finditer(code):
        if token.start() > at:
            yield code[at : token.start()], None
        yield token.group(), token.lastgroup
        at = token.end()
    yield code[at:], None


# -- in a terminal ---------------------------------------------------------------------------------


def rich_sheet(sheet: Sheet) -> Group:
    """The sheet as rich draws it."""
    from rich.console import Group  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    head = Text(sheet.title, style="bold")
    head.append(f"  {sheet.facts}" if sheet.facts else "", style="not bold")
    return Group(
        head, *(piece for part in sheet.parts for piece in (*_gap(part), _rich_part(part)))
    )


def plain_sheet(sheet: Sheet, width: int = 80) -> str:
    """The sheet as text without colours."""
    from io import StringIO  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415

    text = StringIO()
    # In Jupyter a console would show what it prints, wherever it is told to print it.
    console = Console(
        file=text, width=width, color_system=None, force_terminal=False, force_jupyter=False
    )
    console.print(rich_sheet(sheet))
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines())


def _gap(part: Code | Table | Prose) -> tuple[str, ...]:
    """An empty line before what takes several."""
    return () if isinstance(part, Prose) else ("",)


def _rich_part(part: Code | Table | Prose) -> RenderableType:
    from rich.text import Text  # noqa: PLC0415

    if isinstance(part, Code):
        text = Text()
        for piece, kind in _pieces(part.text):
            text.append(piece, style=_STYLES.get(kind or ""))
        return text
    if isinstance(part, Prose):
        return Text(part.text, style=_STYLES.get(part.mark or "", ""))
    return _rich_table(part)


def _rich_table(table: Table) -> RenderableType:
    from rich import box  # noqa: PLC0415
    from rich.console import Group  # noqa: PLC0415
    from rich.table import Table as RichTable  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    drawn = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    for place, name in enumerate(table.head):
        drawn.add_column(
            Text(name), justify="right" if place in table.numbers else "left", overflow="fold"
        )
    for row in table.rows:
        drawn.add_row(*map(_rich_cell, row))
    return Group(Text(table.title, style="bold"), drawn) if table.title else drawn


def _rich_cell(cell: Cell | str) -> Text:
    from rich.text import Text  # noqa: PLC0415

    if isinstance(cell, str):
        return Text(cell)
    return Text(cell.text, style=_STYLES.get(cell.mark or "", ""))


# -- in Jupyter ------------------------------------------------------------------------------------


def html_sheet(sheet: Sheet) -> str:
    """The sheet as HTML, with its own style; every text in it is escaped."""
    from html import escape  # noqa: PLC0415

    facts = f" {escape(sheet.facts)}" if sheet.facts else ""
    parts = "\n".join(map(_html_part, sheet.parts))
    return (
        f"<style>{_CSS.replace('LIGHT', _LIGHT).replace('DARK', _DARK)}</style>"
        '<div class="pg3-sheet">'
        f"<p><b>{escape(sheet.title)}</b>{facts}</p>\n{parts}</div>"
    )


def _html_part(part: Code | Table | Prose) -> str:
    from html import escape  # noqa: PLC0415

    if isinstance(part, Code):
        return f"<pre>{''.join(_html_span(*piece) for piece in _pieces(part.text))}</pre>"
    if isinstance(part, Prose):
        return f"<p>{_html_span(part.text, part.mark)}</p>"

    def cells(tag: str, row: Sequence[Cell | str]) -> str:
        shown = []
        for place, cell in enumerate(row):
            kind = ' class="number"' if place in part.numbers else ""
            content = escape(cell) if isinstance(cell, str) else _html_span(cell.text, cell.mark)
            shown.append(f"<{tag}{kind}>{content}</{tag}>")
        return f"<tr>{''.join(shown)}</tr>"

    title = f"<p><b>{escape(part.title)}</b></p>" if part.title else ""
    body = "".join(cells("td", row) for row in part.rows)
    return f"{title}<table><thead>{cells('th', part.head)}</thead><tbody>{body}</tbody></table>"


def _html_span(text: str, kind: str | None) -> str:
    from html import escape  # noqa: PLC0415

    return escape(text) if kind is None else f'<span class="{kind}">{escape(text)}</span>'
