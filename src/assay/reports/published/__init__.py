"""The papers' published figures, as data."""
