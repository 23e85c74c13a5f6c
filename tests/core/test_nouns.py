"""The nouns survive JSON and say what they say."""

import pickle
import re

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import case, pair

from assay.core import errors
from assay.core.case import Case, Prediction, Provenance, Recipe, case_from
from assay.core.edit import Edit, Replacement, Skip, replace, undo
from assay.core.errors import AssayError, BadInputError, BadRecordError, MissingExtraError, UnknownLabelError
from assay.core.estimate import Estimate
from assay.core.fakes import FakeCorpus, FakeModel
from assay.core.label import Label
from assay.core.manifest import Manifest, Source
from assay.core.pair import LabelledText, Parses, Problem, WordVector, premise_cluster
from assay.core.protocols import Corpus
from assay.core.run_record import (
    AnswerFileEntry,
    CorpusReading,
    FromCorpus,
    FromPairs,
    Generated,
    ModelAnswers,
    RunRecord,
    RunSpec,
    StoredSuite,
)
from assay.corpora.reader import corpus_of

RECIPE = Recipe(transform="shout/v1", options={"times": 2, "share": 0.5, "loud": True, "word": "é"}, seed=3)
EDIT = Edit(
    label=Label.NEUTRAL,
    premise_from="hypothesis",
    hypothesis_from="premise",
    premise=(Replacement(0, "S", "\u2028😀"),),
    hypothesis=(Replacement(1, "", ""), Replacement(2, "o", "x")),
    variant="loud",
    facts={"sense": "1"},
)
MANIFEST = Manifest(
    source=Source(name="x.jsonl", format="pairs/v1", digest="", rows=2, pairs=1, labels={"neutral": 1}, skipped={}),
    recipes=(RECIPE,),
    seed=3,
    storage="jsonl.zst",
    cases=1,
    counts={"shout": {"neutral": 1}},
    skips={"shout": {"no word": 1}},
    digest="a",
    file_digest="b",
    versions={"assay": "0"},
)
SPEC = RunSpec(
    suites={
        "stress": FromCorpus(reading=CorpusReading(source="-", limit=3), recipes=(RECIPE,)),
        "held": FromPairs(name="held", digest="d", recipes=(RECIPE,)),
        "shout": Generated(recipe=RECIPE, per_subcase=2),
        "mine": StoredSuite(folder="work/mine", digest="c"),
    },
    models=("assay:majority/v1",),
    seed=2,
)
NOUNS = [
    Label.NON_ENTAILMENT,
    pair(group={"genre": "x"}, annotators=("neutral",), parses=Parses(premise="(S)")),
    Problem(id="1", question="?", options=("A",), rationale="", correct="A"),
    LabelledText(id="1", text="a", text_b=None, label="b"),
    WordVector(id="the", values=(0.1, -2.0)),
    Skip("no number", "detail", "x:1"),
    EDIT,
    RECIPE,
    Provenance(recipe=RECIPE, source="0f", edit=EDIT),
    case(),
    Prediction(id="1", label=Label.NEUTRAL, probabilities={Label.NEUTRAL: 0.75, Label.ENTAILMENT: 0.25}),
    Estimate(name="accuracy", value=None, n=0),
    Estimate(name="accuracy", value=0.1, low=0.0, high=0.3, n=10, slice={"family": "x"}),
    MANIFEST,
    SPEC,
    RunRecord(
        id="x",
        created="now",
        spec=SPEC,
        suites={"stress": MANIFEST},
        models=(ModelAnswers(model="m", files={"stress": AnswerFileEntry(file="f", digest="d", n=1)}),),
        estimates=(Estimate(name="accuracy", value=1.0, n=1),),
        versions={},
    ),
]

Text = st.text(st.characters(exclude_categories=["Cs"]))


@pytest.mark.parametrize("noun", NOUNS, ids=lambda noun: type(noun).__name__)
def test_a_noun_is_the_same_after_json_and_pickling(noun: object) -> None:
    assert msgspec.json.decode(msgspec.json.encode(noun), type=type(noun)) == noun
    assert pickle.loads(pickle.dumps(noun)) == noun


@pytest.mark.parametrize("noun", [n for n in NOUNS if isinstance(n, msgspec.Struct)], ids=lambda n: type(n).__name__)
def test_a_noun_cannot_be_changed(noun: msgspec.Struct) -> None:
    name = noun.__struct_fields__[0]
    with pytest.raises(AttributeError):
        setattr(noun, name, getattr(noun, name))


@given(premise=Text, hypothesis=Text, group=st.dictionaries(Text, Text))
def test_a_case_of_any_text_is_the_same_after_json(premise: str, hypothesis: str, group: dict[str, str]) -> None:
    made = case(premise=premise, hypothesis=hypothesis, group=group)
    assert msgspec.json.decode(msgspec.json.encode(made), type=Case) == made


@st.composite
def cuts(draw: st.DrawFn) -> tuple[str, tuple[Replacement, ...]]:
    """A text and replacements that are in order and do not overlap."""
    text = draw(Text)
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(places[::2], places[1::2], strict=False))
    return text, tuple(Replacement(start, text[start:end], draw(Text)) for start, end in spans)


@given(cuts())
def test_text_outside_of_replacements_stays(made: tuple[str, tuple[Replacement, ...]]) -> None:
    text, replacements = made
    rest = replace(text, replacements)
    position = 0
    for each in replacements:
        kept = text[position : each.start] + each.new
        assert rest.startswith(kept)
        rest, position = rest[len(kept) :], each.start + len(each.old)
    assert rest == text[position:]


@given(cuts())
def test_replacements_can_be_undone(made: tuple[str, tuple[Replacement, ...]]) -> None:
    text, replacements = made
    assert undo(replace(text, replacements), replacements) == text


@given(st.text(min_size=4), st.integers(0, 3), st.integers(0, 3))
def test_replacements_out_of_order_or_overlapping_are_refused(text: str, first: int, second: int) -> None:
    later, earlier = max(first, second), min(first, second)
    with pytest.raises(ValueError, match="to replace at"):
        replace(text, (Replacement(later, text[later], "x"), Replacement(earlier, "", "y")))


@pytest.mark.parametrize("change", [Replacement(-1, "", "x"), Replacement(0, "abcd", "x"), Replacement(4, "", "x")])
def test_replacements_outside_of_the_text_are_refused(change: Replacement) -> None:
    with pytest.raises(ValueError, match="to replace at"):
        replace("abc", (change,))


def test_a_replacement_of_what_does_not_stand_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no 'x' to replace at 1 of 'abc'"):
        replace("abc", (Replacement(1, "x", "y"),))


def test_an_edit_may_swap_the_sides() -> None:
    swapped = Edit(
        premise_from="hypothesis", hypothesis_from="premise", premise=(Replacement(0, "Somebody", "Nobody"),)
    )
    assert swapped.apply(pair()) == ("Nobody cooks.", "A cook fries two eggs.")


def test_a_case_has_the_edits_label_or_else_the_pairs() -> None:
    recipe = Recipe(transform="t/v1", seed=0)
    assert case_from(pair(), Edit(), family="t", recipe=recipe).label is Label.ENTAILMENT
    assert case_from(pair(), Edit(label=Label.NEUTRAL), family="t", recipe=recipe).label is Label.NEUTRAL


def test_ids_differ_whatever_the_pairs_are_called() -> None:
    recipe = Recipe(transform="t/v1", seed=0)
    names = ["7", "7:1", "7:1:1", "1", ":7", "1:7"]
    ids = {
        case_from(pair(id=name), Edit(), family="t", recipe=recipe, number=number).id
        for name in names
        for number in range(3)
    }
    assert len(ids) == len(names) * 3


def test_premises_that_differ_in_spacing_and_case_are_one_cluster() -> None:
    assert premise_cluster(" A  dog\tbarks. ") == premise_cluster("a DOG barks.")
    assert premise_cluster("A dog barks.") != premise_cluster("A dog barked.")
    assert case(premise="A dog barks.").cluster == premise_cluster("A dog barks.")


def error_kinds() -> list[type[AssayError]]:
    return [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, AssayError)]


SPECIAL: dict[type[AssayError], AssayError] = {
    BadRecordError: BadRecordError("unknown label", detail="'x'", hint="Say --labels."),
    UnknownLabelError: UnknownLabelError("x", option="--labels {}=LABEL", possible="entailment"),
    BadInputError: BadInputError("not JSON", where="x:1", hint="Drop it."),
    MissingExtraError: MissingExtraError("torch", needed_for="Training"),
}


@pytest.mark.parametrize("kind", error_kinds())
def test_an_error_comes_back_from_a_worker_as_it_was(kind: type[AssayError]) -> None:
    error = SPECIAL.get(kind) or kind("what happened")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))
    assert again.exit_code in (1, 2, 3)


def test_the_drawing_of_the_errors_is_their_tree() -> None:
    drawn: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"    ([│├└─ ]*)(\w+Error) ", line):
            depth = len(found[1]) // 4
            above[depth:] = [found[2]]
            drawn[found[2]] = above[depth - 1] if depth else "Exception"
    assert drawn == {kind.__name__: kind.__bases__[0].__name__ for kind in error_kinds()}


def test_the_fakes_stand_in_for_the_seams() -> None:
    corpus = FakeCorpus([pair(1), pair(2)], name="two")
    assert isinstance(corpus_of(corpus), Corpus)
    assert corpus_of(corpus).name == "two"
    assert [p.id for p in corpus] == [p.id for p in corpus] == ["p1", "p2"]
    asked = [case(1), case(2)]
    model = FakeModel(Label.NEUTRAL, answers={asked[1].id: Label.CONTRADICTION})
    assert [answer.label for answer in model.predict(asked)] == [Label.NEUTRAL, Label.CONTRADICTION]
    assert model.asked == [each.id for each in asked]
