"""What all tests share: Hypothesis profiles, and judges for every plan."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

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
if settings().derandomize:
    # Hypothesis also tries the constants of our modules, of those loaded so far: which these are
    # depends on the tests that the same process has run before.
    setattr(providers, "is_local_module_file", lambda _: False)  # noqa: B010, for mypy

# A shell starts what runs in the background so that it ignores Ctrl-C; others may ignore SIGTERM.
# The processes that tests start would do so, too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

REPOSITORY = Path(__file__).parents[1]


@pytest.fixture(autouse=True)
def _every_plan_is_judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Whatever plan a test produces, its own checks apart: see `judges`."""
    from tests.support.judges import watch  # not before the profiles are set

    judges = watch(monkeypatch)
    yield
    judges.finish()


def pytest_collection_finish() -> None:
    """Leave what was imported out of the garbage that is looked for: a sixth of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


# Of the processes that the tests are divided among.
_JUDGED: Counter[str] = Counter()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand over how many plans were judged in this process, or keep it."""
    if "tests.support.judges" in sys.modules:
        counts = dict(sys.modules["tests.support.judges"].judged)
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["judged"] = counts
        else:
            _JUDGED.update(counts)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take what another process hands over; one that has died hands over nothing."""
    _JUDGED.update(getattr(node, "workeroutput", {}).get("judged", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many plans each judge has accepted, and how many were left."""
    if _JUDGED:
        counts = "; ".join(f"{number:,} {what}" for what, number in sorted(_JUDGED.items()))
        terminalreporter.write_line(f"plans: {counts}")
