"""Reasons for failures: shortcuts that models follow, effects of edits, what goes with errors, and shared errors."""
