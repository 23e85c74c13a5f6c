"""The papers' analyses, one file per study."""
