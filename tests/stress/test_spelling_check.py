"""The check of typos catches every damage that the quirks do, and a wrong builder."""

from typing import Any

import msgspec
import pytest
from tests.conftest import pair

from assay.core.case import Case, Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.core.label import Label
from assay.core.rng import rng_for
from assay.language.resources.installed import wordnet
from assay.run.build.case_builder import check_of
from assay.stress.original import CHANGED
from assay.stress.spelling import check as reasons
from assay.stress.spelling.build import Spelling
from assay.stress.spelling.check import SpellingCheck, slip_between

TEXT = "The young gardener admired every flower from Perth before breakfast."


@pytest.fixture(autouse=True, scope="module")
def resources() -> None:
    wordnet()


def made(*changes: tuple[str, str], text: str = TEXT, edit: dict[str, Any] | None = None, **options: Any) -> Case:
    """A case in which the first place of each old text has the new one."""
    replacements = tuple(
        sorted((Replacement(text.index(old), old, new) for old, new in changes), key=lambda r: r.start)
    )
    recipe = Recipe(transform="spelling/v1", options=options, seed=0)
    change = Edit(**{"hypothesis": replacements, **(edit or {})})
    return case_from(pair(hypothesis=text), change, family="spelling", recipe=recipe)


def reason(case: Case) -> str:
    found = SpellingCheck()(case)
    return found.reason if found else ""


def test_it_is_registered() -> None:
    assert isinstance(check_of("spelling/v1"), SpellingCheck)


@pytest.mark.parametrize("variant", Spelling.variants)
@pytest.mark.parametrize("typos", [0, 1, 2])
def test_what_the_builder_makes_is_proven(variant: Any, typos: int) -> None:
    source = pair(hypothesis=TEXT)
    transform = Spelling(variant=variant, typos=typos)
    recipe = Recipe(transform="spelling/v1", options={"variant": variant, "typos": typos}, seed=0)
    for seed in range(50):
        edits = transform(source, rng_for(seed, transform="spelling/v1", pair="1"))
        assert isinstance(edits, list)
        assert reason(case_from(source, edits[0], family="spelling", recipe=recipe)) == ""


@pytest.mark.parametrize(
    ("changes", "options", "why"),
    [
        ([("flower", "flowet")], {}, ""),
        ([("The", "Teh")], {"variant": "function-word"}, ""),
        ([("flower", "flowwr"), ("young", "yuong")], {"typos": 2}, ""),
        ([("flower", "flowwr"), ("young", "yuong")], {}, reasons.COUNT),
        ([("flower", "flowwr")], {"typos": 2}, reasons.COUNT),
        ([], {}, reasons.COUNT),
        ([("from", "form")], {"variant": "adjacent-swap"}, reasons.WORD),
        ([("flower", "glower")], {}, reasons.WORD),
        ([("flower", "flowe")], {}, reasons.NO_SLIP),
        ([("flower", "flowrer")], {}, reasons.NO_SLIP),
        ([("flower", "wolfer")], {}, reasons.NO_SLIP),
        ([("flower", "flowpr")], {}, reasons.NO_SLIP),
        ([("flower", "flower")], {}, reasons.NO_SLIP),
        ([("flower", "fliwrr")], {}, reasons.NO_SLIP),
        ([("flower", "folwer")], {"variant": "keyboard"}, reasons.NO_SLIP),
        ([("flower", "flowwr")], {"variant": "adjacent-swap"}, reasons.NO_SLIP),
        ([("flower", "flowet")], {"layout": "azerty"}, ""),
        ([("flower", "flowzr")], {}, reasons.NO_SLIP),
        ([("flower", "flowzr")], {"layout": "azerty"}, ""),
        ([("flower", "")], {}, reasons.CAPITALS),
        ([("Perth", "Petrh")], {"variant": "keyboard"}, reasons.NAME),
        ([("The", "the")], {"variant": "function-word"}, reasons.CAPITALS),
        ([("The", "tHe")], {"variant": "function-word"}, reasons.CAPITALS),
        ([("garden", "gadren")], {}, reasons.PART),
        ([("breakfast.", "brekafast.")], {}, reasons.PART),
        ([("flower from", "flowerf rom")], {}, reasons.PART),
        ([(" flower", "flower ")], {}, reasons.PART),
        ([("admired", "admirde")], {}, reasons.WRONG_KIND),
        ([("flower", "flowwr")], {"variant": "function-word"}, reasons.WRONG_KIND),
        ([("before", "befoer")], {}, reasons.WRONG_KIND),
    ],
)
def test_only_one_slip_in_one_word_of_the_kind(changes: Any, options: dict[str, Any], why: Any) -> None:
    assert reason(made(*changes, **options)) == (why.reason if why else "")


@pytest.mark.parametrize(
    ("text", "old", "new", "why"),
    [
        ("We stay at it", "at", "ar", reasons.SHORT),
        ("A bxrt sang", "bxrt", "bxtr", reasons.UNKNOWN),
        ("We saw 31 in 3rd", "3rd", "3dr", reasons.PART),
        ("It isn't so", "isn", "ins", reasons.PART),
        ("A half-open door", "half", "hafl", reasons.PART),
        ("They sell bats", "bats", "bsts", None),
        ("We ate it hot", "hot", "hit", reasons.WORD),
    ],
)
def test_which_words_may_be_damaged(text: str, old: str, new: str, why: Any) -> None:
    assert reason(
        made((old, new), text=text, variant="keyboard" if new in ("bsts", "hit", "ar") else "adjacent-swap")
    ) == (why.reason if why else "")


def test_a_capital_at_the_start_is_no_name_unless_another_follows() -> None:
    assert reason(made(("Gardeners", "Gardenesr"), text="Gardeners sing")) == ""
    assert reason(made(("Green", "Grren"), text="Green Hill is far away")) == reasons.NAME.reason
    assert reason(made(("Will", "Wikl"), text="Will left", variant="keyboard")) == reasons.NAME.reason


def test_a_result_that_two_words_lead_to_is_not_clear() -> None:
    """ "cid" may have been "cod" or "cud"."""
    assert reason(made(("cod", "cid"), text="We ate cod", variant="keyboard")) == reasons.UNCLEAR.reason


def test_wrong_labels_sources_and_sides_are_caught() -> None:
    good = made(("flower", "flowet"))
    assert reason(good) == ""
    assert reason(msgspec.structs.replace(good, hypothesis=good.hypothesis[:-9])) == CHANGED.reason
    assert reason(msgspec.structs.replace(good, hypothesis=good.hypothesis.replace("young", "old"))) == CHANGED.reason
    assert reason(msgspec.structs.replace(good, premise="Another premise.")) == CHANGED.reason
    assert reason(made(("flower", "flowet"), edit={"label": Label.CONTRADICTION})) == CHANGED.reason
    premise = Edit(premise=(Replacement(2, "cook", "cokk"),))
    recipe = Recipe(transform="spelling/v1", seed=0)
    assert reason(case_from(pair(), premise, family="spelling", recipe=recipe)) == reasons.ELSEWHERE.reason


@pytest.mark.parametrize("fidelity", ["code", "paper"])
@pytest.mark.parametrize("variant", Spelling.variants)
def test_a_builder_with_the_quirks_does_not_get_through(fidelity: Any, variant: Any) -> None:
    """Names, short words, numbers, real words and capitals: nothing but proven typos is let through."""
    text = "In May the NASA form saw 2nd-best men of it, bar none at all."
    transform = Spelling(fidelity=fidelity, variant=variant)
    source = pair(hypothesis=text)
    recipe = Recipe(transform="spelling/v1", options={"variant": variant}, seed=0)
    refused = set()
    for seed in range(80):
        edits = transform(source, rng_for(seed, transform="spelling/v1", pair="1"))
        assert isinstance(edits, list)
        case = case_from(source, edits[0], family="spelling", recipe=recipe)
        why = reason(case)
        if why:
            refused.add(why)
        else:
            (change,) = edits[0].hypothesis
            assert slip_between(change.old.lower(), change.new.lower())
            assert change.old in {"the", "form", "saw", "men", "bar", "none", "all"}
    assert refused
