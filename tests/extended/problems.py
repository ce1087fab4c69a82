"""Small problems for the policies beside this file, drawn with a seeded generator."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pg3.pddl import read_domain
from pg3.pddl.model import Atom, Literal, Problem, TypedObject

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from pg3.pddl.model import Domain

FOLDER = Path(__file__).parent


def domain(name: str) -> Domain:
    """One of the domains beside this file."""
    return read_domain(FOLDER / f"{name}.pddl")


def _towers(blocks: list[str], rng: random.Random) -> list[list[str]]:
    order = rng.sample(blocks, len(blocks))
    towers: list[list[str]] = []
    for block in order:
        place = rng.randrange(len(towers) + 1)
        if place == len(towers):
            towers.append([])
        towers[place].append(block)
    return towers


def _tower_atoms(towers: list[list[str]], words: tuple[str, str, str]) -> list[Atom]:
    on, ontable, clear = words
    atoms = []
    for tower in towers:
        atoms.append(Atom(ontable, (tower[0],)))
        atoms += [Atom(on, pair) for pair in zip(tower[1:], tower, strict=False)]
        atoms.append(Atom(clear, (tower[-1],)))
    return atoms


def blocksworld(size: int, rng: random.Random, *, partial: bool = True) -> Problem:
    """Towers of blocks; a part of the other towers as the goal, or all of them."""
    blocks = [f"b{i}" for i in range(size)]
    words = ("on", "ontable", "clear")
    init = [*_tower_atoms(_towers(blocks, rng), words), Atom("handempty")]
    goal = _tower_atoms(_towers(blocks, rng), words)
    if partial:
        goal = [atom for atom in goal if rng.random() < 0.6] or goal[:1]
    else:
        goal = [atom for atom in goal if atom.predicate == "on"] or goal
    objects = [TypedObject(name) for name in blocks]
    return Problem.of("towers", domain("blocksworld"), objects, init, map(Literal, goal))


def transport(size: int, rng: random.Random) -> Problem:
    """A connected road map with as many packages as half its places, and two trucks."""
    places = [f"l{i}" for i in range(size)]
    roads = set()
    for i in range(1, size):
        j = rng.randrange(i)
        roads |= {(places[i], places[j]), (places[j], places[i])}
    for _ in range(size // 3):
        one, other = rng.sample(places, 2)
        roads |= {(one, other), (other, one)}
    packages = [f"p{i}" for i in range(max(1, size // 2))]
    trucks = ["t0", "t1"]
    objects = [
        *(TypedObject(name, "location") for name in places),
        *(TypedObject(name, "package") for name in packages),
        *(TypedObject(name, "vehicle") for name in trucks),
        *(TypedObject(f"c{i}", "capacity-number") for i in range(3)),
    ]
    init = [Atom("road", pair) for pair in sorted(roads)]
    init += [Atom("at", (name, rng.choice(places))) for name in packages + trucks]
    init += [Atom("capacity-predecessor", (f"c{i}", f"c{i + 1}")) for i in range(2)]
    init += [Atom("capacity", (truck, "c2")) for truck in trucks]
    goal = [Literal(Atom("at", (name, rng.choice(places)))) for name in packages]
    return Problem.of("roads", domain("transport"), objects, init, goal)


def childsnack(size: int, rng: random.Random) -> Problem:
    """As many children as given, some allergic, with just enough to eat."""
    children = [f"c{i}" for i in range(size)]
    allergic = set(rng.sample(children, size // 3))
    places = ["table1", "table2", "table3"]
    objects = [
        *(TypedObject(name, "child") for name in children),
        *(TypedObject(f"b{i}", "bread-portion") for i in range(size)),
        *(TypedObject(f"o{i}", "content-portion") for i in range(size)),
        *(TypedObject(f"s{i}", "sandwich") for i in range(size)),
        *(TypedObject(name, "tray") for name in ("tray1", "tray2")),
        *(TypedObject(name, "place") for name in places),
    ]
    numbers = range(size)
    init = [Atom("at_kitchen_bread", (f"b{i}",)) for i in numbers]
    init += [Atom("at_kitchen_content", (f"o{i}",)) for i in numbers]
    init += [Atom("notexist", (f"s{i}",)) for i in numbers]
    for letter, word in (("b", "no_gluten_bread"), ("o", "no_gluten_content")):
        init += [Atom(word, (f"{letter}{i}",)) for i in rng.sample(numbers, len(allergic))]
    for child in children:
        word = "allergic_gluten" if child in allergic else "not_allergic_gluten"
        init += [Atom(word, (child,)), Atom("waiting", (child, rng.choice(places)))]
    init += [Atom("at", (tray, rng.choice(["kitchen", *places]))) for tray in ("tray1", "tray2")]
    goal = [Literal(Atom("served", (child,))) for child in children]
    return Problem.of("snack", domain("childsnack"), objects, init, goal)


def floortile(size: int, rng: random.Random) -> Problem:
    """A floor of that many columns and rows, the lowest row left bare, and one robot on it."""
    tiles = {(x, y): f"t{x}-{y}" for y in range(size) for x in range(size)}
    colors = ["black", "white"]
    init = []
    for (x, y), name in tiles.items():
        for dx, dy, word, opposite in ((0, 1, "up", "down"), (1, 0, "right", "left")):
            other = tiles.get((x + dx, y + dy))
            if other is not None:
                init += [Atom(word, (other, name)), Atom(opposite, (name, other))]
    start = tiles[rng.randrange(size), 0]
    init += [Atom("clear", (name,)) for name in tiles.values() if name != start]
    init += [Atom("robot-at", ("r1", start)), Atom("robot-has", ("r1", "white"))]
    init += [Atom("available-color", (color,)) for color in colors]
    objects = [TypedObject("r1", "robot")]
    objects += [TypedObject(name, "tile") for name in rng.sample(list(tiles.values()), size**2)]
    objects += [TypedObject(color, "color") for color in colors]
    goal = [
        Literal(Atom("painted", (name, rng.choice(colors)))) for (x, y), name in tiles.items() if y
    ]
    return Problem.of("floor", domain("floortile"), objects, init, goal)


MAKERS: dict[str, Callable[[int, random.Random], Problem]] = {
    "blocksworld": blocksworld,
    "transport": transport,
    "childsnack": childsnack,
    "floortile": floortile,
}
