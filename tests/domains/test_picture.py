"""The picture in the documentation shows the problem that it says it shows."""

from __future__ import annotations

from xml.etree import ElementTree

from benchmarks.forest_picture import NUMBER, SEED, SPLIT, picture

from pg3.domains import DOMAINS
from tests.conftest import REPOSITORY


def test_the_picture_of_a_forest_is_up_to_date() -> None:
    problem = DOMAINS["forest"].problems(SPLIT, seed=SEED, count=NUMBER)[-1]
    svg = picture(problem)
    saved = REPOSITORY / "docs" / "images" / "forest.svg"
    assert saved.read_text(encoding="utf-8") == svg, "run python -m benchmarks.forest_picture"
    drawn = [element.get("class") for element in ElementTree.fromstring(svg).iter()]
    legend = 1
    for style, predicate in (("water", "iswater"), ("rock", "ishill")):
        expected = sum(atom.predicate == predicate for atom in problem.init)
        assert drawn.count(style) == expected + legend
    assert f"--split {SPLIT} --seed {SEED} -n {NUMBER}" in (
        REPOSITORY / "docs" / "reference" / "domains.md"
    ).read_text(encoding="utf-8")
