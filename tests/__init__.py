"""The tests of pg3; `oracle/` holds the slow twins, `strategies.py` the random problems."""
