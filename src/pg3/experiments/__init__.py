"""Runs of methods on domains, as result lines on disk.

`runs` says what a run is and `methods` which there are; `measurement` carries one out, `processes`
gives it a process of its own, `experiment` does many; `results` is the folder of their lines, which
is all that a report reads.
"""
