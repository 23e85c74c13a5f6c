"""Which forms are words."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import ENDINGS, ORDER
from assay.language.words.word_forms import (
    BRIEF,
    LAYOUTS,
    SHORT,
    Layout,
    crowded_forms,
    is_word,
    keys_beside,
    known_forms,
    listed_words,
)

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
        pos in data.index.get(lemma, {}) and (len(lemma) > SHORT or lemma in listed_words()) for lemma, pos in lemmas
    )


@cache
def in_order(forms: frozenset[str]) -> list[str]:
    """Forms to draw from."""
    return sorted(forms)


def drawn(data: st.DataObject, forms: frozenset[str]) -> str:
    return in_order(forms)[data.draw(st.integers(0, len(forms) - 1))]


@given(st.data())
def test_forms_are_what_wordnet_knows_or_can_inflect(data: st.DataObject) -> None:
    form = drawn(data, known_forms())
    place, letter = data.draw(st.integers(0, len(form))), data.draw(st.sampled_from("adeginrsty"))
    for other in (form, form[:place] + letter + form[place + 1 :], form + "s", form + "ed"):
        if len(other) > SHORT and other.isalpha() and other not in listed_words():
            assert is_word(other) == is_known(other)


def test_irregular_forms_of_three_letters_count_only_if_they_are_listed() -> None:
    assert known_forms().isdisjoint({"dui", "ibo"})
    assert known_forms() >= {"dogs", "ties", "axes", "ate", "going", "wider", "wived", "tree", "tea", "go", "the"}


def words_near(typo: str, layout: Layout) -> set[str]:
    """The known forms that one slip makes of a typo, every other letter tried at each place."""
    changed = {
        typo[:i] + letter + typo[i + 1 :] for i in range(len(typo)) for letter in keys_beside(layout).get(typo[i], "")
    }
    swapped = {typo[:i] + typo[i : i + 2][::-1] + typo[i + 2 :] for i in range(len(typo) - 1)}
    return (changed | swapped) & known_forms()


@given(st.data(), st.sampled_from(LAYOUTS))
def test_crowded_forms_are_a_slip_away_from_several_words(data: st.DataObject, layout: Layout) -> None:
    form = drawn(data, crowded_forms(layout))
    assert len(words_near(form, layout)) > 1
    assert form not in known_forms()
    place, letter = data.draw(st.integers(0, len(form) - 1)), data.draw(st.sampled_from("adeginrsty"))
    other = form[:place] + letter + form[place + 1 :]
    assert (other in crowded_forms(layout)) == (len(words_near(other, layout)) > 1 and other not in known_forms())
    assert len(form) <= BRIEF
