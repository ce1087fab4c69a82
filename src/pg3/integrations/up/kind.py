"""What of unified-planning pg3 declares to support."""

from __future__ import annotations

from unified_planning.model import ProblemKind
from unified_planning.model.problem_kind_versioning import LATEST_PROBLEM_KIND_VERSION


def supported_kind() -> ProblemKind:
    """The features of unified-planning that a problem may have.

    A kind does not tell every assignment from one of true or false, nor an amount that never
    changes from others, nor a product: `convert` refuses these where it meets them.
    """
    kind = ProblemKind(version=LATEST_PROBLEM_KIND_VERSION)
    kind.set_problem_class("ACTION_BASED")
    kind.set_typing("FLAT_TYPING")
    kind.set_typing("HIERARCHICAL_TYPING")
    kind.set_conditions_kind("NEGATIVE_CONDITIONS")
    kind.set_conditions_kind("EQUALITIES")
    kind.set_conditions_kind("DISJUNCTIVE_CONDITIONS")
    kind.set_conditions_kind("EXISTENTIAL_CONDITIONS")
    kind.set_conditions_kind("UNIVERSAL_CONDITIONS")
    kind.set_effects_kind("CONDITIONAL_EFFECTS")
    kind.set_effects_kind("FORALL_EFFECTS")
    kind.set_quality_metrics("PLAN_LENGTH")
    kind.set_quality_metrics("ACTIONS_COST")
    kind.set_actions_cost_kind("STATIC_FLUENTS_IN_ACTIONS_COST")
    kind.set_actions_cost_kind("INT_NUMBERS_IN_ACTIONS_COST")
    kind.set_actions_cost_kind("REAL_NUMBERS_IN_ACTIONS_COST")
    kind.set_numbers("BOUNDED_TYPES")
    kind.set_problem_type("SIMPLE_NUMERIC_PLANNING")
    kind.set_problem_type("GENERAL_NUMERIC_PLANNING")
    kind.set_fluents_type("INT_FLUENTS")
    kind.set_fluents_type("REAL_FLUENTS")
    kind.set_effects_kind("INCREASE_EFFECTS")
    kind.set_effects_kind("DECREASE_EFFECTS")
    # The second one is also what release 1.3 calls static fluents of an action's parameters.
    kind.set_effects_kind("STATIC_FLUENTS_IN_NUMERIC_ASSIGNMENTS")
    kind.set_effects_kind("FLUENTS_IN_NUMERIC_ASSIGNMENTS")
    kind.set_initial_state("UNDEFINED_INITIAL_NUMERIC")
    # Plans are valid without it; the engine says that it does not look at it.
    kind.set_quality_metrics("FINAL_VALUE")
    return kind
