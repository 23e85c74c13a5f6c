"""Fixtures of these tests."""

from tests.fixtures.web import (
    _indexes_stay_in_the_test,
    claims,
    claims_folder,
    client,
    hostile,
    owner,
    run,
    served,
    site,
    stranger,
)

__all__ = [
    "_indexes_stay_in_the_test",
    "claims",
    "claims_folder",
    "client",
    "hostile",
    "owner",
    "run",
    "served",
    "site",
    "stranger",
]
