"""What the WordNet baseline says, and when it says that it can't."""

from typing import Any

import pytest
from tests.conftest import Assay, case

from assay.core.errors import UserError
from assay.core.label import Label
from assay.models.baselines.wordnet_baseline import WordNetBaseline
from assay.run.predict.model_names import settings_of

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION


def judged(before: str, after: str, **options: Any) -> Label | None:
    premise, hypothesis = f"There is a {before} in the picture.", f"There is a {after} in the picture."
    return WordNetBaseline(**options).judge(premise, hypothesis).label


@pytest.mark.parametrize(
    ("before", "after", "label"),
    [
        ("dog", "animal", E),
        ("dogs", "animals", E),
        ("couch", "sofa", E),
        ("animal", "dog", N),
        ("man", "woman", C),
        ("guitar", "banjo", C),
        ("acoustic guitar", "banjo", C),
        ("living room", "dining room", C),
        ("Mars", "Venus", C),
        ("dog", "justice", None),
        ("near", "far away from", C),
        ("big-hearted", "small-hearted", C),
        ("zorg", "dog", None),
    ],
)
def test_the_literal_reading(before: str, after: str, label: Label | None) -> None:
    assert judged(before, after) is label


@pytest.mark.parametrize(
    ("before", "after", "options", "label"),
    [
        ("Mars", "Venus", {"instances": False}, None),
        ("guitar", "banjo", {"edges": 1, "count": "path"}, None),
        ("guitar", "banjo", {"edges": 2, "count": "path"}, C),
        ("tiny", "big", {}, None),
        ("tiny", "big", {"antonyms": "similar"}, C),
        ("little", "large", {}, None),
        ("little", "large", {"antonyms": "synset"}, C),
        ("tiny", "small", {"similar": "synonym"}, E),
        ("tiny", "small", {"similar": "hypernym"}, E),
        ("small", "tiny", {"similar": "hypernym"}, N),
        ("street", "road", {"order": "nec"}, E),
        ("road", "street", {"order": "ecn"}, N),
        ("sitting", "moving", {}, E),
        ("sitting", "moving", {"senses": "first"}, None),
    ],
)
def test_what_the_options_change(before: str, after: str, options: dict[str, Any], label: Label | None) -> None:
    assert judged(before, after, **options) is label


def test_the_order_decides_between_relations() -> None:
    """A mother is a parent as a father is, and a sense of the verb has both words."""
    found = {order[0]: judged("mother", "father", order=order) for order in ("enc", "cen")}
    assert found == {"e": E, "c": C}


@pytest.mark.parametrize(
    ("premise", "hypothesis", "note"),
    [
        ("A dog runs.", "The dog sleeps.", "the texts differ in several places"),
        ("A dog runs.", "A dog runs fast.", "words are added or left out"),
        ("A zorg runs.", "A dog runs.", "WordNet does not know the words"),
        ("A dog runs.", "A justice runs.", "no relation in WordNet"),
        ("A dog runs.", "a dog runs.", ""),
        ("A red hat, a red coat.", "A blue hat, a blue coat.", ""),
    ],
)
def test_a_fallback_says_so(premise: str, hypothesis: str, note: str) -> None:
    answer = WordNetBaseline(otherwise=C).predict([case(premise=premise, hypothesis=hypothesis)])[0]
    assert answer.note == note
    if note:
        assert answer.label is C


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label", "note"),
    [
        ("A dog runs.", "A cat sleeps.", None, "the texts differ in several places"),
        ("A dog runs.", "a dog runs", E, ""),
        ("A dog runs.", "A cat runs", C, ""),
    ],
)
def test_where_texts_differ(premise: str, hypothesis: str, label: Label | None, note: str) -> None:
    assert WordNetBaseline().judge(premise, hypothesis) == (label, note)


@pytest.mark.parametrize(("option", "message"), [("edges=-1", ">= 0"), ("otherwise=non-entailment", "three-way")])
def test_options_that_can_not_be(assay: Assay, option: str, message: str) -> None:
    assert message in assay("run", "--model", f"assay:wordnet?{option}", "--out", "run", code=2).stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("order=xyz", "the option order can't be 'xyz'. Choose one of enc, ecn, nec, nce, cen, cne."),
        ("edges=-3", "the option edges can't be '-3': expected int >= 0."),
        ("instances=maybe", "the option instances can't be 'maybe'. Say yes or no."),
        ("sense=any", "no option 'sense'; did you mean 'senses'?"),
    ],
)
def test_an_option_that_it_does_not_take_is_named_with_what_it_takes(options: str, message: str) -> None:
    with pytest.raises(UserError) as caught:
        settings_of(f"assay:wordnet?{options}")
    assert message in str(caught.value)


def test_flags_are_yes_or_no() -> None:
    assert settings_of("assay:wordnet?instances=no") == settings_of("assay:wordnet?instances=false")
