"""Tables, plots and pages made of result lines; never runs anything.

`compute` turns results into the values of the report; each format of `FORMATS` makes a text of it.
"""

from __future__ import annotations

from pg3.report.formats import FORMATS
from pg3.report.tables import compute

__all__ = ["FORMATS", "compute"]
