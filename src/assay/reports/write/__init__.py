"""One file per format that a report is written in."""
