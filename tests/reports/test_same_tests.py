"""Published figures with measured ones: of the same test, and of no other."""

import pytest
from tests.figures import record_of, share
from tests.reports.conftest import drawn

from assay.bench.spec import FAMILIES
from assay.core.results.estimate import Estimate
from assay.reports.published.figures import kin
from assay.reports.published.same_tests import SameTest, same_tests, with_published
from assay.reports.tables.published import published
from assay.reports.view import view_of
from assay.reports.write.terminal.tables import SheetTable


def found(*estimates: Estimate) -> list[SameTest]:
    return same_tests(record_of(estimates))


def rows(*estimates: Estimate) -> dict[str, tuple[float, float]]:
    return {
        " ".join(value for name, value in row.slice.items() if name != "suite"): (round(row.low, 3), round(row.high, 3))
        for row in found(*estimates)
    }


def released(group: str, value: str) -> Estimate:
    where = {"model": "m", "suite": "stress", "family": "original", f"group:{group}": value}
    return Estimate(name="accuracy", value=0.5, n=9, slice=where)


@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in ("swap", "heuristics")])
def test_every_family_has_published_kin(family: str) -> None:
    figures = [each.share or 0.0 for each in kin({"family": family})]
    assert rows(share(family=family)) == {family: (round(min(figures), 3), round(max(figures), 3))}


def test_swapping_and_heuristics_have_kin_by_label() -> None:
    swapped = Estimate(
        name="kept", value=0.5, n=9, slice={"model": "m", "suite": "s", "family": "swap", "label": "neutral"}
    )
    assert rows(swapped) == {"swap neutral": (0.507, 0.721)}
    assert rows(share(family="heuristics", heuristic="subsequence", label="non-entailment")) == {
        "heuristics subsequence non-entailment": (0.02, 0.06)
    }
    assert rows(share(family="swap", label="entailment", genre="travel")) == {}


def test_models_come_together_and_what_was_not_measured_is_left_out() -> None:
    [row] = found(share(0.2, family="negation", model="a"), share(0.4, family="negation", model="b"))
    assert row.measured == {"a": 0.2, "b": 0.4}
    assert found(share(None, family="negation", n=0)) == []
    assert found(share(0.5, name="drop", family="negation")) == []


def test_a_corpus_that_is_a_test_is_held_against_its_own_paper() -> None:
    original = share(family="original")
    assert rows(original)["original"] == (0.635, 0.886)
    lexical = rows(original, share(family="original", category="drinks"))
    assert lexical == {"lexical": (0.49, 0.858), "lexical drinks": (0.52, 0.966)}
    hans = rows(original, share(family="original", heuristic="constituent", label="entailment"))
    assert hans == {"heuristics constituent entailment": (0.93, 0.99)}
    own = rows(original, share(family="original", category="sports"))
    assert own == {"original": (0.635, 0.886)}
    both = [released("family", family) for family in ("negation", "antonymy")]
    assert set(rows(original, *both)) == {"negation", "antonymy"}
    assert set(rows(released("variant", "keyboard"))) == {"spelling keyboard"}


@pytest.mark.parametrize("width", [80, 100])
def test_the_table_says_whose_figures_they_are(width: int) -> None:
    measured = [
        share(0.25, family="heuristics", heuristic="lexical_overlap", label=label, model=model)
        for label in ("non-entailment", "entailment")
        for model in ("a", "b")
    ]
    measured += [share(family="original", model="a"), share(family="lexical", category="drinks", model="a")]
    view = view_of([record_of(measured)])
    brief, whole = (published(view, brief=brief) for brief in (True, False))
    text = drawn(SheetTable(brief), width=width)
    assert max(map(len, text.splitlines())) <= width
    assert "other systems on other pairs" in " ".join(text.split())
    assert "drinks" not in text
    assert "drinks" in drawn(SheetTable(whole), width=width)
    rows = [[cell.text for cell in row.cells] for row in brief.rows]
    assert ["lexical overlap, entailment", "95.0", "99.0", "4", "25.0", "25.0", "mccoy2019 3"] in rows
    assert [row[0] for row in rows if row[0].startswith("lexical overlap")] == [
        "lexical overlap, entailment",
        "lexical overlap, non-entailment",
    ]
    assert not published(view_of([record_of([share(family="mine")])])).rows


def test_the_same_test_of_two_suites_is_told_apart() -> None:
    measured = [share(family="original", suite=suite) for suite in ("stress", "hans")]
    rows = published(view_of([record_of(measured)])).rows
    assert [row.cells[0].text for row in rows] == ["original (stress)", "original (hans)"]


def test_machines_get_them_too() -> None:
    record = record_of([share(family="negation")])
    made = with_published(record)
    assert made["id"] == record.id
    assert [row.slice for row in made["published"]] == [{"suite": "stress", "family": "negation"}]


def test_two_labels_are_not_held_against_three() -> None:
    def answers(label: str) -> Estimate:
        where = {"model": "two", "suite": "s", "family": "negation", "label": label, "answer": "non-entailment"}
        return Estimate(name="answers", value=1.0, n=9, slice=where)

    three, two = (share(0.5, model=name, suite="s", family="negation") for name in ("three", "two"))
    [row] = found(three, two, answers("neutral"))
    assert row.measured == {"three": 0.5}
    [row] = found(three, two, answers("non-entailment"))  # a two-way test, as HANS is one
    assert row.measured == {"three": 0.5, "two": 0.5}
