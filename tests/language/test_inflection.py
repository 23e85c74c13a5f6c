"""Number, degree, capitals and articles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.edit import replace
from assay.language.words.inflection import (
    article_for,
    article_repair,
    capitals_of,
    inflect_like,
    make_plural,
    with_degree,
)

WORDS = st.text(st.characters(codec="ascii", categories=("Lu", "Ll")), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("word", "tag", "lemma", "shaped"),
    [
        ("men", "NNS", "woman", "women"),
        ("Parents", "NNS", "child", "Children"),
        ("ENEMIES", "NNS", "ally", "ALLIES"),
        ("friend", "NN", "foe", "foe"),
        ("bigger", "JJR", "small", "smaller"),
        ("Thinnest", "JJS", "fat", "Fattest"),
        ("best", "JJS", "bad", "worst"),
        ("better", "JJR", "worse", "worse"),
        ("upper", "JJR", "lower", "lower"),
        ("honest", "JJS", "dishonest", "dishonest"),
        ("iWin", "NN", "loss", "loss"),
        ("lords", "NNS", "Lady", "Ladys"),
        ("easier", "JJR", "difficult", None),
        ("lies", "NNS", "information", None),
        ("rising", "VBG", "fall", None),
    ],
)
def test_a_lemma_takes_the_shape_of_a_word(word: str, tag: str, lemma: str, shaped: str | None) -> None:
    assert inflect_like(word, tag, lemma) == shaped


@pytest.mark.parametrize(
    ("noun", "many"),
    [
        *(("city", "cities"), ("day", "days"), ("box", "boxes"), ("church", "churches"), ("monarch", "monarchs")),
        *(("wish", "wishes"), ("leaf", "leaves"), ("roof", "roofs"), ("hero", "heroes"), ("piano", "pianos")),
        *(("human", "humans"), ("postman", "postmen"), ("grandchild", "grandchildren"), ("analysis", "analyses")),
        *(("sheep", "sheep"), ("winnings", "winnings"), ("weakness", "weaknesses"), ("Monday", "Mondays")),
        *(("bus", "buses"), ("lens", "lenses"), ("quiz", "quizzes"), ("kindness", "kindnesses"), ("boss", "bosses")),
        *(("soliloquy", "soliloquies"), ("person", "people"), ("Person", "People"), ("darkness", None)),
    ],
)
def test_plurals(noun: str, many: str | None) -> None:
    assert make_plural(noun) == many


@pytest.mark.parametrize(
    ("adjective", "more", "most"),
    [
        *(("hot", "hotter", "hottest"), ("dry", "drier", "driest"), ("grey", "greyer", "greyest")),
        *(("late", "later", "latest"), ("simple", "simpler", "simplest"), ("narrow", "narrower", "narrowest")),
        *(("lovely", "lovelier", "loveliest"), ("weak", "weaker", "weakest"), ("vague", "vaguer", "vaguest")),
        *(("few", "fewer", "fewest"), ("new", "newer", "newest"), ("lax", "laxer", "laxest")),
        *(("useful", None, None), ("wrong", None, None), ("famous", None, None), ("boring", None, None)),
        *(("visible", None, None), ("modern", None, None)),
    ],
)
def test_degrees(adjective: str, more: str | None, most: str | None) -> None:
    assert (with_degree(adjective, "JJR"), with_degree(adjective, "JJS")) == (more, most)


AN = """hour honest heir herb MRI FBI HIV SUV X-ray x-ray 8 8th 80 800 11 11th 18 18-year-old 11,000 1850 $8 EU LED
unimportant unidentified uninvited usher urn umbrella utter OLD UNCLE HONEST e-mail F-16 S-bend html nth onerous école
owl O'Brien Xmas R&B MIT Yvonne 'odd' "old" """
A = """university unit unicorn user useful European eulogy ewe one one-off once UFO UN UK USA URL UNESCO NATO NASA RAM
1 10 100 110 180 1,800 118 CD U-turn T-shirt house hotel history MAN HAPPY SMALL Mr. Lt. yellow xylophone unanimous
uranium Uruguayan Ukrainian utensil usual "good" herd"""


@pytest.mark.parametrize(("article", "words"), [("an", AN), ("a", A)])
def test_articles(article: str, words: str) -> None:
    assert [word for word in words.split() if article_for(word) != article] == []


@pytest.mark.parametrize(
    ("text", "old", "new", "result"),
    [
        ("That is a bad idea.", "bad", "excellent", "That is an excellent idea."),
        ("An old dog slept.", "old", "young", "A young dog slept."),
        ("A bad day.", "bad", "easy", "An easy day."),
        ("IT WAS A BAD DAY", "BAD", "EASY", "IT WAS AN EASY DAY"),
        ("It is AN odd DAY", "odd", "normal", "It is A normal DAY"),
        ('We saw a "bad" film.', "bad", "old", 'We saw an "old" film.'),
        ("An\n easy job.", "easy", "hard", "A\n hard job."),
        ('"A short film," he said.', "short", "endless", '"An endless film," he said.'),
        ("It is a very bad idea.", "bad", "excellent", "It is a very excellent idea."),
        ("Too much vitamin A harmful doses hide.", "harmful", "innocent", "Too much vitamin A innocent doses hide."),
        ("Alma bad", "bad", "odd", "Alma odd"),
        ("The X-a bad", "bad", "odd", "The X-a odd"),
        ("bad", "bad", "odd", "odd"),
    ],
)
def test_the_article_before_a_replaced_word_is_repaired(text: str, old: str, new: str, result: str) -> None:
    place = text.index(old)
    repair = article_repair(text, place, new)
    repaired = replace(text[:place], (repair,)) if repair else text[:place]
    assert repaired + new + text[place + len(old) :] == result


@given(WORDS)
def test_any_word_has_one_article_which_needs_no_repair(word: str) -> None:
    article = article_for(word)
    assert article in {"a", "an"}
    assert article_repair(f"It is {article} {word}.", 7 + len(article), word) is None
    other = "an" if article == "a" else "a"
    repair = article_repair(f"It is {other} {word}.", 7 + len(other), word)
    assert repair is not None
    assert repair.new == article


@given(WORDS, WORDS)
def test_capitals_change_nothing_but_capitals(word: str, other: str) -> None:
    shaped = capitals_of(word, other.lower())
    assert shaped.lower() == other.lower()
    assert shaped[0].isupper() == (word[0].isupper() and shaped != other.lower())


@given(st.text(min_size=1, max_size=12))
def test_odd_words_do_no_harm(word: str) -> None:
    for tag in ("NN", "NNS", "JJR", "JJS"):
        shaped = inflect_like(word, tag, word)
        assert shaped is None or shaped
    assert article_for(word) in {"a", "an"}
