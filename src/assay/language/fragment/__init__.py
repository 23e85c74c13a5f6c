"""A fragment of English that is fully known: every word, every tree. The heuristics family is written in it."""
