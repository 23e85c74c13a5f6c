"""Large resources: WordNet, the tagger, word lists."""
