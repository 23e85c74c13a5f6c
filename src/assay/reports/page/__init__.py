"""The page of a report: its template, style and scripts, and what puts them together."""
