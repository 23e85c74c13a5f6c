"""The web application: one file per view, and one place that checks who may see which page."""
