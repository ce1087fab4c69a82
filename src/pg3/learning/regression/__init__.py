"""Rules by goal regression, in batch: a policy from plans for single goals, without search.

Plan for one goal after the other, keeping achieved goals true; regress each plan to a rule for each
of its relevant suffixes; order the rules by the number of actions that they are from their goal.
After a rule of rank k one of rank k - 1 applies, so each goal is reached, and kept where achieved
goals survive. Then run the policy, and where it stops short learn from plans that start there.

It cannot learn what takes an unboundedly long run of actions of one schema (a path through a
forest): it has a rule for each length. `RegressionResult.longest_run` is a sign of that. With macro
moves a run along relations that never change is one step (`macro_moves`).
"""

from pg3.learning.regression.learning import (
    LARGE_BUDGET,
    Regression,
    RegressionBudget,
    RegressionResult,
)

__all__ = ["LARGE_BUDGET", "Regression", "RegressionBudget", "RegressionResult"]
