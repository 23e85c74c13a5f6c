"""Asking by workers that are far away."""
