"""The tables as Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import random
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import UndefinedError

from pg3.report import FORMATS
from pg3.report.formats import (
    environment,
    escape_markdown,
    render_csv,
    render_latex,
    render_markdown,
)
from pg3.report.tables import compute
from tests.report.fabrication import ROBUST_OPTIONS, chance, failure, full, network, result

SOME = [
    result("delivery", "pg3", 0, bests=((0.5, 1.0),)),
    result("delivery", "pg3", 1, bests=((1.0, 1.0),)),
    result("delivery", "combo", 0, solved=30, bests=((0.1, 1.0),)),
    result("delivery", "combo", 1, solved=0, bests=((0.1, 0.0),)),
    network("delivery", 0, 1_000),
    result("delivery", "robust", 0, options=ROBUST_OPTIONS),
    result("zoo", "pg3", 0),
]
HOSTILE = '=cmd|" /C calc"!A0, \\input{x} & % $x$ #1 _a_ ^ ~ {} <b> | `c` [l](u) é\n\u202e'


@pytest.mark.parametrize("name", FORMATS)
def test_equal_results_equal_texts(name: str) -> None:
    lines = full(seeds=2)
    shuffled = list(lines)
    random.Random(3).shuffle(shuffled)
    render = FORMATS[name][1]
    assert render(compute(lines)) == render(compute(shuffled))


# -- Markdown --------------------------------------------------------------------------------------


def test_markdown() -> None:
    text = render_markdown(compute(SOME))
    assert "2026-11-16, pg3 0.1.0, 7 runs, 2 seeds." in text
    assert "|  | PG3 | Combo | GNN BC, 1,000 epochs (n = 1) | Robust (n = 1) |" in text
    assert (
        "| **Delivery** | 1.00 · 0.75 s | 0.50 · 0.10 s (1 of 2) | 0.20 · – | 1.00 · 0.050 s |"
        in text
    )
    assert "| paper | 1.00 · 1.5 s | 0.20 · 2132.4 s | 0.40 · 39.9 s |  |" in text
    assert "| difference | = · ▲ 2.0× | ▲ +0.30 · ▲ 21,000× | ▼ −0.20 · ▼ none |  |" in text
    assert "| **zoo** | 1.00 · 0.050 s, 1 of 2 seeds | not run | not run | not run |" in text
    assert "| difference | = · ↓ 2.3× | ↑ +0.29 · – | – · – |  |" in text


def test_markdown_tells_failures_first() -> None:
    text = render_markdown(compute([failure(seed=4)]))
    assert "- Ferry, Combo, seed 4: crashed: MemoryError: cannot allocate" in text
    assert text.index("Failures") < text.index("Table 1")


def test_markdown_shows_any_text_as_it_is() -> None:
    text = render_markdown(compute([result(HOSTILE), failure(HOSTILE, HOSTILE, reason=HOSTILE)]))
    tables = [line for line in text.split("\n") if line.startswith("|")]
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in tables}) == 1
    assert not re.search(r"(?<!\\)[<`\[]", text)


# -- LaTeX -----------------------------------------------------------------------------------------


def rows_of(text: str) -> list[list[str]]:
    bodies = re.findall(r"\\toprule(.*?)\\bottomrule", text, re.DOTALL)
    lines = [line for body in bodies for line in body.split("\n") if line.endswith(r"\\")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)&", line[:-2])] for line in lines]


def test_latex() -> None:
    rows = rows_of(render_latex(compute(SOME)))
    assert rows[0] == [
        "",
        r"\multicolumn{2}{c}{PG3}",
        r"\multicolumn{2}{c}{Combo}",
        r"\multicolumn{2}{c}{GNN BC, 1,000 epochs ($n=1$)}",
        r"\multicolumn{2}{c}{Robust ($n=1$)}",
    ]
    robust = [r"\textbf{1.00}", "0.050"]
    others = [r"\textbf{1.00}", "0.75", "0.50", "0.10", "0.20", "--"]
    assert rows[2] == ["Delivery", *others, *robust]
    assert rows[3][:5] == [
        r"\quad\scriptsize paper",
        r"\scriptsize 1.00",
        r"\scriptsize 1.5",
        r"\scriptsize 0.20",
        r"\scriptsize 2132.4",
    ]
    assert rows[4] == ["zoo", r"\textbf{1.00}", "0.050", *["n/a", "--"] * 3]
    assert rows[7][:3] == ["Delivery", "0.00", "0.35"]


@pytest.mark.parametrize("hostile", [False, True])
def test_latex_is_in_balance(hostile: bool) -> None:
    lines = [*full(seeds=2), chance("forest", 7), failure(seed=9)]
    if hostile:
        lines += [result(HOSTILE), failure("ferry", HOSTILE, reason=HOSTILE)]
    text = render_latex(compute(lines))
    assert text.isascii()
    bare = re.sub(r"\\[\\{}%&$#_]", "", text)
    code = re.sub("(?m)%.*$", "", bare)
    assert code.count("{") == code.count("}")
    begins, ends = (re.findall(rf"\\{word}{{(.*?)}}", text) for word in ("begin", "end"))
    assert sorted(begins) == sorted(ends) == ["table*", "table*", "tabular", "tabular"]
    columns = len(compute(lines).columns)
    for row in rows_of(text):
        assert len(row) in (1 + columns, 1 + 2 * columns)
    # Commands of our own only.
    assert r"\input{x}" not in text
    assert "# failed" not in text
    assert text.count("\n% failed: ") == (2 if hostile else 1)


# -- CSV -------------------------------------------------------------------------------------------


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(compute(SOME)))))
    assert [(row["domain"], row["method"], row["variant"]) for row in rows] == [
        ("delivery", "pg3", ""),
        ("delivery", "combo", ""),
        ("delivery", "gnn", "1,000 epochs"),
        ("delivery", "robust", ""),
        ("zoo", "pg3", ""),
    ]
    assert rows[0] == {
        "domain": "delivery",
        "method": "pg3",
        "variant": "",
        "n": "2",
        "failed": "0",
        "eval_mean": "1",
        "eval_sd": "0",
        "time_mean": "0.75",
        "time_sd": "0.353553",
        "reached_90": "2",
        "paper_eval_mean": "1",
        "paper_eval_sd": "0",
        "paper_time_mean": "1.5",
        "paper_time_sd": "0.8",
    }
    assert rows[1]["time_sd"] == ""
    assert rows[3]["paper_eval_mean"] == ""


def test_csv_is_no_formula() -> None:
    rows = list(csv.reader(io.StringIO(render_csv(compute([result(HOSTILE)])))))
    assert len(rows) == 2
    assert rows[1][0].startswith("'=cmd|")


# -- what a template puts in is escaped ------------------------------------------------------------


class _Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.title: str | None = None
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.title = dict(attrs).get("title")

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"])))
def test_a_parser_gets_back_the_text(text: str) -> None:
    template = environment().from_string('<p title="{{ text }}">{{ text }}</p>')
    reader = _Reader(template.render(text=text))
    assert (reader.tags, reader.title, reader.text) == (["p"], text, text)


def test_text_is_escaped_once_and_what_is_missing_is_an_error() -> None:
    markdown = environment(escape_markdown).from_string("*{{ text }}* {{ '|'|safe }}")
    assert markdown.render(text="a|b") == r"*a\|b* |"
    with pytest.raises(UndefinedError):
        markdown.render()
