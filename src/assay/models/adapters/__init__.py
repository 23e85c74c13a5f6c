"""Adapters: one file a kind of model that somebody else made."""
