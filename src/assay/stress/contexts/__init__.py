"""What checks need to know about a word in its sentence."""
