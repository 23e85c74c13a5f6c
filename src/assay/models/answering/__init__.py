"""What models share: batches, tokens, and how answers are read."""
