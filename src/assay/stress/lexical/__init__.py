"""Lexical inference (Glockner et al. 2018): one word gives way to another, and the label follows from the two."""
