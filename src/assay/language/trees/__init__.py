"""Binary trees of words: how they are written, and a parser that finds them."""
