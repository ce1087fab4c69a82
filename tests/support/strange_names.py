"""Random problems and policies with names that a stranger may choose.

Names of the language (a domain's own `next`), of Python, HTML and what prints on a terminal, and
names like those that an export makes up. What the readers refuse of them is left as it was.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from pg3.errors import Pg3Error
from pg3.pddl import parse_domain, parse_problem, write_domain, write_problem
from pg3.pddl.model import OBJECT
from pg3.policy import parse_policy, write_policy
from tests.support.random_conditions import rarely
from tests.support.random_problems import (
    AXIOMS,
    AXIOMS_AND_DERIVED,
    DERIVED,
    Scenario,
    scenarios,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.model import Parameter

_TEXT = r"""
    next reach goal _ and or not exists either define domain problem object number minimize when
    class def none self state goals objects run plan __import__ it's a"b \ \n {x} %s $x `x` a,b
    </script> <!-- a&b <b> [bold] [/] [red]x ü 日本 0 1e9 x.y # @ ! /x ../x
    pg3-goal-p0 pg3-rule-1-proposes pg3- unsettled-p0 p0-2 a0-1 d0-end
"""
ODD = _TEXT.split()

_WORD = re.compile(r"[^\s()]+")


def _names(scenario: Scenario) -> list[str]:
    """Every name in a scenario that somebody has chosen, once, in order."""
    problem, policy = scenario
    domain = problem.domain
    groups: list[Iterable[Parameter]] = [p.parameters for p in domain.predicates]
    groups += [one.parameters for one in domain.actions]
    groups += [one.parameters for one in policy.rules]
    groups += [(*c.parameters, *c.variables) for c in (*domain.axioms, *policy.definitions)]
    found = [domain.name, problem.name, policy.name]
    found += [t.name for t in domain.types if t.name != OBJECT]
    found += [o.name for o in problem.all_objects]
    found += [p.name for p in (*domain.predicates, *domain.functions[1:])]
    found += [action.name for action in domain.actions]
    found += [rule.name for rule in policy.rules]
    found += [clause.name for clause in policy.definitions]
    found += [parameter.name for group in groups for parameter in group]
    return list(dict.fromkeys(found))


def _renamed(scenario: Scenario, names: Mapping[str, str]) -> Scenario:
    """The scenario with other names; Pg3Error if there is none."""

    def with_names(text: str) -> str:
        return _WORD.sub(lambda word: names.get(word[0], word[0]), text)

    problem, policy = scenario
    domain = parse_domain(with_names(write_domain(problem.domain)))
    return Scenario(
        parse_problem(with_names(write_problem(problem)), domain),
        parse_policy(with_names(write_policy(policy)), domain),
    )


@st.composite
def strange_scenarios(draw: st.DrawFn) -> Scenario:
    """A problem, perhaps of a domain with axioms, and a policy, perhaps with odd names."""
    scenario = draw(scenarios(DERIVED, AXIOMS, AXIOMS_AND_DERIVED))
    if not rarely(draw, 3):
        return scenario
    old = _names(scenario)
    chosen = draw(st.lists(st.sampled_from(old), min_size=1, max_size=8, unique=True))
    new = draw(
        st.lists(st.sampled_from(ODD), min_size=len(chosen), max_size=len(chosen), unique=True)
    )
    names = {one: "?" * one.startswith("?") + to for one, to in zip(chosen, new, strict=True)}
    # One at a time: a name that is refused is not to keep the others away.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for one, to in names.items():
            try:
                scenario = _renamed(scenario, {one: to})
            except Pg3Error:
                continue
    return scenario
