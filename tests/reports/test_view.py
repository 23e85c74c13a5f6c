"""Several runs as if they were one."""

import msgspec
from tests.figures import band, lost, manifest, record_of, share
from tests.reports.test_page import Page

from assay.core.case import Recipe
from assay.core.run_record import RunRecord
from assay.reports.headline import CaseOrigin, case_origins
from assay.reports.page.html_page import page
from assay.reports.tables.accuracy_tables import seeds
from assay.reports.view import ReportView, view_of


def test_a_suite_of_the_same_name_with_other_cases_is_told_apart() -> None:
    first = record_of([share(0.5, family="negation")])
    other = msgspec.structs.replace(
        first, id="other", suites={"stress": msgspec.structs.replace(manifest(), digest="other")}
    )
    both = view_of([first, other])
    assert [*both.suites] == ["stress", "stress in other"]
    assert {e.slice["suite"] for e in both.estimates} == {"stress", "stress in other"}


def test_generated_suites_are_counted_as_one_source() -> None:
    replace = msgspec.structs.replace
    plain = manifest()
    first = replace(plain, cases=10)
    second = replace(plain, cases=5)
    made = [
        replace(
            plain,
            cases=number,
            source=replace(plain.source, name=f"{name}, evaluation, 30 per subcase, seed 0", format=f"{name}/v1"),
            recipes=(Recipe(transform=f"{name}/v1", seed=0),),
        )
        for name, number in (("scope", 7), ("quantifiers", 4))
    ]
    name = plain.source.name
    assert case_origins([first, *made, second]) == [
        CaseOrigin(15, name),
        CaseOrigin(11, "templates", ("scope", "quantifiers")),
    ]
    assert case_origins([first]) == [CaseOrigin(10, name)]


def test_two_runs_are_told_apart(run: RunRecord, view: ReportView) -> None:
    changed = [msgspec.structs.replace(e, value=0.123) if e.value else e for e in run.estimates]
    models = [msgspec.structs.replace(m, identity="other") for m in run.models]
    other = msgspec.structs.replace(run, id="other", estimates=tuple(changed), models=tuple(models))
    both = view_of([run, other])
    assert len(both.models) == 2 * len(view.models)
    assert len(both.estimates) == 2 * len(view.estimates)
    assert "overlap in other" in both.models
    assert len(both.suites) == len(view.suites)
    assert len(both.judgement.losses) == 2 * len(view.judgement.losses) > 0
    assert len(both.judgement.verdicts) == 2 * len(view.judgement.verdicts)
    assert {each.model for each in both.judgement.findings} <= {*both.models}
    assert "overlap in other" in Page(page(both)).text


def test_the_same_run_twice_is_one(run: RunRecord, view: ReportView) -> None:
    twice = view_of([run, run])
    assert len(twice.estimates) == len(view.estimates)
    assert twice.judgement == view.judgement
    assert twice.models == view.models


def test_seeds_of_two_runs_are_two_systems() -> None:
    def of(name: str, value: float, numbers: tuple[int, int]) -> RunRecord:
        own = [share(value, model=f"trained:x@{seed}", family="negation") for seed in numbers]
        losses = [each for seed in numbers for each in lost("neutral", 0.9, 0.1, model=f"trained:x@{seed}")]
        return record_of([*own, *losses, band(value, family="negation")], name=name)

    both = view_of([of("one", 0.2, (1, 2)), of("two", 0.7, (3, 4))])
    assert [each.model for each in both.judgement.verdicts] == ["trained:x", "trained:x in two"]
    assert [[cell.text for cell in row.cells] for row in seeds(both).rows] == [
        ["trained:x", "negation", "20.0", "10.0-30.0", "2", "40"],
        ["trained:x in two", "negation", "70.0", "60.0-80.0", "2", "40"],
    ]


def test_suites_are_in_the_order_in_which_they_were_measured(run: RunRecord) -> None:
    assert [*run.suites] == sorted(run.suites)  # as the file has them
    assert [*view_of([run]).suites] == ["stress", "heuristics"]


def test_a_part_has_only_its_own_figures(view: ReportView) -> None:
    part = view.only(suite="stress", models=["assay:overlap/v1"])
    assert {(e.slice["model"], e.slice["suite"]) for e in part.estimates} == {("assay:overlap/v1", "stress")}
    assert ([*part.suites], [*part.models]) == (["stress"], ["assay:overlap/v1"])
