"""Verbs that examine a single pair or a set of tests."""
