"""Scoring answers that were made elsewhere."""
