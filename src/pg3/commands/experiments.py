"""The command that runs the paper's experiments."""
