"""Numeracy: quantities are replaced or limited."""
