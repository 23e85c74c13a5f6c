"""Facts that checks need about a word in its sentence."""
