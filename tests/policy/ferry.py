"""A typed ferry domain and a rule for it, for the tests of policies."""

from __future__ import annotations

from pathlib import Path

from pg3.pddl import read_domain
from pg3.pddl.model import Atom, Literal, Parameter
from pg3.policy import DecisionList, Rule

FERRY = read_domain(Path(__file__).parent / "broken" / "domain.pddl")

CAR = Parameter("?c", ("car",))
LOCATION = Parameter("?l", ("location",))

DEBARK = Rule(
    name="debark-at-goal",
    parameters=(CAR, LOCATION),
    preconditions=(Literal(Atom("on", ("?c",))), Literal(Atom("at-ferry", ("?l",)))),
    goals=(Literal(Atom("at", ("?c", "?l"))),),
    action="debark",
    arguments=("?c", "?l"),
)
POLICY = DecisionList("ferry", (DEBARK,))
