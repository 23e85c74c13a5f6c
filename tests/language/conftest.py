"""English as the tests of this folder need it."""

import pytest

from assay.language.resources.installed import wordnet


@pytest.fixture(scope="session")
def english() -> None:
    """WordNet and the tagger are in place; they are unpacked if they are not."""
    wordnet()
