"""A small domain with long plans, one of its problems, and a policy that needs a little help.

Also random problems and policies of it. Wholly random problems are hardly ever more than two steps
from their goal, and then neither the order of A* nor a policy's rollouts matter much.
"""

from __future__ import annotations

import dataclasses

from hypothesis import strategies as st

from pg3.pddl.model import (
    OBJECT,
    Action,
    Atom,
    Domain,
    Literal,
    Parameter,
    Predicate,
    Problem,
    Type,
    TypedObject,
)
from pg3.policy.model import DecisionList, Rule


def literals(text: str) -> tuple[Literal, ...]:
    """Literals from a text like "at ?c ?l, not on ?c"; none from an empty one."""
    found = []
    for part in filter(None, text.split(",")):
        words = part.split()
        positive = words[0] != "not"
        predicate, *terms = words if positive else words[1:]
        found.append(Literal(Atom(predicate, tuple(terms)), positive))
    return tuple(found)


def parameters(text: str) -> tuple[Parameter, ...]:
    """Parameters from a text like "?c:car ?l:place"."""
    pairs = [part.split(":") for part in text.split()]
    return tuple(Parameter(name, (type_,)) for name, type_ in pairs)


# Carriers move things (and one another) along roads, through doors that must be open to enter and
# can be shut only from outside; unloading tires everybody.
ERRANDS = Domain(
    "errands",
    types=(
        Type(OBJECT, ()),
        Type("place", (OBJECT,)),
        Type("thing", (OBJECT,)),
        Type("carrier", ("thing",)),
    ),
    constants=(TypedObject("home", "place"),),
    predicates=(
        Predicate("road", parameters("?a:place ?b:place")),
        Predicate("at", parameters("?t:thing ?a:place")),
        Predicate("in", parameters("?t:thing ?c:carrier")),
        Predicate("shut", parameters("?a:place")),
        Predicate("resting", ()),
    ),
    actions=(
        Action("wake", (), literals("resting"), literals("not resting")),
        Action(
            "go",
            parameters("?c:carrier ?a:place ?b:place"),
            literals("at ?c ?a, not = ?a ?b, road ?a ?b, not shut ?b, not resting"),
            literals("not at ?c ?a, at ?c ?b"),
        ),
        Action(
            "load",
            parameters("?t:thing ?c:carrier ?a:place"),
            literals("at ?t ?a, at ?c ?a, not = ?t ?c"),
            literals("not at ?t ?a, in ?t ?c"),
        ),
        Action(
            "unload",
            parameters("?t:thing ?c:carrier ?a:place"),
            literals("in ?t ?c, at ?c ?a"),
            literals("at ?t ?a, not in ?t ?c, resting"),
        ),
        Action("open", parameters("?a:place"), literals("shut ?a"), literals("not shut ?a")),
        Action(
            "close",
            parameters("?c:carrier ?a:place"),
            literals("not at ?c ?a, not shut ?a"),
            literals("shut ?a"),
        ),
    ),
)

OBJECTS = (
    TypedObject("shop", "place"),
    TypedObject("van", "carrier"),
    TypedObject("box", "thing"),
)


def errand(init: str, goal: str) -> Problem:
    """A problem with a van, a box, a shop and home, from two lists of literals."""
    start = [literal.atom for literal in literals(init)]
    return Problem.of("errand", ERRANDS, OBJECTS, start, literals(goal))


def round_trip(places: int, things: int) -> Problem:
    """Places on a ring road with a carrier at home, and things that each want to be elsewhere."""
    names = ["home", *(f"place{i}" for i in range(1, places))]
    objects = [TypedObject(name, "place") for name in names[1:]]
    objects += [TypedObject("van", "carrier")]
    objects += [TypedObject(f"thing{i}", "thing") for i in range(things)]
    init = [Atom("at", ("van", "home"))]
    goal = []
    for i, name in enumerate(names):
        init += [Atom("road", (name, names[i - 1])), Atom("road", (names[i - 1], name))]
    for i in range(things):
        init.append(Atom("at", (f"thing{i}", names[(3 * i + 1) % places])))
        goal.append(Literal(Atom("at", (f"thing{i}", names[(5 * i + 3) % places]))))
    return Problem.of("round-trip", ERRANDS, objects, init, goal)


AWAKE = "road home shop, road shop home, at van home, at box shop"
FETCH = errand(AWAKE + ", resting", "at box home")

# What is left out on purpose: nothing wakes the carrier.
FETCHING = DecisionList(
    "fetching",
    (
        Rule(
            "drop",
            parameters("?t:thing ?c:carrier ?a:place"),
            literals("in ?t ?c, at ?c ?a"),
            literals("at ?t ?a"),
            "unload",
            ("?t", "?c", "?a"),
        ),
        Rule(
            "take",
            parameters("?t:thing ?c:carrier ?a:place"),
            literals("at ?t ?a, at ?c ?a, not = ?t ?c"),
            literals("not at ?t ?a"),
            "load",
            ("?t", "?c", "?a"),
        ),
        Rule(
            "drive",
            parameters("?c:carrier ?a:place ?b:place"),
            literals("at ?c ?a, road ?a ?b"),
            (),
            "go",
            ("?c", "?a", "?b"),
        ),
    ),
)

# Together and in this order they do every errand; without some of them, or in another order, they
# get stuck or go round in circles.
RULES = (
    Rule("wake", (), literals("resting"), (), "wake", ()),
    FETCHING.rules[0],
    Rule(
        "take-misplaced",
        parameters("?t:thing ?g:place ?c:carrier ?a:place"),
        literals("at ?t ?a, at ?c ?a, not = ?t ?c"),
        literals("at ?t ?g, not at ?t ?a"),
        "load",
        ("?t", "?c", "?a"),
    ),
    Rule("open", parameters("?a:place"), literals("shut ?a"), (), "open", ("?a",)),
    Rule(
        "deliver",
        parameters("?t:thing ?b:place ?c:carrier ?a:place"),
        literals("in ?t ?c, at ?c ?a, road ?a ?b, not shut ?b"),
        literals("at ?t ?b"),
        "go",
        ("?c", "?a", "?b"),
    ),
    Rule(
        "fetch",
        parameters("?t:thing ?g:place ?b:place ?c:carrier ?a:place"),
        literals("at ?t ?b, at ?c ?a, road ?a ?b"),
        literals("at ?t ?g, not at ?t ?b"),
        "go",
        ("?c", "?a", "?b"),
    ),
    *FETCHING.rules[1:],
    Rule(
        "unload-all",
        parameters("?t:thing ?c:carrier ?a:place"),
        literals("in ?t ?c, at ?c ?a"),
        (),
        "unload",
        ("?t", "?c", "?a"),
    ),
)


@st.composite
def errand_problems(draw: st.DrawFn) -> Problem:
    """Two or three places, mostly with roads between them, carriers and things that must move."""
    places = ["home", "o0", *(["o1"] if draw(st.booleans()) else [])]
    movable = [TypedObject("o2", "carrier"), TypedObject("o3", "thing")]
    if draw(st.booleans()):
        movable.append(TypedObject("o4", draw(st.sampled_from(["thing", "carrier"]))))
    somewhere = st.sampled_from(places)
    pairs = [(a, b) for a in places for b in places if a != b]
    missing = draw(st.sets(st.sampled_from(pairs), max_size=len(pairs) // 2))
    init = [Atom("road", pair) for pair in pairs if pair not in missing]
    init += [Atom("at", (one.name, draw(somewhere))) for one in movable]
    init += [Atom("shut", (place,)) for place in places if draw(st.integers(0, 2)) == 2]
    init += [Atom("resting")] * draw(st.integers(0, 1))
    goal = []
    for one in movable[1:]:
        elsewhere = [place for place in places if Atom("at", (one.name, place)) not in init]
        goal.append(Literal(Atom("at", (one.name, draw(st.sampled_from(elsewhere))))))
    if draw(st.booleans()):
        # A carrier that must be away at the end brings negative goals and steps back.
        goal.append(Literal(Atom("at", ("o2", draw(somewhere))), draw(st.booleans())))
    if draw(st.integers(0, 2)) == 2:
        goal.append(Literal(Atom("resting"), draw(st.booleans())))
    objects = [TypedObject(place, "place") for place in places[1:]] + movable
    return Problem.of("errands", ERRANDS, objects, init, goal)


@st.composite
def errand_policies(draw: st.DrawFn) -> DecisionList:
    """Most of the rules, now and then two exchanged or one changed."""
    rules = [_vary(draw, rule) for rule in RULES if draw(st.integers(0, 7)) < 7]
    if len(rules) > 1 and draw(st.integers(0, 2)) == 2:
        at = draw(st.integers(0, len(rules) - 2))
        rules[at], rules[at + 1] = rules[at + 1], rules[at]
    return DecisionList("errands", tuple(rules))


def _vary(draw: st.DrawFn, rule: Rule) -> Rule:
    """The rule, or rarely one with some conditions less and its parameters in another order."""
    if draw(st.integers(0, 7)) < 7:
        return rule
    return dataclasses.replace(
        rule,
        parameters=tuple(draw(st.permutations(rule.parameters))),
        preconditions=tuple(one for one in rule.preconditions if draw(st.integers(0, 3)) < 3),
        goals=tuple(one for one in rule.goals if draw(st.integers(0, 3)) < 3),
    )
