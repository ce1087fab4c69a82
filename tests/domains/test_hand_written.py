"""The hand-written policies for the further domains solve their test problems."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from benchmarks.generality.cases import by_hand

import pg3
from pg3.challenge.cases import permute
from pg3.domains import DOMAINS, PAPER_DOMAINS
from pg3.domains.chance import Chance

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", [name for name in DOMAINS if name not in PAPER_DOMAINS])
def test_a_hand_written_policy_masters_the_test_split(name: str, tmp_path: Path) -> None:
    domain = DOMAINS[name]
    (tmp_path / "domain.pddl").write_text(domain.text)
    path = by_hand(name, tmp_path / "domain.pddl")
    assert path is not None
    policy = pg3.read_policy(path, domain.domain)
    for problem in (
        *domain.problems("train", seed=5, count=3),
        *domain.problems("test", seed=5, count=3),
    ):
        for one in (problem, permute(problem, Chance(name))):
            execution = pg3.execute(one, policy, max_steps=domain.horizon)
            assert execution.solved, f"{problem.name}: {execution.reason}"
            assert execution.check().valid
