"""One call of the kernel's A*: what it is told, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3 import _native

Heuristic = Literal["add", "max", "blind"]

# The weights of h and of each open goal where a search is to find a short plan, and where any plan
# will do: then goals come first, as with each that is achieved there is less to do. Weights of a
# goal from 10 to 100 do about the same.
SHORT, GOALS_FIRST = (1, 0), (1, 30)


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchOptions:
    """What a search is told; None is no limit.

    `policy` are the numbers of the rules that guide it, each rollout `rollout_steps` long at most.
    `generated` limits the states that it meets, `megabytes` what the kernel keeps for this search,
    `process_megabytes` the memory of the whole process. `start` is a state, by default the initial
    one.
    """

    policy: Sequence[int] = ()
    rollout_steps: int = 0
    heuristic: Heuristic = "add"
    use_costs: bool = False
    expansions: int | None = None
    seconds: float | None = None
    megabytes: float | None = None
    process_megabytes: float | None = None
    start: int | None = None
    weights: tuple[int, int] = SHORT
    generated: int | None = None


class Found(NamedTuple):
    """How a search ended (a `PlanStatus`), and what it found and did.

    `steps` are the plan's actions by number, each with whether a policy proposed it.
    """

    status: str
    steps: list[tuple[int, bool]]
    cost: int
    expansions: int
    generated: int


def astar(space: _native.StateSpace, options: SearchOptions) -> Found:
    """Search for a plan in a ground problem."""
    return Found(
        *space.search(
            options.policy,
            options.rollout_steps,
            options.heuristic,
            options.use_costs,
            options.expansions,
            options.seconds,
            options.megabytes,
            options.process_megabytes,
            options.start,
            options.weights,
            options.generated,
        )
    )
