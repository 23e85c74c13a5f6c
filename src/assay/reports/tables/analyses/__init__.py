"""The papers' analyses as tables, with what is published for the same data."""
