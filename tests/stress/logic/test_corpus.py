"""Corpus cases of the logic families: what they are, and that no wrong entry, meaning or label gets through."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from assay.core.case import Case, Recipe, case_from, text_digest
from assay.core.edit import Edit, Replacement, Skip, replace
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair
from assay.language.polarity import surface_polarity
from assay.language.polarity.surface_polarity import PolarityWords, polarity_words
from assay.language.text.analysis import analyse
from assay.stress.logic.from_corpus import check as from_corpus_check
from assay.stress.logic.from_corpus import corpus_family, parsed_polarity
from assay.stress.logic.from_corpus.check import LogicCorpusCheck
from assay.stress.logic.from_corpus.conjunction import ConjunctionFromCorpus, conjunction_forms
from assay.stress.logic.from_corpus.denial import deny_sentence
from assay.stress.logic.from_corpus.monotonicity import MonotonicityFromCorpus
from assay.stress.logic.from_corpus.quantifiers import QuantifiersFromCorpus, determiner_forms
from assay.stress.logic.proof.statements import DETERMINERS

WORDS_OF = {
    "one": ("a",),
    "both": ("a", "and", "part"),
    "either": ("a", "or", "part"),
    "-one": ("no",),
    "-either": ("no", "or", "part"),
}
"""The words that can be seen in each form of a conjunction."""

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION
FLIPPED: dict[str, Any] = {"up": "down", "down": "up", "none": "up"}
check = LogicCorpusCheck()


@pytest.fixture(autouse=True)
def _forgetful() -> Iterator[None]:
    yield
    forget()


def forget() -> None:
    """Empty what was computed with other tables."""
    corpus_family._find_offers.cache_clear()
    parsed_polarity.determiner_polarities.cache_clear()
    from_corpus_check._mark_place.cache_clear()
    from_corpus_check.determiner_label.cache_clear()
    from_corpus_check._find_readings.cache_clear()
    from_corpus_check.label_of.cache_clear()


def cases(made: Any, text: str) -> list[Case]:
    given = Pair(id="1", premise=text, hypothesis="Nothing else is said.", label=N)
    recipe = Recipe(transform=f"{made.family}-corpus/v1", options={}, seed=0)
    edits = made(per_pair=0)(given, Random(0))
    found = edits if isinstance(edits, list) else []
    return [case_from(given, edit, family=made.family, recipe=recipe) for edit in found]


def labelled(made: Any, text: str) -> dict[tuple[str, str], Label]:
    return {(each.premise, each.hypothesis): each.compared_with for each in cases(made, text) if check(each) is None}


def test_a_sentence_its_changed_self_and_their_denials_are_paired() -> None:
    text, wide = "A cook is holding a guitar.", "A cook is holding an instrument."
    never, nothing = "No cook is holding a guitar.", "No cook is holding an instrument."
    found = labelled(MonotonicityFromCorpus, text)
    assert {pair: label for pair, label in found.items() if "musical" not in " ".join(pair)} == {
        (text, wide): E,
        (wide, text): N,
        (nothing, never): E,
        (never, nothing): N,
        (text, nothing): C,
        (nothing, text): C,
        (wide, never): N,
        (never, wide): N,
    }


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("A cook is holding a guitar.", "No cook is holding a guitar."),
        ("Three cooks are near a lake.", "No cooks are near a lake."),
        ("Dogs are running.", "No dogs are running."),
        ("The cook has sold a red guitar.", "The cook has not sold a red guitar."),
        ("She bought a red guitar.", "She did not buy a red guitar."),
        ("My uncle owns a red guitar.", "My uncle does not own a red guitar."),
        ("There is a dog in the park.", "There is no dog in the park."),
        ("There are dogs in the park.", "There are no dogs in the park."),
        ("There are dogs", "There are no dogs"),
    ],
)
def test_a_plain_sentence_is_denied(text: str, denied: str) -> None:
    made = deny_sentence(analyse(text))
    assert made is not None
    assert replace(text, made.replacements) == denied
    assert [each.text.lower() for each in made.tokens] == [each.text.lower() for each in analyse(denied)]


@pytest.mark.parametrize(
    "text",
    [
        "A cook may buy a guitar.",
        "A cook sings when a guitar plays.",
        "A whale is a mammal.",
        "Whales have lungs.",
        "A vector is used by a cook.",
        "A cook and a waiter are singing.",
        "A group of cooks is singing.",
        "All cooks are singing.",
        "The cook wants a guitar.",
        "The cook sat on a bench and read a letter.",
        "Music has a long history.",
        "Is a cook singing?",
        "A cook. A guitar.",
    ],
)
def test_what_would_not_be_certain_is_not_denied(text: str) -> None:
    assert deny_sentence(analyse(text)) is None


def test_the_beginnings_of_sentences_are_read() -> None:
    """Whatever is missing, nothing fails."""
    for text in ("There are some red dogs of a kind in the park.", "A cook has never been in a room and sang a song."):
        words = text.split()
        for length in range(1, len(words)):
            deny_sentence(analyse(" ".join(words[:length])))
            labelled(ConjunctionFromCorpus, " ".join(words[:length]))


def test_a_conjunct_is_dropped_or_added_or_becomes_an_alternative() -> None:
    rest = "A cook is sitting on a bench"
    both, one, either = f"{rest} and reading a letter.", f"{rest}.", f"{rest} or reading a letter."
    not_one, neither = one.replace("A cook", "No cook"), either.replace("A cook", "No cook")
    assert labelled(ConjunctionFromCorpus, both) == {
        (both, one): E,
        (one, both): N,
        (one, either): E,
        (either, one): N,
        (both, either): E,
        (either, both): N,
        (neither, not_one): E,
        (not_one, neither): N,
        (both, not_one): C,
        (not_one, both): C,
        (one, neither): C,
        (neither, one): C,
        (both, neither): C,
        (neither, both): C,
        (either, not_one): N,
        (not_one, either): N,
    }


def test_a_determiner_is_replaced() -> None:
    found = labelled(QuantifiersFromCorpus, "Three cooks are singing in a kitchen.")
    rest = " cooks are singing in a kitchen."
    assert found["Three" + rest, "Some" + rest] is E
    assert found["Three" + rest, "No" + rest] is C
    assert found["Most" + rest, "All" + rest] is N
    assert ("Three" + rest, "Exactly three" + rest) not in found  # three may be more
    assert ("All" + rest, "At most three" + rest) not in found  # it depends on how many cooks there are
    assert {*found.values()} == {E, N, C}


def test_what_depends_on_how_many_there_are_is_not_proven() -> None:
    assert from_corpus_check.determiner_label("all", "at most three") is None
    assert from_corpus_check.determiner_label("most", "more than two") is None
    assert from_corpus_check.determiner_label("no", "at most three") is E


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
        (QuantifiersFromCorpus, "Three pools is more than I have seen."),
        (MonotonicityFromCorpus, "The council sold an expensive guitar in 1990."),
        (ConjunctionFromCorpus, "She was an actor and a cook."),
        (MonotonicityFromCorpus, "A woman is washing her car."),
        (MonotonicityFromCorpus, "A dog is barking."),
        (MonotonicityFromCorpus, "A drummer is playing drums."),
    ],
)
def test_what_is_not_certain_gives_no_case(made: Any, text: str) -> None:
    assert not labelled(made, text)


TEXTS = [
    (MonotonicityFromCorpus, "A cook is holding an expensive guitar."),
    (MonotonicityFromCorpus, "Two dogs are running near a lake."),
    (ConjunctionFromCorpus, "A cook is sitting on a bench and reading a letter."),
    (ConjunctionFromCorpus, "A cook is holding a guitar or a violin."),
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
    assert parsed_polarity.determiner_polarities(meaning) == tuple(TABLE.determiners[name])


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
    tokens = analyse(SENTENCES[name])
    at = next(i for i, each in enumerate(tokens) if each.text.startswith("guitar"))
    judged = parsed_polarity.parsed_marks([each.text for each in tokens])[at]
    assert surface_polarity.surface_marks(tokens)[at] == judged == "down"
    monkeypatch.setattr(surface_polarity, "polarity_words", lambda: flipped(name))
    assert surface_polarity.surface_marks(tokens)[at] != judged


@pytest.mark.parametrize("name", ["no", "a"])
def test_a_flipped_determiner_proves_less(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "A cook is holding a guitar."
    before = labelled(MonotonicityFromCorpus, text)
    assert before
    restrictor, scope = TABLE.determiners[name]
    wrong = {**TABLE.determiners, name: (FLIPPED[restrictor], FLIPPED[scope])}
    monkeypatch.setattr(surface_polarity, "polarity_words", lambda: msgspec.structs.replace(TABLE, determiners=wrong))
    forget()
    assert len(labelled(MonotonicityFromCorpus, text)) < len(before)


NAMES = ("all", "most", "some", "few", "no", "N", "at least N", "exactly N", "at most N", "more than N", "fewer than N")


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_meaning_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"{each} cooks are singing in a kitchen." for each in ("Three", "All", "Most", "Some", "No", "Few")]

    def proven() -> int:
        return sum(len(labelled(QuantifiersFromCorpus, text)) for text in texts)

    before = proven()
    holds = DETERMINERS[name]
    monkeypatch.setitem(DETERMINERS, name, lambda both, every, n, senses: not holds(both, every, n, senses))
    forget()
    assert proven() < before


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("A cook is holding a guitar.", Replacement(7, "is", "was not")),
        ("A cook is holding a guitar.", Replacement(2, "cook", "no cook")),
        ("Every cook is holding a guitar.", Replacement(0, "Every", "No")),
        ("The cook is holding a guitar.", Replacement(19, "", " not")),
    ],
)
def test_a_wrong_denial_is_caught(text: str, wrong: Replacement) -> None:
    """A denial elsewhere, or of what "no" does not deny."""
    noun = Replacement(text.index("a guitar"), "a", "an"), Replacement(text.index("guitar"), "guitar", "instrument")
    given = Pair(id="1", premise=text, hypothesis="Nothing else is said.", label=N)
    facts = {"text": text_digest(text, ""), "kind": "noun", "category": "instruments"}
    for label in THREE_WAY:
        edit = Edit(label=label, hypothesis_from="premise", premise=(wrong,), hypothesis=noun, facts=facts)
        recipe = Recipe(transform="monotonicity-corpus/v1", options={}, seed=0)
        assert isinstance(check(case_from(given, edit, family="monotonicity", recipe=recipe)), Skip)


def test_each_text_of_a_form_is_needed_for_its_label() -> None:
    """Exchanging a text for its denial, or for the other one, changes the label or leaves none."""
    for premise, hypothesis, label, _ in conjunction_forms():
        assert from_corpus_check.label_of(premise, hypothesis, "and") is label
        turned = f"-{hypothesis}".removeprefix("--") if hypothesis.startswith("-") else f"-{hypothesis}"
        if label is not N:
            assert from_corpus_check.label_of(premise, turned.replace("--", ""), "and") is not label


def best_guesses(forms: Any, seen: Any) -> float:
    """How often the most frequent label of what is seen is right, beyond the most frequent label of all."""
    groups: defaultdict[Any, Counter[Label]] = defaultdict(Counter)
    labels: Counter[Label] = Counter()
    for form in forms:
        groups[seen(form)][form.label] += form.weight
        labels[form.label] += form.weight
    right = sum(max(each.values()) for each in groups.values())
    return (right - max(labels.values())) / labels.total()


@pytest.mark.parametrize(("table", "number"), [("parts", 0), ("numbers", 2), ("numbers", 5)])
def test_determiners_do_not_give_labels_away(table: str, number: int) -> None:
    forms = determiner_forms(table, number)
    for seen in (
        lambda form: form.hypothesis,
        lambda form: form.premise,
        lambda form: len(form.hypothesis.split()) - len(form.premise.split()),
    ):
        assert best_guesses(forms, seen) < 0.03


def test_joining_words_do_not_give_labels_away() -> None:
    forms = conjunction_forms()
    for seen in (
        lambda form: form.hypothesis,
        *(lambda form, word=word: word in WORDS_OF[form.premise] for word in ("and", "or", "no")),
        lambda form: len(WORDS_OF[form.hypothesis]) - len(WORDS_OF[form.premise]),
    ):
        assert best_guesses(forms, seen) < 0.03
