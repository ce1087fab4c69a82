"""The command that turns results into a report."""
