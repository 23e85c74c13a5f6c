"""Checks by people: samples for annotators, their answers, gold labels and agreement."""
