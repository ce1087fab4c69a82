"""What we say of the paper is what its source says, where that is at hand."""

from __future__ import annotations

import re
from itertools import product

import pytest
import yaml
from benchmarks.foreign import PAPER_SOURCE

from pg3.report.paper import DOMAINS, METHODS, PAPER
from tests.conftest import REPOSITORY

if not PAPER_SOURCE.is_file():
    pytest.skip(
        "the paper's source does not come with pg3 (PG3_FOREIGN names its folder)",
        allow_module_level=True,
    )


def test_the_numbers_of_its_tables() -> None:
    text = PAPER_SOURCE.read_text(encoding="utf-8")
    means, deviations = (
        {
            row[0].strip().lower(): [_figure(cell) for cell in row[1:]]
            for line in table.split("\n")
            if len(row := line.split("&")) == 15 and "." in row[1]
        }
        for table in re.findall(r"\\begin{table\*}(.*?)\\end{table\*}", text, re.DOTALL)
    )
    for domain, (i, method) in product(DOMAINS, enumerate(METHODS)):
        cell = PAPER[domain, method]
        assert [cell.success, cell.time] == means[domain][2 * i : 2 * i + 2]
        assert [cell.success_deviation, cell.time_deviation] == deviations[domain][
            2 * i : 2 * i + 2
        ]


def _figure(cell: str) -> float | None:
    match = re.search(r"\d+\.\d+", cell)
    return None if match is None else float(match.group())


def test_its_title_and_authors() -> None:
    citation = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf-8"))
    text = PAPER_SOURCE.read_text("utf-8").replace(r"\'{a}", "á").replace(r"\'{e}", "é")
    block = text[text.index(r"\title{") : text.index(r"\affiliations")]
    paper = citation["preferred-citation"]
    assert re.sub(r"\\Ours\{\}", "PG3", block).startswith(f"\\title{{{paper['title']}}}")
    places = [
        block.index(f"{author['given-names']} {author['family-names']}")
        for author in paper["authors"]
    ]
    assert places == sorted(places)
