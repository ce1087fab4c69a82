"""What the paper compares with that is no search over policies: random actions, a network."""
