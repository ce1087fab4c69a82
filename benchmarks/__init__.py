"""Ratios against other people's tools, measured in one run: `make bench`."""
