"""What the scale benchmark runs: for each domain its text, its problems and its policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.generators import FERRY_DOMAIN, ferry_problem
from benchmarks.scale import domains, problems

if TYPE_CHECKING:
    from collections.abc import Callable

POLICIES = Path(__file__).parents[2] / "examples" / "policies"


class Case(NamedTuple):
    """A domain, its problems by number of objects and seed, and a policy that solves them all."""

    domain: str
    problem: Callable[[int, int], str]
    policy: Path


# The paper's domains; ferry typed as MOOSE has it, without the quadratic relation not-eq.
CASES = {
    "ferry": Case(FERRY_DOMAIN, ferry_problem, POLICIES / "moose" / "ferry.policy"),
    "gripper": Case(domains.GRIPPER, problems.gripper_problem, POLICIES / "gripper.policy"),
    "miconic": Case(domains.MICONIC, problems.miconic_problem, POLICIES / "miconic.policy"),
    "spanner": Case(domains.SPANNER, problems.spanner_problem, POLICIES / "spanner.policy"),
    "delivery": Case(domains.DELIVERY, problems.delivery_problem, POLICIES / "delivery.policy"),
    "forest": Case(domains.FOREST, problems.forest_problem, POLICIES / "forest.policy"),
}


# With numbers, and with conditional effects.
EFFECT_CASES = {
    "fleet": Case(domains.FLEET, problems.fleet_problem, POLICIES / "fleet.policy"),
    "carriers": Case(domains.CARRIERS, problems.carriers_problem, POLICIES / "carriers.policy"),
}


def _two_rooms(objects: int, seed: int) -> str:
    return problems.gripper_problem(objects, seed, rooms=2)


def _one_building(objects: int, seed: int) -> str:
    return problems.miconic_problem(objects, seed, buildings=1, floors=objects // 2)


# MOOSE's domains and the shape of its problems, for the tests of the policies.
MOOSE_CASES = {
    "ferry": CASES["ferry"],
    "gripper": Case(domains.GRIPPER, _two_rooms, POLICIES / "moose" / "gripper.policy"),
    "miconic": Case(domains.MOOSE_MICONIC, _one_building, POLICIES / "moose" / "miconic.policy"),
    "transport": Case(
        domains.TRANSPORT, problems.transport_problem, POLICIES / "moose" / "transport.policy"
    ),
    "logistics": Case(
        domains.LOGISTICS, problems.logistics_problem, POLICIES / "moose" / "logistics.policy"
    ),
}
