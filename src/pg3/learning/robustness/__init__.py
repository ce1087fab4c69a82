"""Policies that hold beyond the training problems: several proposers, and a test suite."""
