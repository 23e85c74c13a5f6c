"""Published figures next to measured ones: of the same test on the same data. Other data is only related."""

import msgspec
import pytest
from tests.figures import manifest, record_of, share
from tests.fixtures.reports import drawn

from assay.core.case import DEFAULT_FAMILIES, Recipe
from assay.core.estimate import Estimate
from assay.core.fakes import FakeCorpus
from assay.core.label import Label
from assay.core.manifest import Manifest, Source
from assay.core.pair import Pair
from assay.reports.published.comparable_results import RelatedTest, SameTest, related_tests, same_tests, with_published
from assay.reports.published.published_results import Data, data_of, figures, part_of, published_accuracies, splits
from assay.reports.tables.report_tables import published_sheet, related_sheet
from assay.reports.terminal.terminal_tables import SheetTable
from assay.reports.view import view_of
from assay.score.scoring import score

COUNTS = {(each.corpus, each.split): each.labels for each in splits()}
MATCHED, MISMATCHED = ("MultiNLI", "dev matched"), ("MultiNLI", "dev mismatched")


def suite_of(
    corpus: str, split: str, *, fidelity: str = "strict", name: str = "mine.jsonl", **options: str
) -> Manifest:
    """A suite of all pairs of a split, in which every family has this fidelity and these options."""
    labels = COUNTS[corpus, split]
    form = "hans/v1" if corpus == "HANS" else "pairs/v1"
    source = Source(name=name, format=form, digest="", rows=9, pairs=9, labels=labels, skipped={})
    recipes = tuple(
        Recipe(transform=f"{each}/v1", options={"fidelity": fidelity, **options}, seed=0) for each in DEFAULT_FAMILIES
    )
    return manifest(source=source, recipes=recipes)


CODE = suite_of(*MATCHED, fidelity="code")
STRICT = suite_of(*MATCHED)


def found(suite: Manifest, *estimates: Estimate) -> list[SameTest]:
    record = record_of(estimates, suite=suite)
    return same_tests(record, record.suites)


def others(suite: Manifest, *estimates: Estimate) -> list[RelatedTest]:
    record = record_of(estimates, suite=suite)
    return related_tests(record, record.suites)


def rows(suite: Manifest, *estimates: Estimate) -> dict[str, tuple[float, float]]:
    return {
        " ".join(value for name, value in row.slice.items() if name != "suite"): (round(row.low, 3), round(row.high, 3))
        for row in found(suite, *estimates)
    }


def released(group: str, value: str) -> Estimate:
    where = {"model": "m", "suite": "stress", "family": "original", f"group:{group}": value}
    return Estimate(name="accuracy", value=0.5, n=9, slice=where)


def released_file(name: str) -> Manifest:
    source = Source(name=name, format="stress-tests/v1", digest="", rows=9, pairs=9, labels={}, skipped={})
    return manifest(source=source, recipes=())


def test_a_range_holds_only_figures_of_the_same_corpus_split_and_fidelity() -> None:
    [row] = found(CODE, share(family="antonymy"))
    own = [each for each in published_accuracies({"family": "antonymy"}) if each.data == row.data]
    assert row.data == Data(corpus="MultiNLI", split="dev matched", fidelity="code")
    assert {each.column for each in own if each.paper == "naik2018"} == {"antonymy, matched"}
    assert {each.row.rpartition(", ")[2] for each in own if each.paper == "wang2019"} == {"matched"}
    assert (row.low, row.high) == (0.063, 0.8315)
    assert found(suite_of(*MISMATCHED, fidelity="code"), share(family="antonymy"))[0].low == 0.036


@pytest.mark.parametrize(
    ("suite", "differs"),
    [
        (STRICT, ("fidelity",)),
        (suite_of("SNLI", "test", fidelity="code"), ("corpus", "split")),
        (suite_of(*MATCHED, fidelity="code", tautology="and green is not red"), ("fidelity",)),
        (manifest(), ("corpus", "split", "fidelity")),
    ],
)
def test_another_corpus_fidelity_or_tautology_is_only_related(suite: Manifest, differs: tuple[str, ...]) -> None:
    assert found(suite, share(family="negation")) == []
    told = {each.of: each.differs for each in others(suite, share(family="negation"))}
    assert told[Data(corpus="MultiNLI", split="dev matched", fidelity="code")] == differs


def test_source_pairs_of_each_split_have_their_own_figures() -> None:
    assert rows(STRICT, share(family="original")) == {"original": (0.635, 0.742)}
    assert rows(suite_of(*MISMATCHED), share(family="original")) == {"original": (0.642, 0.748)}
    assert rows(suite_of("SNLI", "test"), share(family="original")) == {"original": (0.846, 0.886)}
    assert rows(suite_of("SNLI", "dev"), share(family="original", label="neutral")) == {
        "original neutral": (0.7, 0.874)
    }


def test_swapped_pairs_have_figures_of_their_own_split_and_label() -> None:
    where = {"model": "m", "suite": "s", "family": "swap", "label": "neutral"}
    swapped = Estimate(name="kept", value=0.5, n=9, slice=where)
    assert rows(suite_of("SNLI", "test"), swapped) == {"swap neutral": (0.507, 0.72)}
    assert rows(suite_of("SNLI", "dev"), swapped) == {"swap neutral": (0.509, 0.721)}
    assert rows(STRICT, swapped) == {}
    assert rows(suite_of("SNLI", "test"), share(family="swap", label="entailment", genre="travel")) == {}


def test_models_come_together_and_what_was_not_measured_is_left_out() -> None:
    [row] = found(CODE, share(0.2, family="negation", model="a"), share(0.4, family="negation", model="b"))
    assert row.measured == {"a": 0.2, "b": 0.4}
    assert found(CODE, share(None, family="negation", n=0)) == []
    assert found(CODE, share(0.5, name="drop", family="negation")) == []


def test_typos_are_compared_by_variant() -> None:
    """The paper's spelling test changes content words; its appendix has the other variants."""
    both = [share(family="spelling", variant=each) for each in ("content-word", "keyboard")]
    assert rows(CODE, share(family="spelling"), *both) == {
        "spelling content-word": (0.379, 0.683),
        "spelling keyboard": (0.477, 0.685),
    }


def test_a_corpus_that_is_a_test_is_held_against_its_own_paper() -> None:
    original = share(family="original")
    breaking = suite_of("Breaking NLI", "test")
    lexical = rows(breaking, original, share(family="original", category="drinks"))
    assert lexical == {"lexical": (0.49, 0.858), "lexical drinks": (0.52, 0.966)}
    hans = suite_of("HANS", "evaluation")
    heuristic = share(family="original", heuristic="constituent", label="entailment")
    assert rows(hans, original, heuristic) == {"heuristics constituent entailment": (0.93, 0.99)}
    assert rows(STRICT, original, share(family="original", category="sports")) == {"original": (0.635, 0.742)}


def test_what_is_built_like_a_released_set_is_not_that_set() -> None:
    generated = share(family="heuristics", heuristic="subsequence", label="non-entailment")
    assert found(suite_of(*MATCHED), generated) == []
    assert found(STRICT, share(family="lexical", category="drinks")) == []
    assert [each.of.corpus for each in others(STRICT, share(family="lexical", category="drinks"))] == ["Breaking NLI"]


def test_released_stress_tests_are_what_their_file_says() -> None:
    original = share(family="original")
    [row] = found(released_file("multinli_0.9_negation_mismatched.jsonl"), original, released("family", "negation"))
    assert row.data == Data(corpus="MultiNLI", split="dev mismatched", fidelity="code")
    [row] = found(released_file("multinli_0.9_quant_hard.jsonl"), original, released("family", "numeracy"))
    assert (row.low, row.high) == (0.212, 0.313)
    both = released_file("stress_tests.zip")
    assert found(both, released("family", "negation")) == []
    assert [each.differs for each in others(both, released("family", "negation"))] == [("split",), ("split",)]
    one = released_file("multinli_0.9_dev_gram_keyboard_matched.jsonl")
    assert set(rows(one, released("variant", "keyboard"))) == {"spelling keyboard"}


def test_numeracy_of_a_split_of_aqua_is_related_because_the_paper_names_none() -> None:
    source = Source(name="test.json", format="aqua-rat/v1", digest="", rows=9, pairs=9, labels={}, skipped={})
    recipe = Recipe(transform="numeracy/v1", options={"fidelity": "code"}, seed=0)
    asked = manifest(source=source, recipes=(recipe,))
    assert data_of(asked, "numeracy") == Data(corpus="AQuA-RAT", split="test", fidelity="code")
    assert found(asked, share(family="numeracy")) == []
    assert [each.differs for each in others(asked, share(family="numeracy"))] == [("split",)]


def test_a_part_of_a_split_is_known_by_its_name_and_said_to_be_a_part() -> None:
    few = Source(
        name="dev_matched.jsonl", format="pairs/v1", digest="", rows=9, pairs=9, labels={"neutral": 60}, skipped={}
    )
    assert data_of(manifest(source=few), "original") == Data(corpus="MultiNLI", split="dev matched")
    assert part_of(manifest(source=few)) == "60 of 9,815 pairs"
    assert part_of(STRICT) == ""
    many = Source(
        name="dev_matched.jsonl", format="pairs/v1", digest="", rows=9, pairs=9, labels={"neutral": 9_000}, skipped={}
    )
    assert data_of(manifest(source=many), "original").corpus == "dev_matched.jsonl"
    hard = Source(
        name="test_hard.jsonl", format="snli/v1", digest="", rows=9, pairs=9, labels={"neutral": 9}, skipped={}
    )
    assert data_of(manifest(source=hard), "original").corpus == "test_hard.jsonl"


def test_every_published_accuracy_says_of_which_data_and_system_it_is() -> None:
    for each in figures():
        assert each.data.corpus, each
        if each.measures == "accuracy":
            assert each.data.split, each
            assert each.system, each
            assert each.trained or each.system == "WordNet baseline", each
        stress = each.slice.get("family", "") not in ("", "original", "swap", "lexical", "heuristics")
        assert not stress or each.data.fidelity == "code", each


def test_systems_that_share_a_name_are_told_apart() -> None:
    names = {(each.paper, each.model): each.system for each in figures()}
    assert names["naik2018", "IS"] == names["wang2019", "InferSent"]
    assert names["naik2018", "CH"] == names["wang2019", "DGA"]
    assert names["naik2018", "CBOW"] != names["wang2019", "CBOW"]  # summed, averaged
    assert names["wang2019", "ESIM"] != names["mccoy2019", "ESIM"] == names["glockner2018", "ESIM"]


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_says_whose_figures_they_are(width: int) -> None:
    measured = [
        share(0.25, family="heuristics", heuristic="lexical_overlap", label=label, model=model)
        for label in ("non-entailment", "entailment")
        for model in ("a", "b")
    ]
    measured = [msgspec.structs.replace(e, slice=e.slice | {"family": "original"}) for e in measured]
    drinks = share(family="original", category="drinks", model="a", suite="breaking")
    record = record_of([*measured, drinks], suite=suite_of("HANS", "evaluation"))
    breaking = {"breaking": suite_of("Breaking NLI", "test")}
    view = view_of([msgspec.structs.replace(record, suites=record.suites | breaking)])
    brief, whole = (published_sheet(view, brief=brief) for brief in (True, False))
    text = drawn(SheetTable(brief), width=width)
    assert max(map(len, text.splitlines())) <= width
    said = " ".join(text.split())
    assert "other systems on the same corpus, split and fidelity" in said
    assert "Data: HANS evaluation." in said
    assert "drinks" not in text
    assert "drinks" in drawn(SheetTable(whole), width=width)
    rows = [[cell.text for cell in row.cells] for row in brief.rows]
    assert ["lexical overlap, entailment", "95.0", "99.0", "4", "25.0", "25.0", "mccoy2019 3"] in rows
    assert [row[0] for row in rows if row[0].startswith("lexical overlap")] == [
        "lexical overlap, entailment",
        "lexical overlap, non-entailment",
    ]
    assert not published_sheet(view_of([record_of([share(family="mine")])])).rows


@pytest.mark.parametrize("width", [80, 100])
def test_related_figures_have_a_table_of_their_own_without_measured_ones(width: int) -> None:
    view = view_of([record_of([share(0.25, family="negation")], suite=STRICT)])
    assert not published_sheet(view).rows
    sheet = related_sheet(view)
    cells = [[cell.text for cell in row.cells] for row in sheet.rows]
    ours, theirs = "MultiNLI dev matched, strict", "MultiNLI dev matched, code"
    assert cells[0] == ["negation", ours, theirs, "fidelity", "39.5", "52.4", "9", "naik2018 3, wang2019 2"]
    assert "25.0" not in {cell for row in cells for cell in row}
    text = drawn(SheetTable(sheet), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert "Don't compare them" in " ".join(text.split())


def test_the_same_test_of_two_suites_is_told_apart() -> None:
    measured = [share(family="original", suite=suite) for suite in ("stress", "hans")]
    rows = published_sheet(view_of([record_of(measured, suite=STRICT)])).rows
    assert [row.cells[0].text for row in rows] == ["original (stress)", "original (hans)"]


def test_machines_get_them_too() -> None:
    record = record_of([share(family="negation")], suite=CODE)
    made = with_published(record)
    assert made["id"] == record.id
    assert [row.of.split for row in made["related"]] == ["dev mismatched"]
    assert [row.slice for row in made["published"]] == [{"suite": "stress", "family": "negation"}]


def test_a_scored_corpus_is_held_against_figures_of_its_own_split() -> None:
    """A part of a split that is known by its name."""
    pairs = [
        Pair(id=str(number), premise="A dog runs.", hypothesis="It is wet.", label=label)
        for number, label in enumerate((Label.NEUTRAL, Label.ENTAILMENT))
    ]
    made = with_published(score(FakeCorpus(pairs, name="snli_1.0_test.jsonl"), lambda asked: ["neutral"] * len(asked)))
    whole = [row for row in made["published"] if {*row.slice} == {"suite", "family"}]
    assert [(row.data.name, row.part, row.low) for row in whole] == [("SNLI test", "2 of 9,824 pairs", 0.846)]
    unknown = with_published(score(FakeCorpus(pairs, name="mine.jsonl"), lambda asked: ["neutral"] * len(asked)))
    assert unknown["published"] == []


def test_two_labels_are_not_held_against_three() -> None:
    def answers(label: str) -> Estimate:
        where = {"model": "two", "suite": "s", "family": "negation", "label": label, "answer": "non-entailment"}
        return Estimate(name="answers", value=1.0, n=9, slice=where)

    three, two = (share(0.5, model=name, suite="s", family="negation") for name in ("three", "two"))
    [row] = found(CODE, three, two, answers("neutral"))
    assert row.measured == {"three": 0.5}
    [row] = found(CODE, three, two, answers("non-entailment"))  # a two-way test, as HANS is one
    assert row.measured == {"three": 0.5, "two": 0.5}
