"""Which forms are words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.forms import BRIEF, SHORT, brief_forms, known_forms, listed
from assay.language.resources import wordnet
from assay.language.vocabulary import is_word
from assay.language.wordnet import ENDINGS, ORDER

pytestmark = pytest.mark.usefixtures("english")


WORDS = """from form of at with which don't n't isn't won't 's I'm o'clock dog dogs children geese ran running bigger
best happily gonna yeah okay uh-huh website emails colour color Paris maria DOGS dog's dogs' well-known mother-in-law
the else etc tea teas ox oxen go goes can't couldn\u2019t as it TV"""
NO_WORDS = """teh hte fo ot th adn nad si ti te fro2 wnet wtih wihch whcih frmo form1 dgo cta hosue peolpe becuase ahve
thsi taht recieve xyzzy dogx well-knwon 3 3rd 1,000 ... - ' %"""


def test_words() -> None:
    assert [form for form in WORDS.split() if not is_word(form)] == []


def test_no_words() -> None:
    assert [form for form in NO_WORDS.split() if is_word(form)] == []


@pytest.mark.parametrize("form", ["", " ", "two words"])
def test_what_is_no_single_form_is_no_word(form: str) -> None:
    assert not is_word(form)


@given(st.text(max_size=12))
def test_capitals_do_not_matter(form: str) -> None:
    if form.lower().upper().lower() == form.lower():
        assert is_word(form.lower()) == is_word(form.upper())


def is_known(form: str) -> bool:
    """The same, asked of WordNet: a lemma, an irregular form, or a lemma with an ending."""
    data = wordnet().data
    lemmas = [(lemma, pos) for pos in ORDER for lemma in data.exceptions[pos].get(form, [])]
    lemmas += [(form.removesuffix(old) + new, pos) for pos in ORDER for old, new in ENDINGS[pos] if form.endswith(old)]
    return form in data.index or any(
        pos in data.index.get(lemma, {}) and (len(lemma) > SHORT or lemma in listed()) for lemma, pos in lemmas
    )


@given(st.data())
def test_forms_are_what_wordnet_knows_or_can_inflect(data: st.DataObject) -> None:
    form = data.draw(st.sampled_from(sorted(known_forms())))
    place, letter = data.draw(st.integers(0, len(form))), data.draw(st.sampled_from("adeginrsty"))
    for other in (form, form[:place] + letter + form[place + 1 :], form + "s", form + "ed"):
        if len(other) > SHORT and other.isalpha() and other not in listed():
            assert is_word(other) == is_known(other)


def test_brief_forms_are_words() -> None:
    words = ["dogs", "ties", "axes", "ate", "going", "wider", "wived", "tree", "tea", "go", "the"]
    assert [form for form in words if form not in brief_forms()] == []
    assert brief_forms() == {form for form in known_forms() if len(form) <= BRIEF}
    assert brief_forms().isdisjoint({"dui", "ibo"}), "irregular forms of three letters count only if they are listed"
