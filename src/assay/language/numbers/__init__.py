"""Numbers in a text: their values, and what they bound."""
