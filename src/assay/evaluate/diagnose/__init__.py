"""Reasons for failures: shortcuts that models follow, effects of edits, correlates of errors, and shared errors."""
