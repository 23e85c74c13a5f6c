"""Chat models: prompts, calls, and how replies are read."""
