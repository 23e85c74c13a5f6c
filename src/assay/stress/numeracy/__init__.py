"""Numeracy: quantities give way to others."""
