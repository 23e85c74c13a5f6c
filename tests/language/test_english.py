"""English or not."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.language.words.word_forms import is_foreign_corpus, looks_english

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


SHORT = {
    "Swahili": "Mbwa anakimbia|Mtoto analala|Mwanamke anapika|Paka anakula|Ndege anaruka|Msichana anaimba",
    "Afrikaans": "Die hond slaap|Die vrou sing|Hy eet brood|Sy lees boeke|Dit reën vandag|Ons gaan huis toe",
    "Dutch": "De hond slaapt|Hij eet brood|Zij leest boeken|Het regent vandaag|De kat drinkt melk|De auto is rood",
    "Latin": "Canis dormit|Femina ridet|Puella librum legit|Pluit hodie|Feles lac bibit|Sol lucet|Milites pugnant",
    "Spanish": "El perro duerme|Llueve hoy|Hace sol|Dos hombres caminan|Los hombres corren|La mujer canta",
}
CAPTIONS = (
    "Dog running|Woman singing|Two dogs|Kids sleep|Bride groom cake|Dogs chase cats|Skateboarder falling|Men outdoors"
)


@pytest.mark.parametrize("language", SHORT)
def test_short_texts_of_another_language_are_found_together(language: str) -> None:
    texts = [f"{text}. {other}." for text in SHORT[language].split("|") for other in SHORT[language].split("|")]
    assert is_foreign_corpus(texts)
    assert not any(looks_english(text, in_foreign=True) for text in texts)


def test_short_captions_together_are_english() -> None:
    assert not is_foreign_corpus(CAPTIONS.split("|") * 20)
    assert not is_foreign_corpus(ENGLISH * 20)
    assert not is_foreign_corpus([])


def test_one_rare_form_again_and_again_is_not_another_language() -> None:
    assert not is_foreign_corpus([f"Cat {number} sleeps. Animal {number} sleeps." for number in range(50)])


def test_an_english_sentence_in_a_corpus_that_is_not_is_english() -> None:
    assert looks_english("The dog sleeps in the garden. A dog is asleep.", in_foreign=True)
