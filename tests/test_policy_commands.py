"""Every command that takes a policy, with random policies and with those that once broke one."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import given

from tests.name_strategies import strange_scenarios
from tests.policy_commands import check_commands

if TYPE_CHECKING:
    from tests.strategies import Scenario


@given(strange_scenarios())
def test_every_command_with_any_policy(scenario: Scenario) -> None:
    """Derived predicates, paths, `_`, constants, `either`, axioms, odd names."""
    with tempfile.TemporaryDirectory() as folder:
        check_commands(scenario, Path(folder))
