"""The independent checker of proofs: it shares no code with the search for them."""
