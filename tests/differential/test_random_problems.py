"""Random problems have the features that are asked for, and no others."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from pg3.pddl.model import EQUALS
from tests.support.random_problems import (
    AXIOMS_AND_DERIVED,
    Features,
    policies,
    problems,
)

if TYPE_CHECKING:
    from pg3.pddl.model import Domain, Parameter, Problem

NAMES = [field.name for field in dataclasses.fields(Features)]


def _parameters(domain: Domain) -> list[Parameter]:
    groups = [one.parameters for one in (*domain.predicates, *domain.functions)]
    groups += [one.parameters for one in domain.actions]
    groups += [effect.variables for one in domain.actions for effect in one.conditional]
    groups += [(*one.parameters, *one.variables) for one in domain.axioms]
    return [parameter for group in groups for parameter in group]


def found_in(problem: Problem) -> set[str]:
    """The features that a problem has."""
    domain = problem.domain
    conditions = [one for action in domain.actions for one in action.precondition]
    conditions += [one for axiom in domain.axioms for one in axiom.conditions]
    effects = [one for action in domain.actions for one in action.conditional]
    equalities_in_effects = [
        one for effect in effects for one in effect.conditions if one.atom.predicate == EQUALS
    ]
    equalities = [one for one in conditions if one.atom.predicate == EQUALS]
    others = [one for one in conditions if one.atom.predicate != EQUALS]
    has = {
        "types": len(domain.types) > 1,
        "either": any(len(one.types) > 1 for one in _parameters(domain))
        or any(len(one.parents) > 1 for one in domain.types),
        "constants": bool(domain.constants),
        "negative": bool(problem.negative_goal) or not all(one.positive for one in others),
        "equality": bool(equalities or equalities_in_effects),
        "costs": domain.has_costs,
        "conditional": bool(effects),
        "axioms": bool(domain.axioms),
    }
    return {name for name, is_there in has.items() if is_there}


@pytest.mark.parametrize("name", [name for name in NAMES if name != "derived"])
@given(data=st.data())
def test_a_feature_that_is_turned_off_is_not_there(name: str, data: st.DataObject) -> None:
    features = dataclasses.replace(AXIOMS_AND_DERIVED, conditional=True)
    features = dataclasses.replace(features, **{name: False})
    assert name not in found_in(data.draw(problems(features)))


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("derived", "either")])
def test_a_feature_comes_alone(name: str) -> None:
    alone = Features(**{one: one == name for one in NAMES})
    first = settings(max_examples=500, database=None, derandomize=True, phases=[Phase.generate])
    found = find(problems(alone), lambda one: name in found_in(one), settings=first)
    assert found_in(found) == {name}


@settings(max_examples=10)
@given(st.data(), st.booleans())
def test_policies_have_derived_predicates_if_asked_for(data: st.DataObject, derived: bool) -> None:
    features = Features(derived=derived)
    domain = data.draw(problems(features)).domain
    assert bool(data.draw(policies(domain, features)).definitions) == derived
