"""The campaign itself: what it asks depends on its numbers alone, and it asks."""

from __future__ import annotations

from tests.support.campaign import RANDOM, WITH_AXIOMS, Campaign, drawn, questions


def test_what_is_drawn_depends_on_the_name_alone() -> None:
    asked = [drawn(questions(RANDOM, extended=True), name) for name in ("a", "b", "a")]
    assert asked[0] == asked[2] != asked[1]
    assert asked[0].policy.definitions


def test_a_few_problems() -> None:
    campaign = Campaign(seed=0, every=0, axioms=2)
    for number in range(3):
        campaign.run(number)
    counts = campaign.counts
    assert counts["problems"] == 6, "three of random domains, one of errands, two with axioms"
    assert (counts["problems of errands"], counts[f"problems{WITH_AXIOMS}"]) == (1, 2)
    assert counts["policies with derived predicates"] == 2
    assert counts["states"] >= 6
