"""English of the logic families: words and their relations, and operators and their polarity."""
