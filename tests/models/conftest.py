"""English as the models of this folder need it."""

import pytest

from assay.language.resources.installed import wordnet


@pytest.fixture(scope="session", autouse=True)
def english() -> None:
    """WordNet is in place; it is fetched if it is not."""
    wordnet()
