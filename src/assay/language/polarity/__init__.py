"""Polarity: at which positions of a sentence inference is reversed, judged by the surrounding words."""
