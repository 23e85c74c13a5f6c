"""Running models on one pair, and explaining their answers by word and by edited copies of the pair."""
