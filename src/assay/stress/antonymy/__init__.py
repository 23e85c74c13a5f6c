"""Antonymy: a word gives way to its antonym."""
