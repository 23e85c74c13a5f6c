"""Changed claims that nobody would write."""

import pytest

from assay.core.edit import Replacement
from assay.stress.across.odd_english import AGREEMENT, DOUBLE, PHRASE, REPEATED, doubt_of_english


@pytest.mark.parametrize(
    ("claim", "old", "new", "reason"),
    [
        ("I am not sure of it.", "sure", "unsure", DOUBLE),
        ("I am sure of it.", "sure", "unsure", None),
        ("The talks were very important.", "important", "unimportant", DOUBLE),
        ("The park is quiet and peaceful.", "peaceful", "unpeaceful", PHRASE),
        ("The man lost his hat.", "man", "woman", AGREEMENT),
        ("The man lost a hat.", "man", "woman", None),
        ("The man lost his hat.", "man", "guy", None),
        ("The men are hard at work.", "hard", "easy", PHRASE),
        ("The bed is hard.", "hard", "soft", None),
        ("Many small huts burnt.", "small", "many", REPEATED),
        ("The men work outside.", "outside", "in the open air", None),
        ("The men look outside for a cat.", "outside", "in the open air", PHRASE),
        ("The man is outside working.", "outside", "outside of", PHRASE),
    ],
)
def test_odd_words_are_refused(claim: str, old: str, new: str, reason: object) -> None:
    assert doubt_of_english(claim, [Replacement(claim.index(old), old, new)]) == reason
