"""Language models that are asked in words: prompts, calls, and how to read what they reply."""
