"""Changed claims that nobody would write."""

import pytest

from assay.core.edit import Replacement
from assay.stress.across.odd_english import (
    AGREEMENT,
    ALREADY,
    CENTS,
    COMPLEMENT,
    COURSE,
    DEFINITION,
    DIGITS,
    DOUBLE,
    NAME,
    NOUN,
    PHRASE,
    REPEATED,
    SENSE,
    doubt_of_english,
)


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
        ("The attorney general has no power.", "attorney", "lawyer", PHRASE),
        ("The attorney has no power.", "attorney", "lawyer", None),
        ("A young woman sings.", "woman", "lady", None),
        ("It took a long time.", "long", "short", None),
        ("He ate hot dogs.", "hot", "cold", PHRASE),
        ("Men push carts down a deserted hall.", "deserted", "inhabited", PHRASE),
        ("Boys play Cowboys and Indians in a park.", "Indians", "Koreans", NAME),
        ("They met boys and Indians in a park.", "Indians", "Koreans", None),
        ("They crossed the Indian Ocean in May.", "Indian", "Korean", NAME),
        ("They met an Indian lady.", "Indian", "Korean", None),
        ("It wrote of medical fake goods.", "fake", "genuine", NOUN),
        ("It wrote of fake medical goods.", "fake", "genuine", None),
        ("The little girl is happy.", "little", "gigantic", NOUN),
        ("The little house is red.", "little", "gigantic", None),
        ("A happy baby sleeps.", "happy", "glad", NOUN),
        ("The baby is happy.", "happy", "glad", None),
        ("They are very sick.", "sick", "well", NOUN),
        ("They are sick.", "sick", "well", None),
        ("It is uncertain whether it works.", "uncertain", "certain", COMPLEMENT),
        ("It is uncertain that it works.", "uncertain", "certain", None),
        ("You should be honest if you can.", "honest", "dishonest", None),
        ("She is welcome to stay.", "welcome", "unwelcome", COMPLEMENT),
        ("She is able to stay.", "able", "unable", None),
        ("They left their bags behind.", "left", "arrived", COMPLEMENT),
        ("They left in May.", "left", "arrived", None),
        ("The man and women met.", "man", "woman", REPEATED),
        ("A women sings outside.", "outside", "outdoors", ALREADY),
        ("A women's team sings outside.", "outside", "outdoors", None),
        ("An atom with 6 protons is more often known as carbon.", "6", "fewer than 9", DEFINITION),
        ("Wavelength is the distance between two points.", "two", "five", DEFINITION),
        ("A triangle is a shape that has three sides.", "three", "five", DEFINITION),
        ("The firm has 6 offices in Norland.", "6", "9", None),
        ("The firm is a bank that has 6 offices.", "6", "9", None),
        ("It costs 85 cents.", "85", "between 54 and 130", CENTS),
        ("It costs 85 cents.", "85 cents", "169 cents", CENTS),
        ("It costs 85 cents.", "85", "54", None),
        ("It costs 85 dollars.", "85", "130", None),
        ("Four years ago it burnt.", "Four", "7", DIGITS),
        ("It burnt four years ago.", "four", "7", None),
        ("Four old men sing.", "Four ", "", None),
        ("The drug was used in the study.", "study", "garage", SENSE),
        ("Its value fell to its lowest level.", "lowest", "highest", COURSE),
        ("It is at its lowest level.", "lowest", "highest", None),
        ("He is likely the owner of it.", "likely", "unlikely", COMPLEMENT),
        ("He is likely to own it.", "likely", "unlikely", None),
        ("They are hopeful that it works.", "hopeful", "hopeless", COMPLEMENT),
        ("They are aware that it works.", "aware", "unaware", None),
    ],
)
def test_odd_words_are_refused(claim: str, old: str, new: str, reason: object) -> None:
    assert doubt_of_english(claim, [Replacement(claim.index(old), old, new)]) == reason


def test_names_that_change_places_may_stand_behind_titles() -> None:
    claim = "They saw President Ada Moss and Governor Lena Ott."
    changes = [Replacement(19, "Ada Moss", "Lena Ott"), Replacement(41, "Lena Ott", "Ada Moss")]
    assert doubt_of_english(claim, changes) is None
    assert doubt_of_english(claim, [Replacement(19, "Ada Moss", "Lena Moss")]) == NAME
