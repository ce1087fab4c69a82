"""Learning policies: the paper's search, goal regression, and what makes both robust."""
