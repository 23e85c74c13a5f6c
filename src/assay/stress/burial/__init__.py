"""Burial: the sentence that determines the label is hidden in a long text."""
