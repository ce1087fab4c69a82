"""The campaign itself: what it asks depends on its numbers alone, and it asks."""

from __future__ import annotations

from tests.campaign import Campaign, drawn, questions


def test_what_is_drawn_depends_on_the_name_alone() -> None:
    asked = [drawn(questions(None, extended=True), name) for name in ("a", "b", "a")]
    assert asked[0] == asked[2] != asked[1]
    assert asked[0].policy.definitions


def test_a_few_problems() -> None:
    campaign = Campaign(seed=0, every=0)
    for number in range(3):
        campaign.run(number)
    assert campaign.counts["problems"] == 4, "three of random domains, one of errands"
    assert campaign.counts["policies with derived predicates"] == 1
    assert campaign.counts["states"] >= 4
