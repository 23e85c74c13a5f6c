"""What the logic families know about English: words and how they are related, and operators and their polarity."""
