"""The nouns, the errors, the registry and the seams. Imports nothing else of Assay."""
