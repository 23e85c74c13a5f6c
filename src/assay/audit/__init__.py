"""Auditing a suite or a corpus: whether it tests what it seems to test."""
