"""Antonymy: a word is replaced with its antonym."""
