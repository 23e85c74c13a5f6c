"""The papers' analyses of stored runs: one file for each."""
