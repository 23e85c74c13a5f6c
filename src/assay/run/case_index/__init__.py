"""Browsing the cases of a stored run: an index of columns and words, filters, and counts for each filter value."""
