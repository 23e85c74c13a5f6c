"""What is too large to write by hand: WordNet, the tagger, word lists."""
