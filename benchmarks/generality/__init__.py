"""Many domains, none prepared: what is learned, how fast, and how its plans compare with LAMA's.

`cases`     the domains, with their training and test problems and a hand-written policy if any
`store`     results on disk, one JSON line a file, so that a run can be made in parts
`measure`   learning in a process of its own, and policies on test problems
`lama`      Fast Downward's LAMA on the same problems
`tables`    the results as tables; `page` puts them into docs/results/generality.md
"""
