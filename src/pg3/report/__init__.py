"""Tables, plots and pages made of result lines; never runs anything."""
