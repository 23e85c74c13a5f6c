"""Adapters: one file per kind of model that somebody else made."""
