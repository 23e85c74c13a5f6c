"""Fixtures of these tests."""

from tests.fixtures.training import no_waiting_for_the_disk

__all__ = ["no_waiting_for_the_disk"]
