"""From cases and predictions to estimates. All of it is pure: nothing here reads a file or runs a model."""
