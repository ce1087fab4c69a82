"""The options of learning: name, default, bounds, help text and form in files, each told once.

`learn` takes a `LearnConfig`; the command line is made from its fields, the folder of a run and the
log keep it as `stored` has it, and experiments use those of its options that a method heeds.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from pg3.errors import Pg3Error, did_you_mean
from pg3.learning.operators import OPERATORS
from pg3.learning.scores import SCORES, Accumulation
from pg3.learning.training import MANY
from pg3.storage.schema import (
    LINE,
    Flag,
    ListOf,
    Nothing,
    Number,
    OneOf,
    Record,
    Shape,
    ShapeError,
    Whole,
)

Preset = Literal["robust", "paper"]
# Among policies that pass all tests: few and short rules, or few steps in the tests.
Preference = Literal["short-policy", "short-plans"]

# The limit of a search for which none is given: candidates, or for Algorithm 1 as it is printed
# expanded policies, the paper's "2500 node expansions".
_DEFAULT_LIMIT = 2500

# Numbers may be larger than the kernel's: `for_kernel` cuts them.
_FROM_0, _FROM_1, _LIMIT = Whole(0, None), Whole(1, None), Nothing(Number())


class Option(NamedTuple):
    """What is known of an option beside its name.

    `shape` is what a value must be like, in files and elsewhere; `noun` what one of its names is
    called, if it has names. Files have an option `always`, only `if set`, or somewhere `else`.
    """

    default: Any
    shape: Shape
    help: str
    metavar: str
    noun: str
    in_files: Literal["always", "if set", "else"]

    @property
    def plain_shape(self) -> Shape:
        """The shape of a value that is given."""
        given = self.shape.or_else if isinstance(self.shape, Nothing) else self.shape
        assert given is not None
        return given

    @property
    def names(self) -> Collection[str] | None:
        """The names to choose from; None if the option has no names."""
        shape = self.plain_shape
        item = shape.item if isinstance(shape, ListOf) else shape
        return item.names if isinstance(item, OneOf) else None


class SearchLimits(NamedTuple):
    """Policies to score and policies to expand, None for no limit."""

    candidates: int | None
    expansions: int | None


def _option(
    default: Any,
    shape: Shape,
    text: str,
    metavar: str = "N",
    *,
    noun: str = "",
    in_files: Literal["always", "if set", "else"] = "always",
) -> Any:
    option = Option(default, shape, text, metavar, noun, in_files)
    return field(default=default, metadata={"option": option})


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnConfig:
    """How to learn. Pg3Error if a value is none of its option's, or if options contradict.

    Limits of time (seconds) and memory (megabytes of this process) are None where there are none,
    and an infinite one is none. `operators` are None for all; `limits` tells how many policies are
    scored and expanded where that was not given.
    """

    preset: Preset = _option(  # noqa: RUF009
        "robust",
        OneOf(get_args(Preset)),
        "Learn and test, or one search.",
        "|".join(get_args(Preset)),
        noun="preset",
    )
    score: str = _option(
        "pg3", OneOf(SCORES), f"Function: {', '.join(SCORES)}.", "NAME", noun="score"
    )
    seed: int = _option(0, Whole(None, None), "For all random choices.")
    max_candidates: int | None = _option(None, Nothing(_FROM_0), "Policies to score in one search.")
    max_expansions: int | None = _option(
        None, Nothing(_FROM_0), "Policies to expand; preset paper.", in_files="if set"
    )
    as_printed: bool = _option(
        False, Flag(), "No early stop or interrupted expansion.", in_files="if set"
    )
    time_limit: float | None = _option(None, _LIMIT, "Stop after S seconds.", "S")
    memory_limit: float | None = _option(None, _LIMIT, "Stop when pg3 has MB megabytes.", "MB")
    jobs: int = _option(1, _FROM_1, "Problems to work on at once.", in_files="else")
    rollout_steps: int = _option(50, _FROM_0, "Policy's steps in guided planning.")
    plan_horizon: int = _option(100, _FROM_1, "Longest plan; score without one.")
    astar_expansions: int = _option(1000, _FROM_1, "States to expand for a plan.")
    accumulate: Accumulation | None = _option(  # noqa: RUF009
        None,
        Nothing(OneOf(get_args(Accumulation))),
        f"Make one score by {', '.join(get_args(Accumulation))}.",
        "HOW",
        noun="accumulation",
    )
    prefer: Preference = _option(  # noqa: RUF009
        "short-policy",
        OneOf(get_args(Preference)),
        f"{' or '.join(get_args(Preference))}.",
        "WHAT",
        noun="preference",
        in_files="if set",
    )
    size_weight: float = _option(1e-5, Number(), "Penalty on each condition.", "W")
    operators: tuple[str, ...] | None = _option(
        None,
        Nothing(ListOf(OneOf(OPERATORS))),
        f"Search operators: {', '.join(OPERATORS)}; else all.",
        "A,B,...",
        noun="operator",
    )
    keep: tuple[str, ...] = _option(
        (),
        ListOf(LINE),
        "Do not change this rule of it, or all; repeatable.",
        "RULE",
        in_files="if set",
    )

    def __post_init__(self) -> None:
        """Check each value, and what options say together."""
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if option.shape == _LIMIT and value == math.inf:
                object.__setattr__(self, name, None)
            elif isinstance(value, Collection) and not isinstance(value, str):
                object.__setattr__(self, name, tuple(value))
            _check(name, option, _as_json(getattr(self, name)))
        if self.preset == "robust":
            if self.max_expansions is not None:
                raise Pg3Error(
                    "a limit on expanded policies is for the preset paper: robust limits candidates"
                )
            if self.as_printed:
                raise Pg3Error("Algorithm 1 as printed is for the preset paper")
        elif self.prefer != OPTIONS["prefer"].default:
            raise Pg3Error(
                f"the preset {self.preset} has no choice of policies: prefer is for robust"
            )

    @property
    def limits(self) -> SearchLimits:
        """How many policies a search may score and expand."""
        candidates, expansions = self.max_candidates, self.max_expansions
        if candidates is None and expansions is None:
            if self.as_printed:
                expansions = _DEFAULT_LIMIT
            else:
                candidates = _DEFAULT_LIMIT
        return SearchLimits(candidates, expansions)

    @property
    def operator_names(self) -> tuple[str, ...]:
        """The operators that may be used."""
        return tuple(OPERATORS) if self.operators is None else self.operators

    def resolved(self) -> LearnConfig:
        """The same with the limits and operators that hold where none were given."""
        return replace(
            self,
            max_candidates=self.limits.candidates,
            max_expansions=self.limits.expansions,
            operators=self.operator_names,
        )

    def for_kernel(self) -> LearnConfig:
        """The same with counts that fit the kernel's numbers: nobody sees a difference."""
        names = ("rollout_steps", "plan_horizon", "astar_expansions", "jobs")
        return replace(self, **{name: min(getattr(self, name), MANY) for name in names})

    def stored(self) -> dict[str, Any]:
        """The options that have a part in the result, as JSON has them; see `STORED`."""
        config = self.resolved()
        return {
            name: _as_json(getattr(config, name))
            for name in (*STORED.fields, *STORED.optional)
            if name in STORED.fields or getattr(config, name) != OPTIONS[name].default
        }


OPTIONS: Mapping[str, Option] = MappingProxyType(
    {one.name: one.metadata["option"] for one in fields(LearnConfig)}
)


# What `LearnConfig.stored` gives: a run's folder and its log have it.
STORED = Record(
    {name: option.shape for name, option in OPTIONS.items() if option.in_files == "always"},
    {name: option.shape for name, option in OPTIONS.items() if option.in_files == "if set"},
)


def configured(config: LearnConfig | None, options: Mapping[str, Any]) -> LearnConfig:
    """The config with some options changed; Pg3Error if there is no such option."""
    for name in options:
        if name not in OPTIONS:
            hint = did_you_mean(name, list(OPTIONS)) or f"choose from {', '.join(OPTIONS)}"
            raise Pg3Error(f"unknown option '{name}': {hint}")
    return replace(LearnConfig() if config is None else config, **options)


def _as_json(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _check(name: str, option: Option, value: Any) -> None:
    if option.names is not None:
        for one in value if isinstance(value, list) else [value]:
            if isinstance(one, str) and one not in option.names:
                names = ", ".join(option.names)
                raise Pg3Error(f"unknown {option.noun} '{one}': choose from {names}")
    try:
        option.shape.check(value, (name,))
    except ShapeError as error:
        raise Pg3Error(str(error)) from None
    except TypeError:
        raise Pg3Error(f"'{name}': {value!r} cannot be its value") from None
