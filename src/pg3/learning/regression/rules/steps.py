"""Actions over variables, and the relevant ends of plans that are made of them.

Glossary. An action of a plan is *relevant* if it brings about something that the goal or a later
relevant action needs. The relevant actions from some point on are a *suffix*; its *condition* is
what must hold for it to lead to the goal (the goal regressed through its actions).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pg3.pddl.model import Atom, Literal

if TYPE_CHECKING:
    from pg3.pddl.model import Action, TypeNames
    from pg3.pddl.numbers import NumericEffect
    from pg3.policy.model import Rule


@dataclass(frozen=True, slots=True)
class Step:
    """An action over variables; an atom that it both deletes and adds counts as added."""

    schema: Action
    arguments: tuple[str, ...]
    needs: tuple[Literal, ...]
    adds: tuple[Atom, ...]
    deletes: tuple[Atom, ...]
    changes: tuple[NumericEffect, ...] = ()

    @classmethod
    def of(cls, schema: Action, arguments: tuple[str, ...]) -> Step:
        """The schema applied to variables and constants."""
        binding = dict(zip((p.name for p in schema.parameters), arguments, strict=True))
        effects = [effect.substitute(binding) for effect in schema.effects]
        adds = [effect.atom for effect in effects if effect.positive]
        return cls(
            schema,
            arguments,
            tuple([literal.substitute(binding) for literal in schema.precondition]),
            tuple(adds),
            tuple([e.atom for e in effects if not e.positive and e.atom not in adds]),
            tuple([one.substitute(binding) for one in schema.numeric]),
        )

    @property
    def effects(self) -> tuple[Literal, ...]:
        """What holds after the action because of it."""
        return (
            *(Literal(atom) for atom in self.adds),
            *(Literal(atom, False) for atom in self.deletes),
        )


class Need(NamedTuple):
    """A literal of a condition, as it stands in the pattern and generalised (`suffixes`).

    A *gate* is what a move asks of the way and the plan has seen to (`macro_moves`). A need of
    numbers is *given* if an action of the suffix moves these that way (`numbers`).
    """

    pattern: Literal
    literal: Literal
    is_gate: bool = False
    is_given: bool = False


# The schema, its arguments as terms, and the types of the variables met for the first time.
StepKey = tuple[str, tuple[str, ...], tuple[str, ...]]


@dataclass(eq=False, slots=True)
class Suffix:
    """The relevant end of a plan, in the order of its actions, with its condition.

    `goal` and `steps` are generalised; `types` are the types of their variables, `asked` those that
    the actions ask for, and `objects` the objects of the pattern that they stand for. `rules` is
    empty where none could ever apply, as for the empty suffix. `longer` are the suffixes one action
    longer, by that action; None stands for an action that is not relevant here, `TOO_LARGE` for one
    that would need too large a rule.
    """

    goal: Atom
    steps: tuple[Step, ...]
    needs: tuple[Need, ...]
    types: dict[str, str]
    object_types: tuple[str, ...]
    objects: dict[str, str]
    asked: dict[str, TypeNames]
    rules: tuple[Rule, ...] = ()
    longer: dict[StepKey, Suffix | None] = field(default_factory=dict)

    @property
    def rank(self) -> int:
        """How many relevant actions are left, this one included."""
        return len(self.steps)

    @property
    def condition(self) -> tuple[Literal, ...]:
        """What must hold for the suffix to lead to its goal."""
        return tuple(dict.fromkeys(need.literal for need in self.needs if not need.is_given))


TOO_LARGE = Suffix(Atom(""), (), (), {}, (), {}, {})
