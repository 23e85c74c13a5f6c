"""Adapters: one file per kind of third-party model."""
