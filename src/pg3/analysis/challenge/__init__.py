"""What a policy cannot do, and what it has been seen to do.

`find_counterexample`   a solvable problem that the policy fails, made as small as possible
`certify`               a certificate: what was checked, with counts, and never more than that
`read_certificate`      a certificate from a file, validated

Where problems come from is in `cases`, when a policy has failed in `trial`, how a problem is made
smaller in `shrinking`, all problems of a generator in `enumeration`, all states of a problem in
`reachable`.
"""

from pg3.analysis.challenge.cases import Case, Kind, generated_cases, given_cases
from pg3.analysis.challenge.certificate import Certificate, read_certificate
from pg3.analysis.challenge.certifying import certify
from pg3.analysis.challenge.search import Counterexample, Search, find_counterexample
from pg3.analysis.challenge.shrinking import shrink
from pg3.analysis.challenge.trial import Trial

__all__ = [
    "Case",
    "Certificate",
    "Counterexample",
    "Kind",
    "Search",
    "Trial",
    "certify",
    "find_counterexample",
    "generated_cases",
    "given_cases",
    "read_certificate",
    "shrink",
]
