"""Predictions: batching, caching and checks of answers."""
