"""The verdict on a model in plain words."""

import msgspec
import pytest
from tests.reports.test_terminal import lost, manifest, share

from assay.core.estimate import Estimate
from assay.core.run import ModelAnswers, RunRecord, RunSpec
from assay.reports.findings import told
from assay.reports.judgement import Judgement, judgements
from assay.reports.tables.sheets import accuracy, seeds
from assay.reports.view import Told, View, view_of

MODEL = "assay:overlap/v1"


def bench(*estimates: Estimate, models: tuple[str, ...] = (MODEL,)) -> View:
    counts = {"original": {"entailment": 40, "neutral": 40, "contradiction": 40}, "negation": {"neutral": 40}}
    record = RunRecord(
        id="r",
        created="2026-01-01T00:00:00+00:00",
        spec=RunSpec(suites={}, models=models),
        suites={"stress": manifest(counts=counts)},
        models=tuple(ModelAnswers(model=model, files={}) for model in models),
        estimates=estimates,
        versions={"assay": "0"},
    )
    return view_of([Told(record)])


def judged(*estimates: Estimate) -> Judgement:
    (found,) = judgements(bench(*estimates))
    return found


def heuristic(name: str, entailment: float, other: float, *, spread: float = 0.05) -> list[Estimate]:
    where = {"model": MODEL, "suite": "stress", "family": "heuristics", "heuristic": name}
    return [
        Estimate(
            name="accuracy", value=value, low=value - spread, high=value + spread, n=40, slice={**where, "label": label}
        )
        for label, value in (("entailment", entailment), ("non-entailment", other))
    ]


def test_a_clear_loss_is_right_for_the_wrong_reasons() -> None:
    found = judged(share(0.9, family="original"), share(0.2, family="negation"), *lost("neutral", 0.9, 0.2, p=0.004))
    assert (found.tone, found.headline) == ("bad", "Right for the wrong reasons in 1 of 1 families")
    assert found.standing == "Right on 90.0 % of the source pairs (95 %: 85.0-95.0)."
    assert found.sureness.startswith("How sure: p is at most 0.004")


def test_no_loss_is_good_and_no_proof() -> None:
    found = judged(share(0.9, family="original"), *lost("neutral", 0.9, 0.89, p=1.0))
    assert (found.tone, found.headline, found.findings) == ("good", "No clear loss in one family", ())
    assert "no proof" in found.sureness


def test_guessing_is_told() -> None:
    found = judged(share(0.34, family="original"), *lost("neutral", 0.3, 0.29, p=1.0))
    assert (found.tone, found.headline) == ("bad", "No better than always giving one label")
    assert "no more than always giving one label (33.3 %)" in found.standing


def test_without_source_pairs_nothing_is_claimed() -> None:
    found = judged(share(0.5, family="negation"))
    assert (found.tone, found.standing) == ("unsure", "")


@pytest.mark.parametrize(
    ("entailment", "other", "spread", "followed"),
    [(0.98, 0.04, 0.02, True), (0.98, 0.45, 0.1, False), (0.55, 0.04, 0.1, False), (0.9, 0.9, 0.02, False)],
)
def test_a_heuristic_is_told_where_both_intervals_are_on_the_wrong_side(
    entailment: float, other: float, spread: float, followed: bool
) -> None:
    found = told(heuristic("lexical_overlap", entailment, other, spread=spread))
    assert [each.kind for each in found] == (["heuristic"] if followed else [])


def test_several_heuristics_are_one_finding() -> None:
    (found,) = told([*heuristic("subsequence", 0.9, 0.2), *heuristic("constituent", 0.9, 0.1)])
    assert found.words == (
        "takes constituent for entailment: right on 90.0 % where it follows, but on 10.0 % where it does not; "
        "subsequence likewise."
    )


def test_seeds_of_a_system_have_one_verdict() -> None:
    where = {"model": "trained:x", "suite": "stress", "family": "negation", "seeds": "2"}
    band = Estimate(name="band", value=0.2, low=0.1, high=0.3, n=40, slice=where)
    names = ("trained:x@1", "trained:x@2")
    losses = [each for name in names for each in lost("neutral", 0.9, 0.1, model=name)]
    view = bench(band, *losses, models=names)
    assert [each.model for each in judgements(view)] == ["trained:x"]
    (row,) = seeds(view).rows
    assert [cell.text for cell in row.cells] == ["trained:x", "negation", "20.0", "10.0-30.0", "2", "40"]


def test_a_suite_of_the_same_name_with_other_cases_is_told_apart() -> None:
    view = bench(share(0.5, family="negation"))
    first = view.runs[0]
    other = msgspec.structs.replace(
        first.record, id="other", suites={"stress": msgspec.structs.replace(manifest(), digest="other")}
    )
    both = view_of([first, first._replace(record=other)])
    assert [*both.suites] == ["stress", "stress in other"]
    assert {e.slice["suite"] for e in both.estimates} == {"stress", "stress in other"}


@pytest.mark.parametrize(("p", "tone"), [(0.004, "bad"), (0.088, "")])
def test_a_change_is_marked_as_a_loss_only_where_the_corrected_test_shows_it(p: float, tone: str) -> None:
    where = {"model": MODEL, "suite": "stress", "family": "negation"}
    drop = Estimate(name="drop", value=0.04, low=0.008, high=0.072, n=40, slice=where)
    test = Estimate(name="holm", value=p, n=40, slice=where)
    (row,) = accuracy(bench(share(0.5, family="negation"), drop, test)).rows
    (change,) = (cell for cell in row.cells if cell.text == "-4.0")
    assert change.tone == tone
