"""Policies: lifted decision lists as values, as text and as JSON.

`Rule`, `Clause`, `DecisionList`    the values; parts of a rule are those of `pg3.pddl`
`read_policy`                       from a file in either format
`parse_policy`, `write_policy`      from and to text
`policy_from_json`, `policy_to_json`  from and to JSON
`check_policy`                      whether a policy that was built in Python is well formed
`canonical`, `canonical_rule`       one form for all that differ only in names and literal order
`encode_policy`                     integers for the kernel
"""

from pg3.policy.canonical import canonical, canonical_rule
from pg3.policy.checks import check_policy
from pg3.policy.encoding import encode_policy
from pg3.policy.files import as_policy, read_policy, save_policy
from pg3.policy.json_format import policy_from_json, policy_to_json
from pg3.policy.model import Clause, DecisionList, Rule
from pg3.policy.text import parse_policy, write_policy

__all__ = [
    "Clause",
    "DecisionList",
    "Rule",
    "as_policy",
    "canonical",
    "canonical_rule",
    "check_policy",
    "encode_policy",
    "parse_policy",
    "policy_from_json",
    "policy_to_json",
    "read_policy",
    "save_policy",
    "write_policy",
]
