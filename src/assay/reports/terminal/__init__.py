"""Terminal output: tables that fit, and lines of text."""
