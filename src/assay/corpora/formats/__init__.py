"""What the rows of a file mean: one file per format."""
