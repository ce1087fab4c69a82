from __future__ import annotations

from pg3.errors import pluralize


def test_count() -> None:
    assert [pluralize(n, "more goal") for n in range(3)] == [
        "0 more goals",
        "1 more goal",
        "2 more goals",
    ]
