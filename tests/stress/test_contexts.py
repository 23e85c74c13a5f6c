"""The rules that all checks share, asked about single words of any part of speech."""

import pytest

from assay.language.text.analysis import analyse
from assay.stress.contexts.claims import doubt_of_claim, doubt_of_generality, doubt_of_picking
from assay.stress.contexts.token_context import TokenContext


def place(text: str, word: str, new: str = "other") -> TokenContext:
    tokens = analyse(text)
    i = next(i for i, token in enumerate(tokens) if token.text.lower() == word)
    return TokenContext.of(text, tokens, i, new)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The baker did not sell the bread.", "bread"),
        ("Does the baker sell bread?", "bread"),
        ("The baker might sell the bread.", "sell"),
        ("If it rains, the baker sleeps.", "sleeps"),
        ("The baker sings if it rains.", "sings"),
        ("Some people sing in the street.", "sing"),
        ("First, wet the lens that you have.", "lens"),
    ],
)
def test_what_is_not_claimed_is_told(text: str, word: str) -> None:
    assert doubt_of_claim(place(text, word))


@pytest.mark.parametrize(
    ("text", "word"),
    [("The baker sold the bread.", "sold"), ("The baker sold the bread.", "bread"), ("The soup is hot.", "hot")],
)
def test_what_is_claimed_passes(text: str, word: str) -> None:
    assert doubt_of_claim(place(text, word)) == ""


def test_a_modifier_may_pick_out_one_of_several() -> None:
    assert doubt_of_picking(place("The state pays for public schools.", "public", "private"))
    assert doubt_of_picking(place("The old man sat on a bench.", "old", "young")) == ""


@pytest.mark.parametrize("text", ["Dogs have tails.", "A dog has a tail.", "Fresh water is good for plants."])
def test_general_statements_are_told(text: str) -> None:
    assert doubt_of_generality(place(text, text.lower().rstrip(".").split()[-1]))


@pytest.mark.parametrize(
    "text", ["Two dogs have bones.", "The dog has a bone.", "A dog is eating a bone.", "Dogs found a bone."]
)
def test_statements_about_known_things_are_not_general(text: str) -> None:
    assert doubt_of_generality(place(text, text.lower().rstrip(".").split()[-1])) == ""
