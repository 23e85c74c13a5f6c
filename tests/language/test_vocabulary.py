"""Which forms are words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.vocabulary import BRIEF, any_word, is_word

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


@given(st.sets(st.text("abdeghimnorsty", min_size=1, max_size=BRIEF), max_size=8))
def test_asking_for_several_forms_at_once_is_asking_for_each(forms: set[str]) -> None:
    assert any_word(forms) == any(map(is_word, forms))


def test_brief_inflected_forms_are_known_in_advance() -> None:
    brief = ["dogs", "men", "ties", "axes", "ate", "going", "wider", "wived", "tree", "tea", "go", "the"]
    assert [form for form in brief if any_word({form}) != is_word(form)] == []
    assert not any_word({"dui", "ibo"}), "irregular forms of three letters count only if they are listed"
