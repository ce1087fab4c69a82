"""pg3 in unified-planning: an engine that is selected by name, and learning from its problems.

`register`        make "pg3" a name that `OneshotPlanner` knows
`Pg3Planner`      the engine
`learn_from_up`   from unified-planning problems of one domain to a policy
`convert`         unified-planning problems as pg3 ones

unified-planning comes with the extra "up": `pip install "pg3[up]"`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import unified_planning as _  # noqa: F401
except ModuleNotFoundError as missing:
    if missing.name != "unified_planning":
        raise
    raise ImportError(
        "pg3.integrations.up needs unified-planning, which is not installed: pip install 'pg3[up]'",
        name=missing.name,
    ) from None

from unified_planning.environment import get_environment

from pg3.integrations.up.conversion import Conversion, UnsupportedProblemError, convert
from pg3.integrations.up.engine import Pg3Planner
from pg3.learning.learner import learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unified_planning.environment import Environment

    from pg3.learning.result import LearningResult

__all__ = [
    "ENGINE_NAME",
    "Conversion",
    "Pg3Planner",
    "UnsupportedProblemError",
    "convert",
    "learn_from_up",
    "register",
]

ENGINE_NAME = "pg3"


def register(environment: Environment | None = None) -> None:
    """Let `OneshotPlanner(name="pg3")` find the engine in an environment, by default the global.

    unified-planning has no way for an installed package to announce its engines, so this is to be
    called once (or more often: nothing changes then). A file `up.ini` does the same without code:
    see docs/how-to/unified-planning.md. The engine stands last in the environment's preferences.
    """
    factory = get_environment(environment).factory
    if ENGINE_NAME not in factory.engines:
        factory.add_engine(ENGINE_NAME, Pg3Planner.__module__, Pg3Planner.__name__)


def learn_from_up(
    problems: Sequence[Any], *, name: str = "domain", **options: Any
) -> LearningResult:
    """Learn a policy from unified-planning problems of one domain; `result.policy` is what counts.

    The options are those of `pg3.learn`; `name` is that of the domain and of the policy. Problems
    must have the same fluents and actions, as if one function had made them all (else Pg3Error),
    and be in pg3's fragment (else UnsupportedProblemError). Costs play no part in learning.
    """
    conversion = convert(problems, name=name)
    return learn(conversion.domain, conversion.problems, **options)
