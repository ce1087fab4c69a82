"""Triangle tables: why each action of a plan could be done."""
