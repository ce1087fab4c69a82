"""Domains with ADL conditions and conditional effects: `python -m benchmarks.learners adl`."""

from __future__ import annotations

from benchmarks.adl.generators import DOMAINS

ADL = {domain.name: domain for domain in DOMAINS}
