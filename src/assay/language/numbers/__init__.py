"""Numbers in a text: their values, and the words that turn them into bounds."""
