"""Plans for problems of the further domains, one by construction for each domain.

They show what the generators promise, that every problem can be solved, also where no planner
finds a plan. Each is the obvious way to do it, without any regard to the number of steps.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

import pg3
from pg3.pddl.plans import GroundAction
from tests.conftest import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pg3.domains import BuiltInDomain
    from pg3.pddl import Problem

Plan = list[GroundAction]
Facts = dict[str, list[tuple[str, ...]]]


def facts(problem: Problem) -> Facts:
    found: Facts = defaultdict(list)
    for atom in problem.init:
        found[atom.predicate].append(atom.terms)
    return found


def mapping(pairs: list[tuple[str, ...]]) -> dict[str, str]:
    return {pair[0]: pair[1] for pair in pairs}


def do(plan: Plan, name: str, *objects: str) -> None:
    plan.append(GroundAction(name, objects))


def way(edges: Iterable[tuple[str, ...]], start: str, end: str) -> list[str]:
    """The nodes after the start on a shortest way to the end."""
    following = defaultdict(list)
    for one, other in edges:
        following[one].append(other)
    before, pending = {start: start}, deque([start])
    while pending:
        node = pending.popleft()
        for other in following[node]:
            if other not in before:
                before[other] = node
                pending.append(other)
    nodes = [end]
    while nodes[-1] != start:
        nodes.append(before[nodes[-1]])
    return nodes[-2::-1]


def blocksworld(problem: Problem) -> Plan:
    """All on the table, then up from there."""
    known, plan = facts(problem), Plan()
    below = mapping(known["on"])
    for (block,) in known["clear"]:
        top = block
        while top in below:
            do(plan, "unstack", top, below[top])
            do(plan, "putdown", top)
            top = below[top]
    wanted = {a.terms[0]: a.terms[1] for a in problem.goal if a.predicate == "on"}
    done: set[str] = set()

    def build(block: str) -> None:
        if block in wanted and block not in done:
            build(wanted[block])
            do(plan, "pickup", block)
            do(plan, "stack", block, wanted[block])
        done.add(block)

    for block in wanted:
        build(block)
    return plan


def childsnack(problem: Problem) -> Plan:
    """One child after the other, those who eat no gluten first, with one tray."""
    known, plan = facts(problem), Plan()
    tray = known["at"][0][0]
    safe = {kind: [p for (p,) in known[f"no_gluten_{kind}"]] for kind in ("bread", "content")}
    other = {
        kind: [p for (p,) in known[f"at_kitchen_{kind}"] if p not in safe[kind]]
        for kind in ("bread", "content")
    }
    waiting = mapping(known["waiting"])
    sandwiches = [s for (s,) in known["notexist"]]
    for suffix, portions, children in (
        ("_no_gluten", safe, known["allergic_gluten"]),
        ("", other, known["not_allergic_gluten"]),
    ):
        for (child,) in children:
            sandwich = sandwiches.pop()
            ingredients = portions["bread"].pop(), portions["content"].pop()
            do(plan, f"make_sandwich{suffix}", sandwich, *ingredients)
            do(plan, "put_on_tray", sandwich, tray)
            do(plan, "move_tray", tray, "kitchen", waiting[child])
            do(plan, f"serve_sandwich{suffix}", sandwich, child, tray, waiting[child])
            do(plan, "move_tray", tray, waiting[child], "kitchen")
    return plan


def floortile(problem: Problem) -> Plan:
    """Every robot goes down, then paints the columns up to the next robot's, from the top down."""
    known, plan = facts(problem), Plan()
    above = {low: high for high, low in known["up"]}
    below = mapping(known["up"])
    right = {one: other for other, one in known["right"]}
    left = {other: one for one, other in right.items()}
    color = {a.terms[0]: a.terms[1] for a in problem.goal}
    has = mapping(known["robot-has"])
    at = mapping(known["robot-at"])

    def go(robot: str, action: str, to: str) -> None:
        do(plan, action, robot, at[robot], to)
        at[robot] = to

    for robot in list(at):
        while at[robot] in below:
            go(robot, "down", below[at[robot]])

    def paint_column(robot: str) -> None:
        while above.get(above.get(at[robot], "")) is not None:
            go(robot, "up", above[at[robot]])
        while True:
            tile = above[at[robot]]
            if has[robot] != color[tile]:
                do(plan, "change-color", robot, has[robot], color[tile])
                has[robot] = color[tile]
            do(plan, "paint-up", robot, tile, at[robot], color[tile])
            if at[robot] not in below:
                return
            go(robot, "down", below[at[robot]])

    first = min(at, key=lambda robot: len(columns_left(at[robot], left)))
    while at[first] in left:
        go(first, "left", left[at[first]])
    for robot in sorted(at, key=lambda robot: len(columns_left(at[robot], left))):
        paint_column(robot)
        while at[robot] in right and right[at[robot]] not in at.values():
            go(robot, "right", right[at[robot]])
            paint_column(robot)
    return plan


def columns_left(tile: str, left: dict[str, str]) -> list[str]:
    found = []
    while tile in left:
        tile = left[tile]
        found.append(tile)
    return found


def transport(problem: Problem) -> Plan:
    """One vehicle brings one package after the other, along the roads."""
    known, plan = facts(problem), Plan()
    at = mapping(known["at"])
    vehicle, full = known["capacity"][0]
    less = {more: less for less, more in known["capacity-predecessor"]}[full]

    def drive(to: str) -> None:
        for location in way(known["road"], at[vehicle], to):
            do(plan, "drive", vehicle, at[vehicle], location)
            at[vehicle] = location

    for _, (package, target) in problem.goal:
        if at[package] != target:
            drive(at[package])
            do(plan, "pick-up", vehicle, at[vehicle], package, less, full)
            drive(target)
            do(plan, "drop", vehicle, target, package, less, full)
    return plan


def barman(problem: Problem) -> Plan:
    """Each cocktail is made with the very glass that it is for."""
    known, plan = facts(problem), Plan()
    shaker, dispenser = "shaker1", {i: d for d, i in known["dispenses"]}
    part1, part2 = mapping(known["cocktail-part1"]), mapping(known["cocktail-part2"])
    for _, (shot, cocktail) in problem.goal:
        do(plan, "grasp", "left", shot)
        for ingredient, pour, levels in (
            (part1[cocktail], "clean", ("l0", "l1")),
            (part2[cocktail], "used", ("l1", "l2")),
        ):
            do(plan, "fill-shot", shot, ingredient, "left", "right", dispenser[ingredient])
            do(plan, f"pour-shot-to-{pour}-shaker", shot, ingredient, shaker, "left", *levels)
            do(plan, "clean-shot", shot, ingredient, "left", "right")
        do(plan, "leave", "left", shot)
        do(plan, "grasp", "left", shaker)
        do(plan, "shake", cocktail, part1[cocktail], part2[cocktail], shaker, "left", "right")
        do(plan, "pour-shaker-to-shot", cocktail, shot, "left", shaker, "l2", "l1")
        do(plan, "empty-shaker", "left", shaker, cocktail, "l1", "l0")
        do(plan, "clean-shaker", "left", "right", shaker)
        do(plan, "leave", "left", shaker)
    return plan


def satellite(problem: Problem) -> Plan:
    """Image by image: switch on, calibrate, take it, switch off; then look where asked to."""
    known, plan = facts(problem), Plan()
    pointing, home = mapping(known["pointing"]), mapping(known["on_board"])
    target = mapping(known["calibration_target"])

    def turn(one: str, direction: str) -> None:
        if pointing[one] != direction:
            do(plan, "turn_to", one, direction, pointing[one])
            pointing[one] = direction

    for predicate, (direction, mode) in problem.goal:
        if predicate == "have_image":
            instrument = next(i for i, m in known["supports"] if m == mode)
            one = home[instrument]
            do(plan, "switch_on", instrument, one)
            turn(one, target[instrument])
            do(plan, "calibrate", one, instrument, target[instrument])
            turn(one, direction)
            do(plan, "take_image", one, direction, instrument, mode)
            do(plan, "switch_off", instrument, one)
    for predicate, (one, direction) in problem.goal:
        if predicate == "pointing":
            turn(one, direction)
    return plan


def rovers(problem: Problem) -> Plan:
    """Goal by goal, each by the first rover that can do it, along the ways of that rover."""
    known, plan = facts(problem), Plan()
    at, store = mapping(known["at"]), {r: s for s, r in known["store_of"]}
    (lander, base) = known["at_lander"][0]
    near = next(here for here, there in known["visible"] if there == base)
    seen_from = mapping(known["visible_from"])
    bearer, target = mapping(known["on_board"]), mapping(known["calibration_target"])

    def go(rover: str, to: str) -> None:
        edges = [(one, other) for r, one, other in known["can_traverse"] if r == rover]
        for waypoint in way(edges, at[rover], to):
            do(plan, "navigate", rover, at[rover], waypoint)
            at[rover] = waypoint

    for predicate, terms in problem.goal:
        kind = predicate.split("_")[1]
        if kind == "image":
            objective, mode = terms
            camera = next(c for c, m in known["supports"] if m == mode)
            rover = bearer[camera]
            go(rover, seen_from[target[camera]])
            do(plan, "calibrate", rover, camera, target[camera], at[rover])
            go(rover, seen_from[objective])
            do(plan, "take_image", rover, at[rover], objective, camera, mode)
        else:
            rover = known[f"equipped_for_{kind}_analysis"][0][0]
            go(rover, terms[0])
            do(plan, f"sample_{kind}", rover, store[rover], terms[0])
            do(plan, "drop", rover, store[rover])
        go(rover, near)
        do(
            plan,
            predicate.replace("communicated", "communicate"),
            rover,
            lander,
            *terms,
            near,
            base,
        )
    return plan


def by_policy(name: str) -> Callable[[Problem], Plan]:
    """What a policy of the examples does."""

    def solve(problem: Problem) -> Plan:
        path = REPOSITORY / "examples" / "policies" / f"{name}.policy"
        return list(pg3.execute(problem, pg3.read_policy(path, problem.domain)).plan)

    return solve


SOLUTIONS: dict[str, Callable[[Problem], Plan]] = {
    "blocksworld": blocksworld,
    "blocksworld-partial": blocksworld,
    "childsnack": childsnack,
    "floortile": floortile,
    "transport-roads": transport,
    "barman": barman,
    "ferry-typed": by_policy("moose/ferry"),
    "logistics": by_policy("moose/logistics"),
    "miconic-once": by_policy("moose/miconic"),
    "rovers": rovers,
    "satellite": satellite,
    "transport": transport,
    "rovers-traverse": rovers,
}


def solution(domain: BuiltInDomain, problem: Problem) -> Plan:
    """A plan that works, made without search."""
    return SOLUTIONS.get(domain.name, by_policy(domain.name))(problem)
