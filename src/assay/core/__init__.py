"""The nouns, the errors, the registry and the protocols. Imports nothing else from Assay."""
