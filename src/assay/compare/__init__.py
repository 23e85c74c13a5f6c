"""Comparing stored runs."""
