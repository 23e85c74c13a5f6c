"""Templates: what stays of a pair when its content words are exchanged."""

from hypothesis import given
from hypothesis import strategies as st

from assay.language.text.tokens import mask_content

CONTENT = ("actor", "doctor", "judge", "danced", "slept", "red")
OTHERS = ("baker", "senator", "author", "ran", "arrived", "blue")
FUNCTION = ("the", "near", "if", "not", "and")

texts = st.lists(st.sampled_from((*CONTENT, *FUNCTION)), max_size=12)


@given(texts, texts)
def test_other_content_words_give_the_same_template(premise: list[str], hypothesis: list[str]) -> None:
    renamed = dict(zip(CONTENT, OTHERS, strict=True))
    sides = ([renamed.get(word, word) for word in side] for side in (premise, hypothesis))
    assert mask_content(*sides) == mask_content(premise, hypothesis)


@given(texts, texts)
def test_function_words_and_places_stay(premise: list[str], hypothesis: list[str]) -> None:
    first, second = (side.split() for side in mask_content(premise, hypothesis).split("|"))
    for marks, words in ((first, premise), (second, hypothesis)):
        assert len(marks) == len(words)
        assert all((mark == word) is (word in FUNCTION) for mark, word in zip(marks, words, strict=True))


def test_another_structure_is_another_template() -> None:
    premise = ["the", "actor", "saw", "the", "judge"]
    assert mask_content(premise, premise) != mask_content(premise, [*reversed(premise)])
    assert mask_content(premise, premise) != mask_content(premise, ["the", "judge", "saw", "the", "actor"])
