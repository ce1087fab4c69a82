"""One call of the kernel's lazy search, which looks for some plan: what it is told and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.planning.astar import Found

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pg3 import _native


@dataclass(frozen=True, slots=True, kw_only=True)
class SatisficingOptions:
    """What a search is told; None is no limit.

    `policy` are the numbers of rules whose action in each state is preferred, as those of a relaxed
    plan are. `goal` are fluents of the kernel to be made true instead of the problem's goal, if
    any; `start` is a state, by default the initial one.

    With the `weight` 0 the search is greedy; from 1 on it is weighted A*, and plans get better. A
    plan must cost less than `bound`: the number of its actions, or with `use_costs` what the domain
    says. The limits are those of `SearchOptions`. Of them `expansions` and `generated` give the
    same result on every machine.
    """

    policy: Sequence[int] = ()
    goal: Sequence[int] = ()
    start: int | None = None
    use_costs: bool = False
    weight: int = 0
    bound: int | None = None
    expansions: int | None = None
    generated: int | None = None
    seconds: float | None = None
    megabytes: float | None = None
    process_megabytes: float | None = None


def satisficing(space: _native.StateSpace, options: SatisficingOptions) -> Found:
    """Search for some plan in a ground problem: lazily, with h_FF and its preferred actions.

    "unsolvable" means that no plan costs less than the bound.
    """
    return Found(
        *space.search_lazily(
            options.policy,
            options.goal,
            options.use_costs,
            options.weight,
            options.bound,
            options.expansions,
            options.generated,
            options.seconds,
            options.megabytes,
            options.process_megabytes,
            options.start,
        )
    )
