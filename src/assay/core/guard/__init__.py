"""Keeping libraries and services to what they are asked for."""
