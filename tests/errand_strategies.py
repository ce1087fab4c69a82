"""Random problems and policies of the errands domain, with long plans and deep rollouts.

Wholly random problems are hardly ever more than two steps from their goal, and then neither the
order of A* nor a policy's rollouts matter much.
"""

from __future__ import annotations

import dataclasses

from hypothesis import strategies as st

from pg3.pddl.model import Atom, Literal, Problem, TypedObject
from pg3.policy.model import DecisionList, Rule
from tests.errands import ERRANDS, FETCHING, literals, parameters

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
