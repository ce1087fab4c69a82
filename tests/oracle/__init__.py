"""Slow, obvious twins of what pg3 does fast: the specification in plain Python.

They share nothing with the kernel but the model classes. Everything is enumerated, nothing is
cached across calls or indexed, so that each file can be checked by reading it.
"""
