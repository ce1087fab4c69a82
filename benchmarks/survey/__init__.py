"""Domains that nobody prepared for the learner: `python -m benchmarks.learners survey`."""

from __future__ import annotations

from benchmarks.survey.carrying import CARRYING
from benchmarks.survey.cells import CELLS
from benchmarks.survey.stacks import STACKS

SURVEY = {domain.name: domain for domain in sorted(CARRYING + CELLS + STACKS, key=lambda d: d.name)}
