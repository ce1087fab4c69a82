"""Runs of methods on domains, as result lines on disk; never draws."""
