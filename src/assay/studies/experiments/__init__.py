"""Experiments with a command of their own: one file each."""
