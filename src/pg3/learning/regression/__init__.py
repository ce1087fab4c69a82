"""Rules by goal regression, in batch: a policy from plans for single goals, without search.

Plan for one goal after the other, keeping what is achieved; regress each plan to a rule for each of
its relevant suffixes; put the rules in order of the number of actions they are from their goal.
After a rule of rank k one of rank k - 1 applies, so each goal is reached, and kept where achieved
goals survive. Then run the policy, and where it stops short learn from plans that start there.

It cannot learn what takes an unboundedly long run of like actions (a way through a forest): it
unrolls it. `RegressionResult.longest_run` is a sign of that. Along roads that never change a run is
one step, if one asks for it (`travel`).
"""

from pg3.learning.regression.learning import (
    THOROUGH,
    Diligence,
    RegressionResult,
    learn_by_regression,
)

__all__ = ["THOROUGH", "Diligence", "RegressionResult", "learn_by_regression"]
