"""Corpus cases of the logic families: what they are, and that no wrong entry, meaning or label gets through."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Skip
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair
from assay.language.polarity import parsed, surface
from assay.language.polarity.words import PolarityWords, Reaches, polarity_words
from assay.stress.checks import logic_corpus
from assay.stress.checks.logic_corpus import LogicCorpusCheck
from assay.stress.logic.real import family
from assay.stress.logic.real.conjunction import ConjunctionFromCorpus
from assay.stress.logic.real.monotonicity import MonotonicityFromCorpus
from assay.stress.logic.real.quantifiers import QuantifiersFromCorpus

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION
FLIPPED: dict[str, Any] = {"up": "down", "down": "up", "none": "up"}
check = LogicCorpusCheck()


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    """Empty what was computed with other tables."""
    family._placed.cache_clear()
    parsed.polarities.cache_clear()
    logic_corpus._marks.cache_clear()
    logic_corpus.meant.cache_clear()
    logic_corpus._readings.cache_clear()


def cases(made: Any, text: str) -> list[Case]:
    given = Pair(id="1", premise=text, hypothesis="Nothing else is said.", label=N)
    recipe = Recipe(transform=f"{made.family}-corpus/v1", options={}, seed=0)
    found: dict[tuple[str, str], Case] = {}
    for seed in range(1 if made is QuantifiersFromCorpus else 12):
        edits = made(per_pair=0)(given, Random(seed))
        for edit in edits if isinstance(edits, list) else ():
            case = case_from(given, edit, family=made.family, recipe=recipe)
            found[case.premise, case.hypothesis] = case
    return list(found.values())


def labelled(made: Any, text: str) -> dict[tuple[str, str], Label]:
    return {(each.premise, each.hypothesis): each.label for each in cases(made, text) if check(each) is None}


def test_a_noun_and_an_adjective_under_a_negation() -> None:
    text = "The cook is not holding an expensive guitar."
    assert labelled(MonotonicityFromCorpus, text) == {
        (text, "The cook is not holding a guitar."): N,
        ("The cook is not holding a guitar.", text): E,
        (text, "The cook is not holding an expensive instrument."): N,
        ("The cook is not holding an expensive instrument.", text): E,
        (text, "The cook is not holding an expensive musical instrument."): N,
        ("The cook is not holding an expensive musical instrument.", text): E,
    }


def test_a_conjunct_is_dropped_or_added() -> None:
    text = "A cook sits on a bench and is reading a letter."
    short = "A cook sits on a bench."
    assert labelled(ConjunctionFromCorpus, text) == {(text, short): E, (short, text): N}


def test_a_determiner_is_replaced() -> None:
    found = labelled(QuantifiersFromCorpus, "Three cooks are singing in a kitchen.")
    rest = " cooks are singing in a kitchen."
    assert found["Three" + rest, "Some" + rest] is E
    assert found["Three" + rest, "No" + rest] is C
    assert found["Three" + rest, "Most" + rest] is N
    assert ("Three" + rest, "Exactly three" + rest) not in found  # three may be more
    assert {*found.values()} == {E, N, C}


@pytest.mark.parametrize(
    ("made", "text"),
    [
        (MonotonicityFromCorpus, "The cook lost a fake diamond."),
        (MonotonicityFromCorpus, "A cook dreams of a hot dog."),
        (MonotonicityFromCorpus, "Did the cook see a guitar?"),
        (MonotonicityFromCorpus, "It looks like a guitar."),
        (MonotonicityFromCorpus, "She might buy a guitar."),
        (ConjunctionFromCorpus, "The cook mixes both flour and sugar."),
        (ConjunctionFromCorpus, "The cook considered and rejected the offer."),
        (ConjunctionFromCorpus, "The cook did not sit on a bench and a chair."),
        (QuantifiersFromCorpus, "Three of the cooks are singing."),
        (QuantifiersFromCorpus, "Three cooks are not singing."),
    ],
)
def test_what_is_not_certain_gives_no_case(made: Any, text: str) -> None:
    assert not labelled(made, text)


TEXTS = [
    (MonotonicityFromCorpus, "No cook is holding an expensive guitar."),
    (MonotonicityFromCorpus, "Exactly four cooks are holding expensive guitars."),
    (MonotonicityFromCorpus, "A cook is holding an expensive guitar."),
    (ConjunctionFromCorpus, "A cook sits on a bench and is reading a letter."),
    (ConjunctionFromCorpus, "She has never been an actor or a cook."),
    (QuantifiersFromCorpus, "Three cooks are singing in a kitchen."),
]


@pytest.mark.parametrize(("made", "text"), TEXTS)
def test_a_swapped_label_is_caught(made: Any, text: str) -> None:
    proven = [each for each in cases(made, text) if check(each) is None]
    assert proven
    for case in proven:
        for label in {*THREE_WAY} - {case.label}:
            edit = msgspec.structs.replace(case.provenance.edit, label=label)
            provenance = msgspec.structs.replace(case.provenance, edit=edit)
            wrong = msgspec.structs.replace(case, label=label, provenance=provenance)
            assert isinstance(check(wrong), Skip)


TABLE = polarity_words()
SURE = [name for name, does in TABLE.determiners.items() if not {"unsure", "definite"} & {*does}]


@pytest.mark.parametrize("name", SURE)
def test_what_a_determiner_means_gives_its_polarities(name: str) -> None:
    """So an entry that is flipped, or a meaning that is changed, shows up here: the two share nothing."""
    meaning = name.removesuffix(" of")
    assert parsed.polarities(meaning) == tuple(TABLE.determiners[name])


SENTENCES = {
    **{name: f"The cook is {name} holding a guitar." for name, effect in TABLE.adverbs.items() if effect == "down"},
    "n't": "The cook isn't holding a guitar.",
    "without": "The cook sings without a guitar.",
    "lack of": "There was a lack of guitars.",
    "absence of": "There was an absence of guitars.",
    "if": "If she buys a guitar, he laughs.",
    "nobody": "Nobody is holding a guitar.",
    "no one": "No one is holding a guitar.",
    "nothing": "Nothing is near a guitar.",
    "almost nobody": "Almost nobody is holding a guitar.",
    "almost no one": "Almost no one is holding a guitar.",
    "hardly anyone": "Hardly anyone is holding a guitar.",
    "refuse": "The cook refused to hold a guitar.",
    "fail": "The cook failed to hold a guitar.",
    "avoid": "The cook avoided a guitar.",
    "deny": "The cook denied that he held a guitar.",
    "doubt": "The cook doubts that he held a guitar.",
    "lack": "The cook lacks a guitar.",
    "prevent": "The cook prevents a guitar.",
    "prohibit": "The cook prohibits a guitar.",
    "forbid": "The cook forbids a guitar.",
    "unable": "The cook is unable to hold a guitar.",
    "impossible": "It is impossible to hold a guitar.",
    "unlikely": "The cook is unlikely to hold a guitar.",
}
"""A sentence for each word of the table that turns something around, other than determiners."""
KINDS = ("pronouns", "adverbs", "denying", "prepositions", "clauses")


def flipped(name: str) -> PolarityWords:
    """The table with one entry turned."""
    changed = {}
    for kind in KINDS:
        entries = dict(getattr(TABLE, kind))
        if name in entries:
            entries[name] = FLIPPED[entries[name]]
        changed[kind] = entries
    return msgspec.structs.replace(TABLE, **changed)


def test_each_word_that_turns_something_has_a_sentence() -> None:
    turning = {name for kind in KINDS for name, effect in getattr(TABLE, kind).items() if effect == "down"}
    assert turning == {*SENTENCES}


@pytest.mark.parametrize("name", sorted(SENTENCES))
def test_a_flipped_entry_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both judgements agree on a place, and no longer if the entry is turned."""
    from assay.language.text.analysis import analyse

    tokens = analyse(SENTENCES[name])
    at = next(i for i, each in enumerate(tokens) if each.text.startswith("guitar"))
    judged = parsed.parsed_marks([each.text for each in tokens])[at]
    assert surface.surface_marks(tokens)[at] == judged == "down"
    monkeypatch.setattr(surface, "polarity_words", lambda: flipped(name))
    assert surface.surface_marks(tokens)[at] != judged


@pytest.mark.parametrize("name", ["no", "every", "few", "at most N", "some", "exactly N"])
def test_a_flipped_determiner_proves_less(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    noun = "guitar" if name in ("no", "every") else "guitars"
    text = f"The cook saw {name.replace('N', 'four')} {noun}."
    before = labelled(MonotonicityFromCorpus, text)
    assert before
    restrictor, scope = TABLE.determiners[name]
    wrong = {**TABLE.determiners, name: Reaches(FLIPPED[restrictor], scope)}
    monkeypatch.setattr(surface, "polarity_words", lambda: msgspec.structs.replace(TABLE, determiners=wrong))
    forget()
    assert len(labelled(MonotonicityFromCorpus, text)) < len(before)


NAMES = ("all", "most", "some", "few", "no", "N", "at least N", "exactly N", "at most N", "more than N", "fewer than N")


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_meaning_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{each} cooks are singing in a kitchen." for each in ("Three", "All", "Most", "Some", "No", "Few")]

    def proven() -> int:
        return sum(len(labelled(QuantifiersFromCorpus, text)) for text in texts)

    before = proven()
    holds = parsed.MEANINGS[name]
    monkeypatch.setitem(parsed.MEANINGS, name, lambda both, every, n: not holds(both, every, n))
    forget()
    assert proven() < before
