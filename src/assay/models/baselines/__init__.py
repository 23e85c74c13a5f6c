"""Baselines that follow one shortcut each, and the WordNet baseline."""
