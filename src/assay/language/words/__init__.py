"""Words: forms, categories, names, vectors, frequencies."""
