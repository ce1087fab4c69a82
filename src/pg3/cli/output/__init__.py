"""What a person sees: values, in a terminal or a notebook, and how far a long command is."""
