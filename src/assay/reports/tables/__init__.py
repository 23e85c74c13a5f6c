"""Tables as plain data, which every format writes in its own way."""
