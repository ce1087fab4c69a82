"""The page: complete, self-contained, the same each time, and safe whatever the results say."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from pg3.experiments.results import Options, ResultLine, Status
from pg3.report.formats import render_html
from pg3.report.page import headlines
from pg3.report.tables import compute
from tests.report.fabrication import (
    PAPER_OPTIONS,
    ROBUST_OPTIONS,
    chance,
    failure,
    full,
    network,
    result,
)

VOID = {"meta", "br"}


class Page(HTMLParser):
    """The page as a browser without script and style sees it; fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.cells: list[list[list[str]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "table":
            self.cells.append([])
        elif tag == "tr":
            self.cells[-1].append([])
        elif tag in ("td", "th"):
            self.cells[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "script" in self.open or "style" in self.open:
            return
        self.text += data
        if "td" in self.open or "th" in self.open:
            self.cells[-1][-1][-1] += data

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(lines: list[ResultLine]) -> Page:
    return Page(render_html(compute(lines)))


@pytest.fixture(scope="module")
def whole() -> str:
    return render_html(compute(full()))


# -- what is on it ---------------------------------------------------------------------------------


def test_the_parts_in_their_order(whole: str) -> None:
    read = Page(whole)
    ids = [attributes["id"] for attributes in read.named("h2")]
    assert ids == ["means", "deviations", "time", "candidates", "policies", "options"]
    assert [a["href"] for a in read.named("a")] == [f"#{name}" for name in ids]
    assert "2026-11-16 · pg3 0.1.0 · Python 3.11.7 · PyTorch 2.13.0 · Linux x86_64" in read.text
    assert "No failures: all 486 runs came to the end." in read.text


def test_table_1_has_our_figures_the_papers_and_the_differences() -> None:
    lines = [
        result("delivery", "pg3", 0, bests=((0.5, 1.0),)),
        result("delivery", "pg3", 1, bests=((1.0, 1.0),)),
        result("delivery", "combo", 0, solved=30, bests=((0.1, 1.0),)),
        result("delivery", "combo", 1, solved=0, bests=((0.1, 0.0),)),
        result("delivery", "robust", 0, options=ROBUST_OPTIONS),
    ]
    table = page(lines).cells[0]
    assert table[0] == ["", "PG3", "Combo", "Robustn = 1not in the paper"]
    assert table[1] == ["Eval", "Time"] * 3
    assert table[2] == ["Delivery", "1.00", "0.75", "0.50", "0.101 of 2", "1.00", "0.050"]
    assert table[3] == ["paper", "1.00", "1.5", "0.20", "2132.4", "", ""]
    assert table[4] == [
        "difference",
        "= as in the paper",
        "▲ 2.0× faster than in the paper",
        "▲ +0.30 better than in the paper",
        "▲ 21,000× faster than in the paper",
        "",
        "",
    ]


def test_table_2_has_the_deviations() -> None:
    lines = [
        result("delivery", "pg3", 0, bests=((0.5, 1.0),)),
        result("delivery", "pg3", 1, solved=0, bests=((1.0, 0.0),)),
    ]
    table = page(lines).cells[1]
    assert table[2:] == [
        ["Delivery", "0.71", "–"],
        ["paper", "0.00", "0.8"],
        ["difference", "↑ +0.71 more spread than in the paper", "–"],
    ]


def test_failures_come_first_with_reason_domain_method_and_seed() -> None:
    lines = [result("ferry", "combo", 5), failure("ferry", "combo", 0), failure(seed=3)]
    lines.append(failure("forest", "pg3", 2, status=Status.TIME_LIMIT, reason="after 60 s"))
    read = page(lines)
    assert read.named("h2")[0]["id"] == "failures"
    assert "3 of 4 runs did not come to the end; each counts as 0." in read.text
    assert "2 runs, crashed: MemoryError: cannot allocate" in read.text
    assert "Ferry: Combo (seeds 0, 3)" in read.text
    assert "1 run, time limit: after 60 s" in read.text
    assert "Forest: PG3 (seed 2)" in read.text
    assert read.text.index("Failures") < read.text.index("Table 1:")


def test_gaps_are_told() -> None:
    lines = [result("ferry", "pg3", seed) for seed in range(10)]
    lines += [result("forest", "pg3", seed) for seed in range(7)]
    lines += [result("forest", "combo", seed) for seed in range(10)]
    read = page(lines)
    assert "Not complete: Forest, PG3: 7 of 10 seeds; Ferry, Combo: not run." in read.text
    assert "1.007 of 10 seeds" in read.cells[0][2][1]
    assert "not run" in read.cells[0][5]


def test_many_gaps_are_folded() -> None:
    lines = [result(domain, method) for domain, method in zip("abcdef", "ghijkl", strict=True)]
    read = page(lines)
    assert "Not complete: 30 of 36 cells lack seeds" in read.text


def test_a_domain_that_the_paper_does_not_have() -> None:
    table = page([result("zoo", "pg3")]).cells[0]
    assert [row[0] for row in table] == ["", "Eval", "zoo"]


def test_results_without_any_search() -> None:
    read = page([chance("ferry", 0), network("ferry", 0, 10)])
    assert [a["href"] for a in read.named("a")] == ["#means", "#time", "#options"]


def test_the_headlines() -> None:
    lines = [result("ferry"), result("delivery", solved=15, bests=((1.0, 0.5),))]
    lines.append(result("ferry", "robust", options=ROBUST_OPTIONS))
    assert headlines(compute(lines)) == [
        "PG3: 1.00 in 1 of 2 domains",
        "Robust: 1.00 in 1 of 1 domain",
        "Eval next to the paper’s: 1 equal, 0 higher, 1 lower",
    ]


def test_a_network_that_was_trained_for_less_is_told_and_not_counted() -> None:
    short, long = network("ferry", 0, 1_000), network("ferry", 0, 100_000)
    assert headlines(compute([short])) == []
    assert headlines(compute([short, long])) == [
        "Eval next to the paper’s: 0 equal, 1 higher, 0 lower"
    ]
    note = "The paper’s GNN BC is trained for 100,000 epochs."
    assert note in page([short, long]).text
    assert note not in page([long]).text


def test_policies_are_shown_once() -> None:
    text = render_html(compute([result(seed=seed) for seed in range(10)]))
    assert text.count("<em>debark</em> <var>?c</var> <var>?l</var>") == 1
    assert "seeds 0–9 · 1 rule · success 1.00" in text


def test_options_by_domain() -> None:
    operators = ("add-rule", "induce-rule", "delete-rule")
    usual = replace(PAPER_OPTIONS, operators=operators, time_limit=60.0)
    less = replace(usual, operators=("add-rule", "delete-rule"))
    lines = [result("ferry", options=usual), result("spanner", options=usual)]
    lines.append(result("forest", options=less, horizon=100))
    tables = page(lines).cells
    assert tables[-3][1] == [
        "PG3",
        "paper",
        "2,500",
        "–",
        "–",
        "60 s",
        "add-rule, induce-rule, delete-rule; in Forest without induce-rule",
        "0",
    ]
    assert tables[-2][1:3] == [["Forest", "10", "30", "100"], ["Ferry", "10", "30", "1,000"]]
    assert tables[-1][1] == ["0.1.0", "3.11.7", "–", "Linux x86_64", "3"]


def test_options_of_a_search_as_printed() -> None:
    options = Options("paper", max_expansions=2500, as_printed=True, accumulate="mean")
    table = page([result(options=options)]).cells[-3]
    assert table[1][:4] == ["PG3", "paper, as printed, mean score", "–", "2,500"]


# -- how it is made --------------------------------------------------------------------------------


def test_it_needs_nothing_from_elsewhere(whole: str) -> None:
    read = Page(whole)
    for _, attributes in read.tags:
        assert not {"src", "srcset", "action", "onclick", "onload"} & set(attributes)
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"https?:|url\(|@import|import\(|fetch\(", whole)
    assert not read.named("link")


def test_tables_are_tables_for_those_who_listen(whole: str) -> None:
    read = Page(whole)
    assert len(read.named("caption")) == len(read.named("table")) == 6
    for attributes in read.named("th"):
        assert attributes["scope"] in ("row", "col", "colgroup")
    assert read.named("html") == [{"lang": "en"}]
    levels = [int(tag[1]) for tag, _ in read.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    ids = [attributes["id"] for _, attributes in read.tags if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_every_line_of_a_table_is_as_wide_as_its_head() -> None:
    text = render_html(compute(full(seeds=1)))
    for table in re.findall(r'<table class="figures".*?</table>', text, re.DOTALL):
        widths = set()
        for row in re.findall(r"<tr.*?</tr>", table, re.DOTALL)[2:]:
            cells = re.findall(r"<t[dh][^>]*>", row)
            spans = (re.search(r'colspan="(\d+)"', cell) for cell in cells)
            widths.add(sum(int(span.group(1)) if span else 1 for span in spans))
        assert widths == {1 + 2 * 9}


def test_equal_results_equal_bytes(whole: str) -> None:
    lines = full()
    random.Random(2).shuffle(lines)
    assert render_html(compute(lines)) == whole


def test_it_is_small(whole: str) -> None:
    assert len(whole) < 600_000


# -- what the results say is only ever text --------------------------------------------------------

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "]]><b>",
    "<!--",
    "&lt;script&gt;",
    "javascript:alert(1)",
    "a\0b\u202ec\ud800d\u2028e\x1b[31m",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts(text: str) -> None:
    lines = [
        result(text, text, 0, policy=text, stopped=text),
        result(text, "pg3", 1, policy=f"(define (policy {text}) (:rule {text} :action ({text}))"),
        failure("ferry", text, 2, reason=text),
    ]
    calm = [
        result("zoo", "other", 0, policy="x", stopped="x"),
        result("zoo", "pg3", 1, policy="(define (policy x) (:rule x :action (x))"),
        failure("ferry", "other", 2, reason="x"),
    ]
    rendered = render_html(compute(lines))
    rendered.encode()
    assert not re.search("[\0\x1b\u202e\u2028]", rendered)
    # The same elements with the same names of attributes as for texts that mean no harm.
    skeleton, expected = (
        [
            (tag, sorted(attributes))
            for tag, attributes in Page(page).tags
            if tag not in ("b", "em", "i", "var", "small")
        ]
        for page in (rendered, render_html(compute(calm)))
    )
    assert skeleton == expected
    if text.isprintable():
        assert text in Page(rendered).text
