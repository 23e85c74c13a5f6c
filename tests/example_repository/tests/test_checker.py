"""Tests of one's own, beside the families."""

from typing import Any

import pytest


@pytest.mark.assay(limit=30)
def test_it_is_good_on_plain_claims(assay_run: Any) -> None:
    assay_run.check("original.accuracy>=0.9")


def test_negation_does_not_move_it(assay_run: Any) -> None:
    assay_run.check("negation.drop<=0.1")


def test_something_else() -> None:
    assert True
