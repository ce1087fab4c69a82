"""Coverage-guided fuzzing of everything that reads what a stranger wrote: `make fuzz`.

`targets` says for each reader what may come of any bytes; `one` lets atheris look for bytes of
which something else comes; `__main__` runs all of them in turn and counts. The kernel's own
readers and loops are fuzzed in C++, under sanitizers: `native_readers.cpp`, `native_kernel.cpp`.
`commands` gives every command policies that are valid, at random.
"""
