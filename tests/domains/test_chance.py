"""Random choices: fair, and the same for ever."""

from __future__ import annotations

from collections import Counter

from pg3.domains.chance import Chance


def test_the_stream_never_changes() -> None:
    chance = Chance("pg3/ferry/train/0/3")
    assert [chance.below(1000) for _ in range(5)] == [928, 438, 472, 212, 721]
    assert chance.sample(range(20), 5) == [18, 13, 10, 4, 8]


def test_every_choice_is_as_likely() -> None:
    chance = Chance("fair")
    for draw, values in (
        (lambda: chance.below(3), {0, 1, 2}),
        (lambda: chance.between(4, 6), {4, 5, 6}),
        (lambda: chance.choose("xyz"), {"x", "y", "z"}),
        (lambda: chance.choose_other("xyza", "y"), {"x", "z", "a"}),
        (lambda: chance.choose_other("xyza", "a"), {"x", "y", "z"}),
        (lambda: chance.sample("xyz", 1)[0], {"x", "y", "z"}),
        (lambda: "".join(chance.sample("xyz", 3))[2], {"x", "y", "z"}),
    ):
        counts = Counter(draw() for _ in range(3000))
        assert set(counts) == values
        assert min(counts.values()) > 850


def test_a_sample_has_no_copies() -> None:
    chance = Chance("apart")
    for number in range(6):
        sample = chance.sample("abcde", number)
        assert len(sample) == len(set(sample)) == number
