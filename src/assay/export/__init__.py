"""Suites and models in other people's formats."""
