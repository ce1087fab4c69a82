"""The kernel against its slow twins on random problems: every entry point, in every language."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.twins import ENTRY_POINTS, LANGUAGES

# The twins are slow, and there are many pairs of an entry point and a language: in the plain run
# each gets half the examples.
IS_PLAIN = settings.get_current_profile_name() == "default"
EXAMPLES = settings(max_examples=settings().max_examples // (2 if IS_PLAIN else 1))


@pytest.mark.parametrize(
    ("name", "language"),
    [(name, language) for name, entry in ENTRY_POINTS.items() for language in entry.languages],
)
@EXAMPLES
@given(data=st.data())
def test_the_kernel_says_what_its_twin_says(name: str, language: str, data: st.DataObject) -> None:
    ENTRY_POINTS[name].check(data, data.draw(LANGUAGES[language]))
