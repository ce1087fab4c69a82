"""Where files that other people wrote may lie; nothing here needs them but what says so.

They do not come with pg3. In the folder that the environment variable PG3_FOREIGN names, by default
`shared` beside the repository:

- problems/paper/DOMAIN: domain.pddl, train/seedK/*.pddl and test/seedK/*.pddl of PG3's authors;
- problems/moose/DOMAIN: domain.pddl, training/*.pddl and testing/*.pddl of MOOSE's authors;
- problems/numeric/DOMAIN: the same of MOOSE's domains with numbers;
- problems/autoscale/DOMAIN: p01.pddl to p30.pddl of Autoscale's authors, with domain.pddl or
  a domain-p01.pddl for each problem;
- paper.tex: the source of the paper on PG3, from arXiv.
"""

from __future__ import annotations

import os
from pathlib import Path

FOREIGN = Path(os.environ.get("PG3_FOREIGN") or Path(__file__).parents[2] / "shared")
PAPER_PROBLEMS = FOREIGN / "problems" / "paper"
MOOSE_PROBLEMS = FOREIGN / "problems" / "moose"
NUMERIC_PROBLEMS = FOREIGN / "problems" / "numeric"
AUTOSCALE_PROBLEMS = FOREIGN / "problems" / "autoscale"
PAPER_SOURCE = FOREIGN / "paper.tex"
