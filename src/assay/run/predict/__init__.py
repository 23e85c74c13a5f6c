"""Predictions: what models are asked together, what is cached and what is checked."""
