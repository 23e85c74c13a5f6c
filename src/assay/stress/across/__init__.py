"""Edits across the pair: evidence with a changed claim."""
