"""Word overlap, negation and length mismatch: clauses that are always true."""
