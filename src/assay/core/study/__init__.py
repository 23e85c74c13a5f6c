"""Studies: their plans and their records."""
