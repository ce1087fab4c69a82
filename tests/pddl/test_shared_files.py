"""Every domain and problem of the papers is read, and written back to the same values."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import pytest

from pg3.errors import InputWarning
from pg3.pddl import (
    parse_domain,
    parse_problem,
    read_domain,
    read_problem,
    write_domain,
    write_problem,
)

if TYPE_CHECKING:
    from pathlib import Path

FOLDERS = [
    *("paper/" + name for name in ("delivery", "ferry", "forest", "gripper", "miconic", "spanner")),
    *("moose/" + name for name in ("barman", "ferry", "gripper", "logistics")),
    *("moose/" + name for name in ("miconic", "rovers", "satellite", "transport")),
]


@pytest.mark.parametrize("name", FOLDERS)
def test_reads_and_writes(name: str, shared_problems: Path) -> None:
    folder = shared_problems / name
    domain = read_domain(folder / "domain.pddl")
    assert parse_domain(write_domain(domain)) == domain
    paths = sorted(path for path in folder.rglob("*.pddl") if path.name != "domain.pddl")
    assert paths
    for path in paths:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", InputWarning)
            problem = read_problem(path, domain)
        # The authors' Miconic files lack their last parenthesis; nothing else is dubious.
        assert len(caught) == (name == "paper/miconic")
        assert all("missing ')' at the end" in str(one.message) for one in caught)
        assert parse_problem(write_problem(problem), domain) == problem
