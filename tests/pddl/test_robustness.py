"""Whatever the text, reading it gives a value or an `InputError`, never another exception."""

from __future__ import annotations

import warnings
from contextlib import suppress
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pg3.errors import InputError, InputWarning
from pg3.pddl import parse_domain, parse_problem, read_domain

BROKEN = Path(__file__).parent / "broken"
DOMAIN = read_domain(BROKEN / "domain.pddl")
TEXTS = [path.read_bytes() for path in sorted(BROKEN.glob("*.pddl"))]


def read_both(text: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        with suppress(InputError):
            parse_domain(text)
        with suppress(InputError):
            parse_problem(text, DOMAIN)


@given(st.binary(max_size=60))
def test_any_bytes(text: bytes) -> None:
    read_both(text)


@given(st.data())
def test_any_exchange_of_pieces(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        begin = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(begin, min(len(text), begin + 12)))
        other = data.draw(st.sampled_from(TEXTS))
        start = data.draw(st.integers(0, len(other)))
        text = text[:begin] + other[start : start + data.draw(st.integers(0, 12))] + text[end:]
    read_both(text)


def test_any_cut() -> None:
    for text in TEXTS:
        for end in range(len(text)):
            read_both(text[:end])
