"""What of unified-planning pg3 declares to support."""

from __future__ import annotations

from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION

_FEATURES = """
ACTION_BASED FLAT_TYPING HIERARCHICAL_TYPING
NEGATIVE_CONDITIONS EQUALITIES DISJUNCTIVE_CONDITIONS EXISTENTIAL_CONDITIONS UNIVERSAL_CONDITIONS
CONDITIONAL_EFFECTS FORALL_EFFECTS INCREASE_EFFECTS DECREASE_EFFECTS
PLAN_LENGTH ACTIONS_COST STATIC_FLUENTS_IN_ACTIONS_COST
INT_NUMBERS_IN_ACTIONS_COST REAL_NUMBERS_IN_ACTIONS_COST
SIMPLE_NUMERIC_PLANNING GENERAL_NUMERIC_PLANNING BOUNDED_TYPES INT_FLUENTS REAL_FLUENTS
STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS UNDEFINED_INITIAL_NUMERIC
"""


def supported_kind() -> ProblemKind:
    """The features of unified-planning that a problem may have.

    A kind does not tell every assignment from one of true or false, nor an amount that never
    changes from others, nor a product: `convert` refuses these where it meets them.
    """
    features = {
        *_FEATURES.split(),
        # What release 1.3 also calls static fluents of an action's parameters.
        "FLUENTS_IN_NUMERIC_ASSIGNMENTS",
        # Plans are valid without it; the engine says that it does not look at it.
        "FINAL_VALUE",
    }
    return ProblemKind(features, version=LATEST_PROBLEM_KIND_VERSION)
