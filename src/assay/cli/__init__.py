"""The command line: its entry point, and one file per command that no feature brings."""
