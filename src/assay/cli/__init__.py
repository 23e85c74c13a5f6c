"""The command line: its entry point, and one file per command that is not defined by a feature."""
