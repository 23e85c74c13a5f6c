"""The papers' published numbers, as data."""
