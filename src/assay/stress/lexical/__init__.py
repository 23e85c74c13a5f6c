"""Lexical inference (Glockner et al. 2018): one word is replaced, and the label follows from the two words."""
