"""The variants of the learner: each replaces one name of a module or class."""

from __future__ import annotations

import pkgutil
import re
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from pg3.learning import regression, robustness
from pg3.learning.operators import moves
from pg3.learning.regression import learning
from pg3.learning.regression.experience import Experience
from pg3.learning.regression.macro_moves import MacroMove
from pg3.learning.regression.macro_plans import MacroPlanner
from pg3.learning.regression.problems import RegressionProblem
from pg3.learning.regression.rules import causal_chains, suffixes
from pg3.learning.regression.rules.cases import Disjunctions
from pg3.learning.regression.rules.suffixes import SuffixTree
from pg3.learning.robustness import common_rules, loop, proposers, test_suite, trials
from pg3.learning.robustness.common_rules import CommonRules
from pg3.learning.robustness.generalising import Generaliser
from pg3.learning.robustness.growing import grower, resources
from pg3.learning.robustness.growing.levels import Levels
from pg3.learning.robustness.growing.redrawing import Redrawing
from pg3.learning.robustness.growing.structure import maps
from pg3.learning.robustness.growing.structure.chains import Chains
from pg3.learning.robustness.loop import CounterexampleLoop
from pg3.learning.robustness.perturbations import variations
from pg3.learning.robustness.perturbations.longer_paths import LongerPaths
from pg3.learning.robustness.perturbations.made_problems import MadeProblems
from pg3.learning.robustness.perturbations.variations import Variations
from pg3.learning.robustness.proposers import EXTENDED_MEMBERS, MEMBERS, Settings
from pg3.learning.robustness.test_suite import Suite
from pg3.learning.robustness.trials import Trials
from pg3.learning.robustness.verdicts import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

BASELINE = "baseline"


class Variant(NamedTuple):
    """A change of the learner: `owner.attribute` becomes what `change` makes of it.

    The name says what is off.
    """

    name: str
    owner: ModuleType | type
    attribute: str
    change: Callable[[Any], Any]

    def apply(self) -> None:
        """Change this process; KeyError if there is no such attribute."""
        setattr(self.owner, self.attribute, self.change(vars(self.owner)[self.attribute]))


def _value(value: object) -> Callable[[Any], Any]:
    return lambda _: value


def _answer(value: object) -> Callable[[Any], Any]:
    return lambda _: lambda *_, **__: value


def _constantly(value: object) -> Callable[[Any], Any]:
    return lambda _: property(lambda _: value)


def _first_argument(_: object) -> Any:
    return lambda first, *_, **__: first


def _second_argument(_: object) -> Any:
    return lambda _, second, *__, **___: second


def _whatever_the_steps(_: object) -> Any:
    def passes(self: Any, policy: Any) -> bool:
        self._budget.check()
        return all(trial.is_passed(policy) for trial in self._trials)

    return passes


def _ever_wanted(_: object) -> Any:
    def wanted(sources: Any) -> set[Any]:
        return {
            source.sorts[term]
            for source in sources
            for literal in source.problem.goal_literals
            for term in literal.atom.terms
        }

    return wanted


def _as_it_is(_: object) -> Any:
    return lambda _, __, action: (action, (), ())


def _with_constants(root: Any) -> Any:
    """Goals that name a constant are for that constant only."""

    def kept(self: Any, key: Any) -> Any:
        found = root(self, key)
        constants = {v: t for v, t in found.objects.items() if t in self._constants}
        return replace(
            found,
            goal=found.goal.substitute(constants),
            needs=tuple(n._replace(literal=n.pattern) for n in found.needs),
            types={name: type_ for name, type_ in found.types.items() if name not in constants},
            objects={v: t for v, t in found.objects.items() if v not in constants},
        )

    return kept


def _in_order(plan: Any, _: object) -> Any:
    return [action for action, _ in plan]


def _without(member: object) -> Callable[[Any], Any]:
    return lambda members: tuple(each for each in members if each != member)


_PROPOSERS = (
    Variant("no goal regression", Settings, "may_regress", _constantly(False)),
    Variant("no macro moves", proposers, "macro_moves_of", _answer({})),
    Variant("moves have no side effects", moves, "_side_effects", _answer(())),
    Variant("no gates on the way", MacroMove, "gates", _answer([])),
    Variant("no gate that no plan met", MacroPlanner, "with_closed_gates", _answer(())),
    Variant("no roads that are objects", moves, "_labels", _answer([])),
    Variant("no moves together", moves, "_shifted_together", _answer(frozenset())),
    Variant("no order from blocked goals", Experience, "_learn_what_comes_before", _answer(False)),
    Variant("no second opinion", CounterexampleLoop, "_has_rival", _answer(False)),
    Variant("chains keep the order of plans", suffixes, "late", _value(_in_order)),
    Variant("chains do not look for threats", causal_chains, "_may_take", _answer(False)),
    Variant("rules never leave goals alone", Experience, "_let_leave_alone", _answer(None)),
    Variant("no goals on the way", Experience, "_goals_on_the_way", _answer(())),
    Variant("goals keep their constants", SuffixTree, "_root", _with_constants),
    Variant("disjunctions are not looked into", Disjunctions, "used", _as_it_is),
    Variant("no functional dependencies", loop, "shown_dependencies", _answer({})),
    Variant("no conditions that spread", suffixes, "spreads_of", _answer({})),
    Variant("no subgoals", proposers, "_subgoals", _answer(({}, ()))),
    Variant("no search in the small language", proposers, "MEMBERS", _value(())),
    Variant("no search in the larger language", proposers, "EXTENDED_MEMBERS", _value(())),
    *(
        Variant(f"not the search: {member.name}", proposers, registry, _without(member))
        for registry, members in (("MEMBERS", MEMBERS), ("EXTENDED_MEMBERS", EXTENDED_MEMBERS))
        for member in members
    ),
    Variant("no counterexamples", CounterexampleLoop, "_learns_from_failures", _answer(False)),
    Variant("a search does not ask the suite", CounterexampleLoop, "_accepts", _answer(True)),
)

_MADE_PROBLEMS = (
    Variant("no shuffled problems", MadeProblems, "shuffled", _answer([])),
    Variant("no grown problems, so no generalising", MadeProblems, "_grown", _answer(())),
    Variant("no larger problems at the end", MadeProblems, "larger", _constantly([])),
    Variant("no longer paths", LongerPaths, "__bool__", _answer(False)),
    Variant("no longer chains", Chains, "__bool__", _answer(False)),
    Variant("no links between parts", grower, "_LINKED", _value(0)),
    Variant("few quiet batches", test_suite, "_MOST_QUIET", _value(2)),
    Variant("wanted now and then is no resource", resources, "_always_wanted", _ever_wanted),
    Variant("nothing is free by negation", resources, "_said_by_negation", _answer([])),
    Variant("lines are never shared out", maps, "_has_one_each", _answer(False)),
    Variant("ends of lines stay ends", maps, "_special_ends", _answer((True, True))),
    Variant("no exchanged goals in grown problems", grower, "_EXCHANGED", _value(0)),
    Variant("as many goals in grown problems", grower, "_FEWER_GOALS", _value(0)),
    Variant("no random starts of given problems", MadeProblems, "random_starts", _answer(())),
    Variant("no random starts of grown problems", MadeProblems, "started_randomly", _answer(())),
    Variant("nothing redrawn", Redrawing, "redrawn", _second_argument),
    Variant("no redrawn sorts", Redrawing, "_with_other_sorts", _second_argument),
    Variant("no redrawn marks", Redrawing, "_with_other_marks", _second_argument),
    Variant("no redrawn pairs", Redrawing, "_with_other_marked_pairs", _second_argument),
    Variant("no more levels", Levels, "raised", _second_argument),
    Variant("no redrawn places", Redrawing, "_with_other_places", _second_argument),
    Variant("no variations in the suite", MadeProblems, "variations", _answer(())),
    Variant("no variations in regression", RegressionProblem, "varied", _first_argument),
    Variant("no twins", Variations, "_with_twins", _second_argument),
    Variant("no other links", variations, "_relinked", _first_argument),
    Variant("no other goals", Variations, "_with_other_goals", _second_argument),
    Variant("no fewer goals", Variations, "_with_fewer_goals", _second_argument),
    Variant("failures count without a plan", Suite, "_counts", _answer(True)),
    Variant("random starts always count", Suite, "_fair_starts", _constantly(True)),
)

_GENERALISING = (
    Variant("no generalising", Suite, "generalised", _second_argument),
    Variant("idle rules stay", Generaliser, "_drop_idle_rules", _answer(None)),
    Variant("paths for later stay", Generaliser, "_drop_paths", _answer(None)),
    Variant("rules stay", Generaliser, "_drop_rules", _answer(None)),
    Variant("rules are not merged", Generaliser, "_merge_rules", _answer(None)),
    Variant("rules are merged within a type only", common_rules, "_of_either", _first_argument),
    Variant("any types are merged", common_rules, "_keeps_types_together", _answer(True)),
    Variant("memorised before general", Result, "num_failed", _constantly(0)),
    Variant("targets of paths may go", CommonRules, "_knows_its_way", _answer(True)),
    Variant("no last resorts", Generaliser, "with_last_resorts", _second_argument),
    Variant("more steps are allowed", Trials, "passes", _whatever_the_steps),
    Variant("no tests from states off the way", trials, "_around", _answer([])),
    Variant("policies that fail most are generalised", test_suite, "_TRUSTED", _value(0)),
    Variant("no fresh batches", Suite, "_fresh_batches", _answer(())),
)


def _constants() -> Iterator[Variant]:
    """Each number that has a name, halved and doubled."""
    for package in (robustness, regression):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = import_module(found.name)
            for name, value in vars(module).items():
                if not isinstance(value, int | float):
                    continue
                if re.fullmatch("_[A-Z_]+", name) or (module, name) in _PUBLIC:
                    half = value // 2 if isinstance(value, int) else value / 2
                    short = found.name.removeprefix("pg3.learning.")
                    for new in (half, 2 * value):
                        yield Variant(f"{short}.{name}={new}", module, name, _value(new))


# Constants without an underscore that only their own module uses.
_PUBLIC = ((proposers, "LONGEST_RUN"), (learning, "LEAST"))

VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (*_PROPOSERS, *_MADE_PROBLEMS, *_GENERALISING, *_constants())
}
