"""What WordNet says about two words, and about a word in a sentence."""
