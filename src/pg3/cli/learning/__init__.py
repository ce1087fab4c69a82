"""Parts of the command `learn`: what it learns from, its options, its display and its report."""
