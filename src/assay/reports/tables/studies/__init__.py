"""Studies as tables."""
