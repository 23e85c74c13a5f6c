"""Fixtures of these tests."""

from tests.fixtures.runs import made, run

__all__ = ["made", "run"]
