"""Logic in real sentences: what differs between two texts, how it is related, and which label its place gives it."""
