"""How a domain is drawn: told by its predicates, so that variants of a domain are drawn, too.

Three domains have pictures of their own, which show more than the general one does. In any other,
things are drawn inside the places where they are (`viewer.places`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pg3.pddl.model import Domain, Problem

GRAPH = "graph"
PLACES = "places"

# The predicates with their arities that a scene needs, in the order in which scenes are tried.
SIGNATURES: dict[str, dict[str, int]] = {
    "forest": {"at": 1, "adjacent": 2, "iswater": 1, "ishill": 1, "ontrail": 2},
    "delivery": {"at": 1, "ishomebase": 1, "satisfied": 1, "unpacked": 1, "carrying": 1},
    "miconic": {"lift-at": 1, "origin": 2, "destin": 2, "above": 2, "boarded": 1, "served": 1},
}


def scene_of(problem: Problem) -> str:
    """The name of the scene that can show this problem; "graph" shows any.

    "places" does where `places_of` finds some.
    """
    for name, wanted in SIGNATURES.items():
        if _has(problem.domain, wanted) and (name != "forest" or grid_of(problem)):
            return name
    return GRAPH


def _has(domain: Domain, wanted: dict[str, int]) -> bool:
    arities = {predicate.name: predicate.arity for predicate in domain.declared}
    return all(arities.get(name) == arity for name, arity in wanted.items())


def grid_of(problem: Problem) -> dict[str, tuple[int, int]]:
    """Row and column of each object by the two numbers in its name; empty if they are no grid."""
    places: dict[str, tuple[int, int]] = {}
    for name in problem.object_names:
        numbers = re.findall(r"[0-9]+", name)
        if len(numbers) != 2 or len(numbers[0]) > 4 or len(numbers[1]) > 4:
            return {}
        places[name] = int(numbers[0]), int(numbers[1])
    return places if len(set(places.values())) == len(places) else {}
