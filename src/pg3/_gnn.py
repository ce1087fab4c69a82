"""Stands in for the extension of this name until that is built: its class is still the kernel's."""

from pg3._native import GnnTrainer

__all__ = ["GnnTrainer"]
