"""English or not."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.words.english import looks_english

ENGLISH = [
    "",
    "42",
    "!?",
    "Guten Tag!",
    "Men playing football outdoors",
    "Two dogs run through tall grass.",
    "Dogs chase cats",
    "yeah uh-huh i know what you mean",
    "We ate crème brûlée in a café near the Champs-Élysées.",
    "He said je ne sais quoi and left the room.",
    "The word Москва means Moscow.",
    # headlines and captions
    "Stocks tumble amid rate jitters; tech giants slump",
    "STORM BATTERS COAST, THOUSANDS FLEE HOMES",
    "Young woman wearing striped sweater feeding pigeons, city square, winter",
    "Bride groom cake knife",
    # names and places
    "Nguyen Van Thieu met Wladyslaw Szpilman and Ngozi Okonkwo in Ouagadougou.",
    "Saint-Jean-de-Luz, Aix-en-Provence, San Juan de la Cruz",
    "Azay-le-Rideau is open.",
    # telegraphic, lists and notes
    "Arrived safely stop send money stop love Harold",
    "flour sugar butter eggs salt vanilla milk cinnamon nutmeg raisins walnuts honey yeast cream cheese apples lemons",
    "Patient stable, afebrile, lungs clear, discharge tomorrow",
    # speech and dialect
    "um yeah so like he goes y'all ain't gettin' none and i'm like whatever",
    "Gonna grab some grub, wanna come along mate?",
    "Aye, we'll be havin' nowt but trouble wi' that lad.",
    # typos
    "Teh man whos waering a hat si running form the polcie",
    # technical
    "Polyvinylidene fluoride membranes inhibit bacterial adhesion under laminar flow",
    "The kernel maps each page lazily; see mmap(2) and https://www.kernel.org/doc/html/latest/x86_64.html",
    "def parse(line): return line.split(',')[0]",
    "Run sudo apt-get update && ./configure --prefix=/usr/local, then email root@localhost",
    # tweets
    "omg this is sooo good lol cant even #blessed @someone",
    "idk why ppl r still mad about this tbh",
]

OTHERS = tomllib.loads((Path(__file__).parent / "other_languages.toml").read_text(encoding="utf-8"))
FOREIGN = [
    pytest.param(text, id=f"{language} {number}")
    for languages in OTHERS.values()
    for language, texts in languages.items()
    for number, text in enumerate(texts, 1)
]


@pytest.mark.parametrize("text", ENGLISH)
def test_english(text: str) -> None:
    assert looks_english(text)


@pytest.mark.parametrize("text", FOREIGN)
def test_not_english(text: str) -> None:
    assert not looks_english(text)


def test_random_letters_are_not_english() -> None:
    assert not looks_english("Qwrt plkj mnbv zxcv asdfg hjklq")


@pytest.mark.parametrize("text", ["Il pleut.", "Der Hund schläft.", "Habari gani?", "mazel tov", "hasta la vista"])
def test_a_few_words_are_not_enough(text: str) -> None:
    assert looks_english(text)


def test_a_long_list_of_plain_words_stays_english() -> None:
    words = "window garden teacher silver market engine planet candle bridge doctor winter orange pocket letter"
    assert looks_english(f"{words} " * 50)


def test_a_long_english_text_with_a_foreign_sentence_stays_english() -> None:
    english = "The guide told us that the castle was closed, but that we could walk around the lake."
    assert looks_english(f"{english} Das Schloss ist heute leider geschlossen. {english}")


@given(st.text(max_size=60))
def test_any_text_gets_an_answer(text: str) -> None:
    assert looks_english(text) in {True, False}
