"""Logistics: every city has an airport and a truck, and there is an airplane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pg3.domains.base import BuiltInDomain, Draft, Size, Sizes
from pg3.pddl import Atom, TypedObject

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pg3.domains.chance import Chance


def _generate(chance: Chance, sizes: Sizes) -> Draft:
    cities = [f"c{i}" for i in range(sizes.draw(chance, "cities"))]
    each = sizes.draw(chance, "locations")
    airplanes = [f"a{i}" for i in range(sizes.draw(chance, "airplanes"))]
    packages = [f"p{i}" for i in range(sizes.draw(chance, "packages"))]
    trucks = [f"t{i}" for i in range(len(cities))]
    # The first location of a city is its airport.
    places = [[f"l{i}-{j}" for j in range(each)] for i in range(len(cities))]
    everywhere = [place for city in places for place in city]
    airports = [city[0] for city in places]
    at = [
        *((truck, chance.choose(city)) for truck, city in zip(trucks, places, strict=True)),
        *((airplane, chance.choose(airports)) for airplane in airplanes),
        *((package, chance.choose(everywhere)) for package in packages),
    ]

    def init() -> Iterator[Atom]:
        for city, here in zip(cities, places, strict=True):
            for place in here:
                yield Atom("in-city", (place, city))
        for airport in airports:
            yield Atom("has-airport", (airport,))
        for pair in at:
            yield Atom("at", pair)

    kinds = {
        "airplane": airplanes,
        "city": cities,
        "truck": trucks,
        "location": everywhere,
        "package": packages,
    }
    return Draft(
        objects=[TypedObject(name, type_) for type_, names in kinds.items() for name in names],
        init=init(),
        goal=[Atom("at", (package, chance.choose(everywhere))) for package in packages],
    )


LOGISTICS = BuiltInDomain(
    name="logistics",
    summary="Trucks bring packages to places in their city, airplanes from city to city.",
    horizon=1000,
    sizes=(
        Size("cities", "cities, each with a truck", train=(1, 2), test=(6, 9)),
        Size("locations", "locations in each city", least=2, train=(2, 3), test=(7, 9)),
        Size("airplanes", "airplanes", train=(1, 2), test=(2, 5)),
        Size("packages", "packages", train=(1, 3), test=(25, 40)),
    ),
    # So many that every kind of journey is there: within a city, to the airport, by air.
    counts=(40, 30),
    generate=_generate,
)
