"""One vector per text, whatever the model: systems over words, and transformers whose tokens are pooled."""
