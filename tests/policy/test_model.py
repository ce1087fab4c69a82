from __future__ import annotations

import dataclasses

import pytest

from pg3.policy import DecisionList
from tests.policy.ferry import DEBARK, POLICY


def test_values_cannot_change_and_can_be_keys() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        DEBARK.name = "other"  # type: ignore[misc]
    assert {DEBARK: 1}[dataclasses.replace(DEBARK)] == 1
    assert {POLICY: 1}[DecisionList("ferry", (DEBARK,))] == 1


def test_size_counts_conditions_of_state_and_goal() -> None:
    assert DEBARK.size == 3
    assert DecisionList("twice", (DEBARK, DEBARK)).size == 6
    assert DecisionList("empty", ()).size == 0
