"""The random numbers: known values, fair draws, seeds that differ."""

from __future__ import annotations

from collections import Counter

import pytest

from pg3.baselines.generator import Generator


def test_numbers_never_change() -> None:
    # Weights and random walks of earlier versions depend on them.
    generator = Generator(0)
    assert [generator.next() for _ in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]


@pytest.mark.parametrize("bound", [1, 2, 3, 10])
def test_below_is_fair(bound: int) -> None:
    generator = Generator(bound)
    counts = Counter(generator.below(bound) for _ in range(6000))
    assert set(counts) == set(range(bound))
    assert all(abs(count - 6000 / bound) < 250 for count in counts.values())


def test_below_drops_the_incomplete_last_round(monkeypatch: pytest.MonkeyPatch) -> None:
    # 2^64 = 1 modulo 3: the largest number would favour 0.
    drawn = iter([2**64 - 1, 5])
    generator = Generator(0)
    monkeypatch.setattr(generator, "next", lambda: next(drawn))
    assert generator.below(3) == 2


def test_seeds_differ() -> None:
    firsts = {Generator(seed).next() for seed in range(400)}
    assert len(firsts) == 400
    assert Generator(-1).next() == Generator(2**64 - 1).next()
