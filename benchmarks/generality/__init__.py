"""MOOSE's eight domains: what is learned, how fast, and how its plans compare with LAMA's."""
