"""What a step of `pg3.Agent` takes: asking for the action, and telling that it was done.

For Ferry with twenty places and more and more cars, with the policy of examples/. Microseconds of
processor time, the mean of the steps. After each tenth step somebody else moves a car that is not
on board, and telling that counts, too.
"""

from __future__ import annotations

import random
import time
from pathlib import Path

from pg3 import Agent, read_policy
from pg3.domains import DOMAINS

POLICY = Path(__file__).parents[1] / "examples" / "policies" / "ferry.policy"
CARS = (10, 100, 1_000, 10_000)
STEPS = 2_000


def microseconds(cars: int) -> float:
    """The mean of the steps on a problem with so many cars."""
    ferry = DOMAINS["ferry"]
    sizes = {"cars": (cars, cars), "locations": (20, 20)}
    (problem,) = ferry.problems("test", seed=0, count=1, sizes=sizes)
    agent = Agent(problem, read_policy(POLICY, ferry.domain))
    places = sorted(fact.terms[0] for fact in agent.state if fact.predicate == "location")
    rng = random.Random(0)
    taken = 0.0
    for step in range(STEPS):
        if agent.solved:
            agent.reset()
        # Looking for a car that can be moved is the disturber's work, not the agent's.
        moved = []
        if step % 10 == 9:
            moved = [min(fact for fact in agent.state if fact.predicate == "at")]
        new = [("at", fact.terms[0], rng.choice(places)) for fact in moved]
        start = time.process_time()
        action = agent.act()
        assert action is not None
        agent.apply(action)
        agent.update(new, moved)
        taken += time.process_time() - start
    return taken / STEPS * 1e6


if __name__ == "__main__":
    for number in CARS:
        print(f"{number:>6} cars: {microseconds(number):6.1f} microseconds a step", flush=True)
