"""Families whose labels follow from logical words: natural logic builds, and worlds prove."""
