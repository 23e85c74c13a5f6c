"""Collecting answers while people work: one file per sample, safe against kills, two tabs and two people."""
