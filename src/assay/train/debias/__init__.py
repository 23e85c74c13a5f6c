"""Losses that keep a system from learning what a biased model already knows: one file per method."""
