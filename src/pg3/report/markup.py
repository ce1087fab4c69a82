"""HTML and SVG put together such that nothing gets in unescaped.

Text is escaped when it becomes part of an element; only what `tag` and its like return is taken as
markup. So a forgotten call shows as text on the page and never does harm.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_VOID = frozenset({"br", "col", "meta"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Content = str | Markup | None


def escape(text: str) -> Markup:
    """The text as markup that shows it."""
    return text if isinstance(text, Markup) else Markup(html.escape(text))


def join(parts: Iterable[Content], separator: str = "") -> Markup:
    """Several pieces one after the other; None is left out."""
    return Markup(escape(separator).join(escape(part) for part in parts if part is not None))


def tag(name: str, /, *content: Content, **attributes: str | float | bool | None) -> Markup:
    """An element. None stands for no content and for no attribute, True for a bare attribute.

    In attribute names an underscore is a hyphen, and one at the end is dropped: `class_`.
    """
    pieces = [f"<{name}"]
    for key, value in attributes.items():
        if value is None or value is False:
            continue
        attribute = key.rstrip("_").replace("_", "-")
        pieces.append(f" {attribute}")
        if value is not True:
            # `html.escape` takes care of quotes, too.
            pieces.append(f'="{html.escape(str(value))}"')
    pieces.append(">")
    if name not in _VOID:
        pieces += [join(content), f"</{name}>"]
    return Markup("".join(pieces))
