"""Numbers in a text: what they are worth, and what they bound."""
