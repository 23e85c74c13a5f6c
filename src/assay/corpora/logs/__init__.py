"""Logs of other evaluation tools, one file per tool: rows with id, premise, hypothesis, label and prediction."""
