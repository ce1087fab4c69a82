"""More than one machine: work that is given to the workers of a cluster.

`pool`       where work goes: executors as in `concurrent.futures`, one for each place of work
`dask_pool`  the pool of a Dask scheduler (the extra `pg3[cluster]`)
`tasks`      what all tasks on a worker have in common: messages, versions, being still wanted
`scoring`    the evaluator of a learner: scores of candidates, asked for here ...
`scorer`     ... and worked out there

Messages in both directions are JSON text, and tasks are functions of pg3 that are named, not sent.
A task is a pure function of its message: if a worker is lost, another one does the same again.
"""
