"""How views become pages: templates, and the files that they link to."""
