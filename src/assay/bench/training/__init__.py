"""Training put together: which pairs a system sees, and the folder that it leaves."""
