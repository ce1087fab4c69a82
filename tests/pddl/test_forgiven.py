"""Each file in `forgiven/` is read with exactly the warning in the .expected file beside it.

After a change of messages, `python -m tests.pddl.test_forgiven` writes the .expected files anew.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from pg3.errors import InputWarning
from pg3.pddl import parse_domain, read_domain, read_problem, write_domain

FORGIVEN = Path(__file__).parent / "forgiven"
# The domain of the problems.
DOMAIN = Path(__file__).parent / "broken" / "domain.pddl"
FILES = sorted(FORGIVEN.glob("*.pddl"))


def warnings_of(path: Path) -> str:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        if path.name.startswith("problem"):
            read_problem(path, read_domain(DOMAIN))
        else:
            domain = read_domain(path)
            written = parse_domain(write_domain(domain).replace(":strips)", ":strips :typing)"))
            assert written.actions == domain.actions
    return "".join(f"{one.message}\n".replace(f"{FORGIVEN}/", "") for one in caught)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_warning(path: Path) -> None:
    assert warnings_of(path) == path.with_suffix(".expected").read_text(encoding="utf-8")


def test_a_warning_tells_how_many_there_are() -> None:
    text = "(define (domain x) (:predicates (p ?x ?x) (q ?x ?x)))"
    with pytest.warns(InputWarning) as caught:
        parse_domain(text)
    assert len(caught) == 1
    assert "(and 1 more of these); write: (p ?x ?x-2)" in str(caught[0].message)


def test_places_are_those_of_the_file() -> None:
    """Not of the text with the spaces, of which there are two before the fault."""
    text = (
        "(define (domain x) (:predicates (p?x) (q?x)) (:action a :parameters (?x) :effect (r?x)))"
    )
    with pytest.raises(Exception, match="predicate 'r' is not declared") as caught:
        parse_domain(text)
    assert text[caught.value.span.begin :].startswith("r?x")  # type: ignore[attr-defined]


if __name__ == "__main__":
    for one in FILES:
        one.with_suffix(".expected").write_text(warnings_of(one), encoding="utf-8")
