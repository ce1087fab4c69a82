"""What all tests share: Hypothesis profiles and the place of the shared problems."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# "default" is the same on every run, so that a red build is red for a change; "search" looks
# further, with new examples each time.
# The fixture of every test, which judges its plans, does not mind being shared by its examples.
_TOLERATED = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
_COMMON = settings(deadline=None, suppress_health_check=_TOLERATED)
settings.register_profile("default", _COMMON, derandomize=True, max_examples=25)
settings.register_profile("thorough", _COMMON, derandomize=True, max_examples=300)
settings.register_profile("search", _COMMON, max_examples=5000)
# For builds of the kernel that are several times slower (`make sanitize`).
settings.register_profile("few", _COMMON, derandomize=True, max_examples=30)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

REPOSITORY = Path(__file__).parents[1]
SHARED_PROBLEMS = REPOSITORY.parent / "shared" / "problems"


@pytest.fixture(autouse=True)
def _every_plan_is_judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever plan a test produces, its own checks apart: see `judges`."""
    from tests.judges import watch  # not before the profiles are set

    judges = watch(monkeypatch)
    yield
    judges.finish()


@pytest.fixture(scope="session")
def shared_problems() -> Path:
    """The folder with the problems of the papers, which lies beside the repository."""
    if not SHARED_PROBLEMS.is_dir():
        pytest.skip("the shared problems are not beside the repository")
    return SHARED_PROBLEMS
