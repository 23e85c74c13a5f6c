"""Texts: tokens, tags, sentences, clauses, and where two texts differ."""
