"""A fragment of English that is known whole: every word, every tree. The heuristics' sentences are written in it."""
