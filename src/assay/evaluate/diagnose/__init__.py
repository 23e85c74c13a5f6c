"""Why models fail: shortcuts that they follow, what edits do, what goes with errors, and errors they share."""
