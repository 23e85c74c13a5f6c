"""Burial: the sentence that decides a pair, deep in a long text."""
