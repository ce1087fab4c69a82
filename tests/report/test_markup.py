"""Markup in which nothing is left unescaped."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from pg3.report.markup import Markup, escape, join, tag


def test_elements() -> None:
    assert tag("td", "a", None, tag("b", "c"), class_="x", colspan=2, hidden=True, id=None) == (
        '<td class="x" colspan="2" hidden>a<b>c</b></td>'
    )
    assert tag("meta", name="a", data_low=-1) == '<meta name="a" data-low="-1">'
    assert join(["<", tag("br"), None], " & ") == "&lt; &amp; <br>"


def test_text_and_attributes_are_escaped_once() -> None:
    assert tag("p", "<b>&", title="\"'<") == ('<p title="&quot;&#x27;&lt;">&lt;b&gt;&amp;</p>')
    assert escape(escape("&")) == "&amp;"
    # What was put together by hand is text, and shows as such.
    assert tag("p", f"{tag('b', 'x')}") == "<p>&lt;b&gt;x&lt;/b&gt;</p>"
    assert isinstance(tag("p"), Markup)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.title: str | None = None
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.title = dict(attrs).get("title")

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_a_parser_gets_back_the_text(text: str) -> None:
    reader = _Reader()
    reader.feed(tag("p", text, title=text))
    reader.close()
    assert (reader.tags, reader.title, reader.text) == (["p"], text, text)
