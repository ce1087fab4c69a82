"""Grows larger problems from given ones of an unknown domain."""

from pg3.learning.robustness.growing.grower import Grower

__all__ = ["Grower"]
