"""Fixtures of these tests."""

from tests.fixtures.annotation import site, visit
from tests.fixtures.runs import made, run
from tests.fixtures.web import _indexes_stay_in_the_test, client, owner, served

__all__ = ["_indexes_stay_in_the_test", "client", "made", "owner", "run", "served", "site", "visit"]
