"""Published figures: they are those of the papers, and what can be recomputed from them is."""

import re
from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from functools import cache

import pytest
from tests.conftest import ROOT

from assay.core.errors import UnknownNameError
from assay.reports.published import published_results as published
from assay.reports.published.published_results import (
    PublishedFigure,
    figure,
    figures,
    paper,
    papers,
    published_accuracies,
    table,
)
from assay.studies.plan.study_metrics import deviation, ratio

PAPERS = ROOT.parent / "shared" / "papers"

Cells = dict[tuple[str, str], Decimal]


@cache
def cells(key: str, number: str) -> Cells:
    return {(f.row, f.column): Decimal(f.printed) for f in figures() if (f.paper, f.table) == (key, number)}


def rounded(value: float | Decimal, like: Decimal) -> Decimal:
    return Decimal(value).quantize(like, ROUND_HALF_UP)


def wrong_differences(key: str, number: str, before: str, after: str, printed: str, *, sign: int) -> list[str]:
    found = cells(key, number)
    rows = [row for row, column in found if column == printed]
    assert rows
    return [row for row in rows if sign * (found[row, before] - found[row, after]) != found[row, printed]]


def test_all_36_swap_differences() -> None:
    assert len(cells("wang2019", "1")) == 18 * 6
    assert wrong_differences("wang2019", "1", "dev", "swapped dev", "difference, dev", sign=1) == []
    assert wrong_differences("wang2019", "1", "test", "swapped test", "difference, test", sign=1) == []


def scores(model: str, test: str) -> list[dict[int, float]]:
    """Accuracy by the per cent of swapped pairs, for both test sets."""
    found = cells("wang2019", "2")
    return [
        {int(c.split()[0]): float(v) for (row, c), v in found.items() if row == f"{model}, {test}, {category}"}
        for category in ("matched", "mismatched")
    ]


def deviations(*, as_printed: bool) -> dict[str, tuple[Decimal, Decimal]]:
    """The printed deviation and ours, by model and test."""
    found = {}
    for (row, _), printed in cells("wang2019", "2, deviations").items():
        model, test = row.split(", ")
        found[row] = printed, rounded(deviation(scores(model, test), as_printed=as_printed), printed)
    assert len(found) == 25
    return found


def test_all_25_deviations_under_the_definition_that_the_paper_used() -> None:
    assert [row for row, (printed, ours) in deviations(as_printed=True).items() if printed != ours] == []


def test_the_definition_in_the_text_gives_other_deviations() -> None:
    same = [row for row, (printed, ours) in deviations(as_printed=False).items() if printed == ours]
    assert same == ["DGA, length mismatch", "ADV, length mismatch"]


def test_all_200_ratios() -> None:
    found = cells("wang2019", "2, ratios")
    assert len(found) == 200
    for (row, column), printed in found.items():
        model, test, category = row.split(", ")
        by_share = scores(model, test)[category == "mismatched"]
        assert rounded(100 * ratio(by_share[int(column.split()[0])], by_share[0]), printed) == printed, row


def mean(values: list[Decimal]) -> Decimal:
    return sum(values, Decimal()) / len(values)


@pytest.mark.parametrize("category", ["matched", "mismatched"])
def test_the_averages_of_naik(category: str) -> None:
    errors, text = cells("naik2018", "7"), cells("naik2018", "section 4")
    ours = mean([value for (_, column), value in errors.items() if column == f"entailment, {category}"])
    printed = text["errors on antonymy that answer entailment, mean of Table 7", category]
    assert rounded(ours, printed) == printed
    accuracies = cells("naik2018", "3")
    systems = {row for row, _ in accuracies}
    losses = [accuracies[s, f"MultiNLI dev, {category}"] - accuracies[s, f"negation, {category}"] for s in systems]
    printed = text["loss in negation, mean of the six systems of Table 3", category]
    assert (
        rounded(mean(losses), Decimal("0.01"))
        == {"matched": Decimal("23.32"), "mismatched": Decimal("23.25")}[category]
    )
    assert abs(mean(losses) - printed) < Decimal("0.15")


def test_errors_on_antonymy_are_of_two_kinds() -> None:
    found = cells("naik2018", "7")
    for system, category in {(row, column.split(", ")[1]) for row, column in found}:
        assert found[system, f"entailment, {category}"] + found[system, f"neutral, {category}"] == 100


def test_spelling_is_the_column_of_content_words() -> None:
    in_8 = {key: value for key, value in cells("naik2018", "8").items() if key[1].startswith("content word")}
    in_3 = cells("naik2018", "3")
    assert len(in_8) == 8
    for (system, column), value in in_8.items():
        assert in_3[system, column.replace("content word", "spelling error")] == value


def test_false_entailment_in_numerical_reasoning() -> None:
    """The text says 78.3%."""
    errors = cells("naik2018", "section 4.3")
    false = sum(value for (row, _), value in errors.items() if row != "all")
    assert rounded(100 * false / errors["all", "errors"], Decimal("0.01")) == Decimal("78.35")


def test_instances_of_the_new_test_set_add_up() -> None:
    for column in ("SNLI test", "new test"):
        counts = {row: value for (row, at), value in cells("glockner2018", "2").items() if at == column}
        assert counts.pop("all") == sum(counts.values())
    by_category = {row: value for (row, _), value in cells("glockner2018", "4, instances").items()}
    assert by_category.pop("all") == sum(by_category.values())


def test_totals_of_the_categories_are_their_weighted_means() -> None:
    """Rounding explains a tenth of a point; what it does not explain is in doubt."""
    weights = {row: value for (row, _), value in cells("glockner2018", "4, instances").items()}
    found = cells("glockner2018", "4")
    off = set()
    for system in {column for _, column in found}:
        parts = [found[row, system] * weight for row, weight in weights.items() if row != "all"]
        if abs(sum(parts) / weights["all"] - found["all", system]) > Decimal("0.1"):
            off.add(system)
    assert off == {f.column for f in figures() if (f.paper, f.table, f.row) == ("glockner2018", "4", "all") and f.doubt}
    assert off == {"ESIM"}


def test_shared_errors_are_the_same_from_both_sides_and_kinds_of_errors_add_up() -> None:
    shared = cells("wang2019", "A1")
    assert len(shared) == 20
    assert all(shared[other, one] == count for (one, other), count in shared.items())
    kinds = cells("wang2019", "A2")
    for system in {column for _, column in kinds}:
        shares = [value for (_, column), value in kinds.items() if column == system]
        assert sum(shares) == 1
        assert all((share * 400) % 1 == 0 for share in shares)


def test_misprints_are_the_cells_that_others_contradict() -> None:
    """What the recomputations above do not excuse is listed as a misprint, and nothing else is."""
    wrong = wrong_differences("glockner2018", "3", "SNLI test", "new test", "difference", sign=-1)
    listed = [(p.key, d.table, d.row) for p in papers() for d in p.doubts if d.kind == "misprint"]
    assert listed == [("glockner2018", "3", row) for row in wrong]


def test_suspicious_figures_look_wrong() -> None:
    found = cells("wang2019", "1")
    gaps = {row: abs(found[row, "dev"] - found[row, "test"]) for row, _ in found}
    assert max(gaps, key=gaps.__getitem__) == "CBOW, neutral"
    assert sorted(gaps.values())[-2] == Decimal("0.034")
    swapped = cells("wang2019", "2")
    same = {
        (row, column)
        for (row, column), value in swapped.items()
        if row.endswith(", matched") and value == swapped[row.replace(", matched", ", mismatched"), column]
    }
    assert same == {("ADV, word overlap, matched", f"{share} %") for share in (25, 75, 100)}
    assert sum(cells("naik2018", "section 2").values()) == 101
    assert sum(cells("naik2018", "6").values()) == 100


def test_every_doubt_is_about_a_figure() -> None:
    doubtful = Counter((f.paper, f.table, f.row, f.column) for f in figures() if f.doubt)
    assert doubtful == Counter((p.key, d.table, d.row, d.column) for p in papers() for d in p.doubts)


@pytest.mark.parametrize("key", [each.key for each in papers()])
def test_the_figures_are_those_of_the_paper(key: str) -> None:
    """Every row's figures stand in one line of the paper, in their order; those of the running text stand somewhere."""
    texts = list(PAPERS.glob(f"{key}_*.txt")) if PAPERS.is_dir() else []
    if not texts:
        pytest.skip("no papers beside the project (../shared/papers)")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", texts[0].read_text(encoding="utf-8"))
    lines = [re.findall(r"-?\d+(?:\.\d+)?", line) for line in text.splitlines()]
    for shown in paper(key).tables:
        for row in shown.rows:
            printed = [str(cell) for cell in row.values if cell != "-"]
            together = [[cell] for cell in printed] if shown.number.startswith("section") else [printed]
            for cells_ in together:
                assert any(in_order(cells_, line) for line in lines), (shown.number, row.name)


def in_order(wanted: list[str], line: list[str]) -> bool:
    rest = iter(line)
    return all(any(each == number for number in rest) for each in wanted)


def test_the_check_against_the_paper_sees_a_changed_digit() -> None:
    assert in_order(["1.0", "2.0"], ["1.0", "5", "2.0"])
    assert not in_order(["2.0", "1.0"], ["1.0", "5", "2.0"])
    assert not in_order(["1.1", "2.0"], ["1.0", "5", "2.0"])


def test_a_measured_figure_finds_its_kin() -> None:
    def of(**where: str) -> set[tuple[str, str]]:
        return {(f.paper, f.table) for f in published_accuracies({"model": "m", "suite": "s", **where})}

    assert of(family="negation") == {("naik2018", "3"), ("wang2019", "2")}
    assert of(family="spelling", variant="keyboard") == {("naik2018", "8")}
    assert of(family="swap", label="neutral") == {("wang2019", "1")}
    assert of(family="lexical", category="planets") == {("glockner2018", "4")}
    assert of(family="heuristics", heuristic="subsequence", label="non-entailment") == {("mccoy2019", "3")}
    assert of(family="heuristics", subcase="ln_conjunction") == {("mccoy2019", "section 5")}
    assert of(family="negation", label="neutral") == set()
    assert of(label="neutral") == set()


def test_kin_of_swap_training_are_the_systems_without_swapping() -> None:
    found = [f for f in published_accuracies({"family": "antonymy"}) if f.paper == "wang2019"]
    assert {f.column for f in found} == {"0 %"}
    assert {f.model for f in found} == {"InferSent", "DGA", "ESIM", "KIM", "ADV"}


def test_shares() -> None:
    one = figure("mccoy2019", "3", row="BERT", column="MultiNLI test")
    assert (one.share, one.model) == (0.84, "BERT")
    assert figure("glockner2018", "4", row="planets", column="KIM").share == pytest.approx(0.05)
    assert figure("mccoy2019", "section 2", row="constituent", column="supporting").share is None


def test_what_is_not_printed_is_no_figure() -> None:
    with pytest.raises(UnknownNameError, match="No number"):
        figure("glockner2018", "3", row="WordNet Baseline", column="SNLI test")
    with pytest.raises(UnknownNameError, match="did you mean 'naik2018'"):
        paper("naik2081")
    with pytest.raises(UnknownNameError, match="it has"):
        table("naik2018", "99")


def test_families_and_labels_are_named_as_ours_are() -> None:
    from assay.core import registry
    from assay.core.label import Label

    known = {name.partition("/")[0] for name in registry.transforms.names()} | {"lexical", "swap"}
    assert {f.slice["family"] for f in figures() if "family" in f.slice} <= known
    assert {f.slice["label"] for f in figures() if "label" in f.slice} <= set(Label)


def test_figures_survive_json() -> None:
    import msgspec

    assert msgspec.json.decode(msgspec.json.encode(figures()), type=tuple[PublishedFigure, ...]) == published.figures()
