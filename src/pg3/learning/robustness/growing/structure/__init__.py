"""What static relations make of the objects of a grown problem: chains, lines, grids and maps."""
