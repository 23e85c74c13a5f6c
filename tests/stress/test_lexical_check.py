"""The proof of lexical cases fails when anything about them is wrong."""

from collections.abc import Callable

import msgspec
import pytest
from tests.conftest import pair

import assay
from assay.core.case import Case, Recipe
from assay.core.edit import Replacement, Skip
from assay.core.label import Label
from assay.run.build.case_builder import BuildStep
from assay.stress.lexical.check import LexicalCheck
from assay.stress.lexical.lexical_relations import find_relation

CHECK = LexicalCheck()


def cases_of(premise: str) -> list[Case]:
    step = BuildStep(Recipe(transform="lexical/v1", options={"per_pair": 0}, seed=0))
    return [case for case in step.cases(pair(premise=premise)) if not isinstance(case, Skip)]


def one(premise: str, hypothesis: str) -> Case:
    return next(case for case in cases_of(premise) if case.hypothesis == hypothesis)


BEER = one("A man is drinking bourbon in a red car.", "A man is drinking whiskey in a red car.")
ORANGE = one("A man waits in a red car.", "A man waits in an orange car.")


def with_edit(case: Case, **changes: object) -> Case:
    edit = msgspec.structs.replace(case.provenance.edit, **changes)
    label = edit.label or case.label
    return msgspec.structs.replace(case, label=label, provenance=msgspec.structs.replace(case.provenance, edit=edit))


def swapped(case: Case) -> Case:
    """Premise and hypothesis exchanged, with an edit that leads back."""
    (change,) = case.provenance.edit.hypothesis
    back = (Replacement(change.start, change.new, change.old),)
    from assay.core.pair import premise_cluster

    return msgspec.structs.replace(
        with_edit(case, hypothesis=back),
        premise=case.hypothesis,
        hypothesis=case.premise,
        cluster=premise_cluster(case.hypothesis),
    )


def rewritten(case: Case, old: str, new: str) -> Case:
    """The same case with other words around the change, on both sides."""
    from assay.core.pair import premise_cluster

    premise = case.premise.replace(old, new)
    shift = len(new) - len(old) if case.premise.index(old) < case.provenance.edit.hypothesis[-1].start else 0
    moved = tuple(Replacement(c.start + shift, c.old, c.new) for c in case.provenance.edit.hypothesis)
    return msgspec.structs.replace(
        with_edit(case, hypothesis=moved),
        premise=premise,
        hypothesis=case.hypothesis.replace(old, new),
        cluster=premise_cluster(premise),
    )


def test_what_was_built_is_proven() -> None:
    assert CHECK(BEER) is CHECK(ORANGE) is None


DAMAGES: dict[str, Callable[[], Case]] = {
    "wrong label": lambda: with_edit(BEER, label=Label.CONTRADICTION),
    "another wrong label": lambda: with_edit(ORANGE, label=Label.NEUTRAL),
    "the case's own label": lambda: msgspec.structs.replace(ORANGE, label=Label.NEUTRAL),
    "swapped direction": lambda: swapped(BEER),
    "wrong category": lambda: msgspec.structs.replace(ORANGE, group={**ORANGE.group, "category": "drinks"}),
    "no category": lambda: msgspec.structs.replace(ORANGE, group={}),
    "a negation": lambda: rewritten(ORANGE, "waits", "never waits"),
    "a possibility": lambda: rewritten(ORANGE, "waits", "may wait"),
    "a question": lambda: rewritten(ORANGE, "A man waits in", "Is it"),
    "a second mention": lambda: rewritten(ORANGE, "A man", "An orange man"),
    "the article unmended": lambda: msgspec.structs.replace(
        with_edit(ORANGE, hypothesis=ORANGE.provenance.edit.hypothesis[1:]),
        hypothesis=ORANGE.hypothesis.replace("an orange", "a orange"),
    ),
    "another text": lambda: msgspec.structs.replace(ORANGE, hypothesis=ORANGE.hypothesis.replace("man", "boy")),
    "another premise": lambda: msgspec.structs.replace(ORANGE, premise=ORANGE.premise.replace("man", "boy")),
    "a change inside of a word": lambda: with_edit(BEER, hypothesis=(Replacement(18, "ourbon", "eer"),)),
    "unrelated words": lambda: msgspec.structs.replace(
        with_edit(ORANGE, hypothesis=(Replacement(17, "red", "fast"),)),
        hypothesis="A man waits in a fast car.",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_case_is_not_proven(damage: str) -> None:
    assert CHECK(DAMAGES[damage]()) is not None


def test_no_case_of_the_bundled_corpus_survives_another_label() -> None:
    step = BuildStep(Recipe(transform="lexical/v1", seed=0))
    proven = [case for each in assay.read("bundled", limit=120) for case in step.cases(each) if isinstance(case, Case)]
    assert len(proven) > 50
    for case in proven:
        for label in (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION):
            assert (CHECK(with_edit(case, label=label)) is None) == (label is case.label)


@pytest.mark.parametrize(
    ("old", "new", "category", "relation"),
    [
        ("five", "5", "cardinals", ("same",)),
        ("twenty", "12", "cardinals", ("exclusive",)),
        ("twelfth", "12th", "ordinals", ("same",)),
        ("thirtieth", "3rd", "ordinals", ("exclusive",)),
        ("scarlet", "blue", "colors", ("exclusive",)),
        ("dog", "animal", "hypernyms", ("broader",)),
        ("animal", "dog", "hypernyms", ("narrower",)),
        ("wooden", "metal", "materials", ("exclusive",)),
        ("electric guitar", "guitar", "instruments", ("broader",)),
        ("china", "taiwan", "countries", ()),
        ("dog", "table", "colors", ()),
        ("man", "woman", "antonyms_wordnet", ("exclusive",)),
        ("child", "kid", "synonyms", ("same",)),
    ],
)
def test_relations_come_from_elsewhere(old: str, new: str, category: str, relation: tuple[str, ...]) -> None:
    assert find_relation(old, new, category=category) == relation


@pytest.mark.parametrize(
    ("premise", "categories"),
    [
        ("At least three people died.", {"cardinals"}),
        ("Up to three people sit there.", {"cardinals"}),
        ("Three of the five boys sleep.", {"cardinals"}),
        ("He denies that he plays the guitar.", {"instruments"}),
        ("She refused to drink the wine.", {"drinks"}),
        ("Some dogs are black.", {"colors"}),
        ("Every woman wore black.", {"colors", "antonyms"}),
        ("Few women are running.", {"antonyms"}),
        ("A man drinks wine, perhaps in a red car.", {"drinks", "colors"}),
        ("Dogs have tails.", {"hypernyms"}),
        ("Mars has two moons.", {"planets"}),
        ("A kettle of tea stands by a tea kettle.", {"drinks"}),
        ("A man holds a beer can.", {"drinks"}),
        ("A man plays a bass cello.", {"instruments"}),
        ("A man drinks Irish coffee.", {"drinks", "nationalities"}),
        ("He rides in the Tour de France.", {"countries"}),
        ("A Native American dances.", {"nationalities"}),
    ],
)
def test_a_place_that_spoils_the_label_gives_no_case(premise: str, categories: set[str]) -> None:
    assert not categories & {case.group["category"] for case in cases_of(premise)}


@pytest.mark.parametrize(
    ("premise", "old", "new"),
    [
        ("A man climbs a light pole.", "light", {"dark", "heavy"}),
        ("A short man sits.", "short", {"long"}),
        ("A man is hard at work.", "hard", {"easy", "difficult", "soft"}),
        ("They lose a game.", "lose", {"find"}),
        ("An old man sits.", "old", {"new"}),
    ],
)
def test_a_word_of_several_senses_changes_in_the_one_that_is_meant(premise: str, old: str, new: set[str]) -> None:
    assert not new & {case.group["new"] for case in cases_of(premise) if case.group["old"] == old}


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("A man dressed in all black sits.", "A man dressed in all white sits."),
        ("A short woman sits.", "A tall woman sits."),
        ("A girl in a short dress sits.", "A girl in a long dress sits."),
        ("They lose a game.", "They win a game."),
        ("Some dogs are barking.", "Some animals are barking."),
        ("The probe landed on Mars.", "The probe landed on Venus."),
    ],
)
def test_a_place_beside_these_gives_a_case(premise: str, hypothesis: str) -> None:
    assert one(premise, hypothesis)


@pytest.mark.parametrize(
    ("premise", "hypothesis"),
    [
        ("He wrote under the name Moss.", "He wrote above the name Moss."),
        ("The factory closed, and the building was sold.", "The factory closed, and the barn was sold."),
        ("It was the first time in four years.", "It was the first time in ten years."),
        ("The museum bought the painting from a friend.", "The museum sold the painting from a friend."),
        ("The team is third in the table.", "The team is third in the piece of furniture."),
        ("The fire began on the second floor.", "The fire began on the nineteenth floor."),
        ("He won a gold medal in show jumping.", "He lost a gold medal in show jumping."),
        ("Sofia is the new leader of the party.", "Sofia is the old leader of the party."),
    ],
)
def test_what_leaves_room_for_both_or_reads_oddly_is_not_built(premise: str, hypothesis: str) -> None:
    assert hypothesis not in {case.hypothesis for case in cases_of(premise)}
