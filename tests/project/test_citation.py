"""How to cite: the paper and this software, as CITATION.cff has it; and the wheels' settings."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
import yaml

from tests.conftest import REPOSITORY

PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def citation() -> dict[str, Any]:
    values: dict[str, Any] = yaml.safe_load((REPOSITORY / "CITATION.cff").read_text("utf-8"))
    return values


def test_the_software(citation: dict[str, Any]) -> None:
    # What version 1.2.0 of the format requires.
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    project = PROJECT["project"]
    assert (citation["cff-version"], citation["type"]) == ("1.2.0", "software")
    assert citation["title"].startswith("pg3")
    assert (citation["version"], citation["license"]) == (project["version"], project["license"])
    assert citation["authors"] == project["authors"]


def test_the_paper(citation: dict[str, Any]) -> None:
    paper = citation["preferred-citation"]
    assert paper["type"] == "conference-paper"
    assert paper["title"] == "PG3: Policy-Guided Planning for Generalized Policy Generation"
    assert paper["year"] == 2022
    assert "IJCAI" in paper["collection-title"]
    names = [author["family-names"] for author in paper["authors"]]
    assert names == ["Yang", "Silver", "Curtis", "Lozano-Pérez", "Kaelbling"]


def test_wheels_are_built_for_the_pythons_that_are_promised() -> None:
    versions = {
        match[1]
        for line in PROJECT["project"]["classifiers"]
        if (match := re.search(r":: 3\.(\d+)$", line))
    }
    settings = PROJECT["tool"]["cibuildwheel"]
    assert set(settings["build"].split()) == {f"cp3{version}-*" for version in versions}
    assert {"linux", "macos", "windows"} <= set(settings)
