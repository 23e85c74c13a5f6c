"""The formats: the meaning of a file's rows."""
