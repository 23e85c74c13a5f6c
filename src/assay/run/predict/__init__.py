"""Asking models: what is asked, in which order, what is kept and what is checked."""
