"""Support scores: how well one number per case separates supported claims from others."""
