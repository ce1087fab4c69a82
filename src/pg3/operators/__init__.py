"""To be filled by the registry."""
