"""Domains with ADL conditions and conditional effects: `python -m benchmarks.learners adl`.

`generators`  after the competitions' domains, with their PDDL in pddl/
`quantified`  smaller ones, whose goals are ADL as well
"""

from __future__ import annotations

from benchmarks.adl.generators import DOMAINS
from benchmarks.adl.quantified import QUANTIFIED

ADL = {domain.name: domain for domain in (*DOMAINS, *QUANTIFIED)}
