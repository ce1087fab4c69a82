"""Rules and lifted decision lists: Definitions 2 to 5 of the paper, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pg3.pddl.model import Clause, substitute
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pg3.pddl.model import Literal, Parameter

__all__ = ["Clause", "DecisionList", "Rule"]


@dataclass(frozen=True, slots=True)
class Rule:
    """If some objects satisfy the conditions, do the action: Definition 2 of the paper.

    Par(rule) is `parameters` (their order is the order in which tuples of objects are tried),
    Pre(rule) `preconditions`, Goal(rule) `goals`, Act(rule) `action` with its `arguments`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    preconditions: tuple[Literal, ...]
    goals: tuple[Literal, ...]
    action: str
    arguments: tuple[str, ...]

    @property
    def size(self) -> int:
        """|Pre(rule)| + |Goal(rule)|."""
        return len(self.preconditions) + len(self.goals)

    def ground_action(self, binding: Mapping[str, str]) -> GroundAction:
        """The action that the rule chooses with these objects for its parameters."""
        return GroundAction(self.action, substitute(self.arguments, binding))


@dataclass(frozen=True, slots=True)
class DecisionList:
    """A lifted decision list policy: Definition 5. The first applicable rule acts.

    `definitions` are the clauses of the predicates that its rules use beyond the domain's.
    """

    name: str
    rules: tuple[Rule, ...]
    definitions: tuple[Clause, ...] = ()

    @property
    def size(self) -> int:
        """The sum of the rules' sizes, as in the paper's size penalty."""
        return sum(rule.size for rule in self.rules)
