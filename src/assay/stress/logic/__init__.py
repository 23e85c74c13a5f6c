"""Families about logical words: natural logic builds the pairs, and a search through worlds verifies labels."""
