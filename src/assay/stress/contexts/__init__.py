"""Facts about a word in its sentence that the checks need."""
