"""Ferry problems built with unified-planning, as one of its users would."""

from __future__ import annotations

from typing import Any

from unified_planning.shortcuts import (
    BoolType,
    Equals,
    Fluent,
    InstantaneousAction,
    Not,
    Object,
    Problem,
    UserType,
)


def ferry(places: dict[str, str], goals: dict[str, str], ferry_at: str = "L0") -> Any:
    """Cars at places, each with a place to go to. Names are as odd as unified-planning allows."""
    car, location = UserType("Car"), UserType("Location")
    at = Fluent("at", BoolType(), c=car, l=location)
    on = Fluent("On board", BoolType(), c=car)
    at_ferry = Fluent("at_ferry", BoolType(), l=location)
    empty = Fluent("empty", BoolType())

    sail = InstantaneousAction("Sail", origin=location, target=location)
    sail.add_precondition(at_ferry(sail.origin))
    sail.add_precondition(Not(Equals(sail.origin, sail.target)))
    sail.add_effect(at_ferry(sail.origin), False)
    sail.add_effect(at_ferry(sail.target), True)

    board = InstantaneousAction("board", c=car, l=location)
    board.add_precondition(at(board.c, board.l) & at_ferry(board.l) & empty)
    board.add_effect(at(board.c, board.l), False)
    board.add_effect(empty, False)
    board.add_effect(on(board.c), True)

    debark = InstantaneousAction("debark", c=car, l=location)
    debark.add_precondition(on(debark.c) & at_ferry(debark.l))
    debark.add_effect(on(debark.c), False)
    debark.add_effect(empty, True)
    debark.add_effect(at(debark.c, debark.l), True)

    problem = Problem("ferry")
    for fluent in (at, on, at_ferry, empty):
        problem.add_fluent(fluent, default_initial_value=False)
    problem.add_actions([sail, board, debark])
    cars = {name: Object(name, car) for name in places}
    locations = {
        name: Object(name, location)
        for name in sorted({ferry_at, *places.values(), *goals.values()})
    }
    problem.add_objects([*cars.values(), *locations.values()])
    problem.set_initial_value(at_ferry(locations[ferry_at]), True)
    problem.set_initial_value(empty, True)
    for name, place in places.items():
        problem.set_initial_value(at(cars[name], locations[place]), True)
    for name, place in goals.items():
        problem.add_goal(at(cars[name], locations[place]))
    return problem


def ring(cars: int, locations: int) -> Any:
    """Every car wants to the place after its own."""
    places = {f"C{i}": f"L{i % locations}" for i in range(cars)}
    return ferry(places, {f"C{i}": f"L{(i + 1) % locations}" for i in range(cars)})
