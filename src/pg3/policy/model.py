"""Rules and lifted decision lists: Definitions 2 to 5 of the paper, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pg3
from pg3 import policy as formats
from pg3.errors import pluralize
from pg3.pddl.model import Clause, substitute
from pg3.pddl.plans import GroundAction

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pg3.pddl.given import PathLike, ProblemLike, ProblemsLike
    from pg3.pddl.model import Atom, Domain, Literal, Parameter

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

    `definitions` are the clauses of the predicates that its rules use beyond the domain's. `domain`
    is the one that it was read or learned for, if it was; policies are equal whatever it is.

    The methods are the functions of `pg3` with the policy filled in; problems may be paths.
    """

    name: str
    rules: tuple[Rule, ...]
    definitions: tuple[Clause, ...] = ()
    domain: Domain | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        return f"<policy {self.name}: {pluralize(len(self.rules), 'rule')}>"

    def __str__(self) -> str:
        return formats.write_policy(self, self.domain)

    @property
    def size(self) -> int:
        """The sum of the rules' sizes, as in the paper's size penalty."""
        return sum(rule.size for rule in self.rules)

    def act(self, problem: ProblemLike, state: Iterable[Atom] | None = None) -> GroundAction | None:
        """What to do in a state, by default the initial one; None if no rule applies.

        For many states in a row, `pg3.Agent` is faster: it looks at what has changed only.
        """
        agent = pg3.Agent(problem, self)
        if state is not None:
            agent.observe(state)
        return agent.act()

    def run(self, problem: ProblemLike, *, max_steps: int | None = None) -> pg3.Execution:
        """Carry it out on a problem: `pg3.execute`."""
        return pg3.execute(problem, self, max_steps=max_steps)

    def evaluate(self, problems: ProblemsLike, *, jobs: int = 1) -> pg3.Evaluation:
        """Run it on many problems: `pg3.evaluate`."""
        return pg3.evaluate(problems, self, jobs=jobs)

    def explain(self, problem: ProblemLike) -> pg3.Explanation:
        """What it does on a problem, and why: `pg3.explain`; print it."""
        return pg3.explain(problem, self)

    def save(self, path: PathLike) -> None:
        """Write it to a file: JSON if the name ends with .json, else text. Readers see no half."""
        formats.save_policy(self, path)

    def to_python(self, path: PathLike | None = None) -> str:
        """The policy as a Python module without dependencies; also written to a file, if given."""
        return pg3.export(self, "python", path)
