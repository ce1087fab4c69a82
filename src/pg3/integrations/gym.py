"""A PDDL problem as a Gymnasium environment, and a policy as an agent in it (extra "gym")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as missing:
    if missing.name != "gymnasium":
        raise
    raise ImportError(
        "pg3.integrations.gym needs Gymnasium, which is not installed: pip install 'pg3[gym]'",
        name=missing.name,
    ) from None

from pg3.errors import Pg3Error
from pg3.pddl.given import as_problem
from pg3.pddl.plans import GroundAction
from pg3.planning.agent import Agent
from pg3.semantics.task import Task

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pg3.pddl.given import DomainLike, ProblemLike
    from pg3.policy.files import PolicyLike
    from pg3.semantics.task import State


class PlanningEnv(gymnasium.Env[Any, Any]):
    """A problem as an environment: the observation is the state, a set of true atoms.

    An action is the number of one of `actions`, all ground actions of the problem, or a ground
    action itself. One that cannot be done changes nothing (`info["applicable"]`). The reward is 1
    when the goal is reached, else 0. `reset(options={"state": atoms})` begins in another state.
    The problem is grounded: it is for small ones.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium has it
    render_mode = "ansi"

    def __init__(
        self,
        problem: ProblemLike,
        domain: DomainLike | None = None,
        *,
        max_steps: int | None = None,
    ) -> None:
        self.problem = as_problem(problem, domain)
        self.max_steps = max_steps
        self._task = Task(self.problem)
        space = self._task.space
        self.actions: tuple[GroundAction, ...] = tuple(
            self._task.decode_action(number) for number in range(space.num_actions)
        )
        self.action_space = spaces.Discrete(max(1, len(self.actions)))
        self.observation_space = _States()
        self._number = {action: i for i, action in enumerate(self.actions)}
        self._state = space.initial
        self._steps = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[State, dict[str, Any]]:
        """The initial state, or that of `options["state"]`."""
        super().reset(seed=seed)
        start: Iterable[Any] | None = (options or {}).get("state")
        space = self._task.space
        self._state = space.initial if start is None else self._task.number(start)
        self._steps = 0
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[State, float, bool, bool, dict[str, Any]]:
        """Do an action: the next state, the reward, whether the goal holds, whether to stop."""
        if action is None:
            raise Pg3Error("no action is given: the policy has none to do in this state")
        ground = isinstance(action, GroundAction)
        number = self._number.get(action, -1) if ground else int(action)
        space = self._task.space
        applicable = number in self._applicable()
        if applicable:
            self._state = space.apply(self._state, number)
        self._steps += 1
        solved = space.is_goal(self._state)
        truncated = self.max_steps is not None and self._steps >= self.max_steps and not solved
        info = {**self._info(), "applicable": applicable}
        return self._observation(), float(solved), solved, truncated, info

    def render(self) -> str:
        """The facts that actions can change, one a line."""
        fluents = self.problem.domain.fluents
        return "\n".join(
            sorted(str(atom) for atom in self._observation() if atom.predicate in fluents)
        )

    def _observation(self) -> State:
        return self._task.atoms(self._state)

    def _info(self) -> dict[str, Any]:
        """The steps so far, and what can be done now."""
        return {"steps": self._steps, "actions": self._applicable()}

    def _applicable(self) -> list[int]:
        return memoryview(self._task.space.applicable(self._state)).cast("i").tolist()


class _States(spaces.Space[Any]):
    """The space of all sets of atoms."""

    def contains(self, x: Any) -> bool:
        return isinstance(x, frozenset)


class PolicyAgent:
    """A policy that acts in an environment."""

    def __init__(self, env: PlanningEnv, policy: PolicyLike) -> None:
        self._env = env
        self._agent = Agent(env.problem, policy)

    def act(self, observation: State) -> int | None:
        """The number of the policy's action in this state; None if it has none to do."""
        self._agent.observe(observation)
        action = self._agent.act()
        return None if action is None else self._env._number.get(action)
