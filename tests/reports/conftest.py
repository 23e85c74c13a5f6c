"""Fixtures of these tests."""

from tests.fixtures.reports import run, stored, view

__all__ = ["run", "stored", "view"]
