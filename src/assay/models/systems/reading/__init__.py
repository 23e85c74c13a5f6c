"""From text to what networks read: words, their numbers, their vectors."""
