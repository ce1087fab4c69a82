"""What a run can do: the methods, and how each is carried out."""
