"""From the plan for one goal to a rule for each of its relevant suffixes."""
