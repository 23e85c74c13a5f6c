"""Templates and natural logic: which pairs there are, and which label each has."""
