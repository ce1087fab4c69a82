"""The built-in domains of the paper and their seeded problem generators."""
