"""Spelling: slips of the finger."""
