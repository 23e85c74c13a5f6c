"""The family quantities: the numbers and dates of real claims, changed, bounded, restated and exchanged."""
