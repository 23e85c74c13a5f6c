"""Support scores: how well one number per case separates what is supported from what is not."""
