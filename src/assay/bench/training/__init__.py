"""Training: which pairs a system sees, and the folder that it leaves."""
