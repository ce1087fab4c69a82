"""Commands about the built-in domains: domains, generate."""
