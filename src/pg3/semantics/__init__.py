"""What PDDL and policies mean: states and successors, derived facts, whether a plan is valid."""
