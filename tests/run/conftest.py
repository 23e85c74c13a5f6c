"""Fixtures of these tests."""

from tests.fixtures.runs import made, run, write_corpus

__all__ = ["made", "run", "write_corpus"]
