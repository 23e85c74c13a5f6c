"""A run: its verdict and numbers, then the report, whose cells lead to their cases; and its name, notes and tags."""

import json
from collections.abc import Sequence
from dataclasses import replace as replace_parts
from itertools import chain
from pathlib import Path
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.responses import HTMLResponse, RedirectResponse, Response

from assay.core.case import ORIGINAL
from assay.core.judgement import Example, ExampleAnswer
from assay.core.label_space import LABELS
from assay.core.run_record import FromCorpus, RunRecord, StoredSuite, SuiteSpec
from assay.reports.headline import case_origins, headlines, passed_claims
from assay.reports.page.html_page import SharedPart, page
from assay.reports.phrases import short_name
from assay.reports.threshold_points import curve_of
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex, IndexedCase, index_is_there
from assay.run.case_index.saved_slices import slice_accuracies
from assay.run.measure import proof_of
from assay.serve.addresses import cases_link, compare_link, run_link
from assay.serve.auth import AuthorisedRequest, routes_for
from assay.serve.background import is_small
from assay.serve.case_view import shown_answer
from assay.serve.html_pages import PageStep
from assay.serve.run_view import OWN_TABLE, ServedView, is_about_claims, metrics_of, run_view
from assay.serve.served_files import place_to_write
from assay.serve.served_runs import NOTES, RunOverview, tell_apart, write_notes
from assay.serve.views.compare_models import judged_models, nearest_pair
from assay.serve.views.download_cases import as_file
from assay.storage.suite import slug

MOST_SHARED = 20  # worst failures of each model in a file to share


def show(asked: AuthorisedRequest) -> Response:
    run = asked.site.runs.get(asked.path["run"])
    record = asked.site.runs.whole(run.id)
    view = _view(record, names_paths=not asked.site.pages.is_bundle)
    told = headlines(view)
    first = [each for each in told if each.first]
    own = _own_suite(record)
    labels = json.dumps({view.names(label): label for label in LABELS if view.names(label) != label})
    frame = asked.frame(PageStep("Runs", "/"), PageStep(run.name), cases=cases_link(run.id), labels=labels)
    top = asked.part(
        "run.html",
        run=run,
        view=view,
        told=first,
        others=len(told) - len(first),
        own=own,
        metrics={each.model: [*metrics_of(view, run.id, each.model)] for each in first},
        passed={each.model: passed_claims(view, each.model) for each in first},
        scored={each.model for each in first if curve_of(view, each.model)},
        sources=case_origins(record.suites.values()),
        judged="" if own and is_about_claims(record) and record.suites[own].label_space.is_binary else view.judged(),
        needs_two=own and not record.label_space.is_binary and record.suites[own].source.format == OWN_TABLE,
        families=run.families,
        rival=_rival(asked, run),
    )
    return HTMLResponse(page(view, frame=frame._replace(top=frame.top + top)))


def share(asked: AuthorisedRequest) -> Response:
    """The results as one file, which opens in any browser and names no folder of this machine."""
    run = asked.site.runs.get(asked.path["run"])
    record = asked.site.runs.whole(run.id)
    view = _view(record, names_paths=False)
    first = [each.model for each in headlines(view) if each.first]
    metrics = {model: [each._replace(link="") for each in metrics_of(view, run.id, model)] for model in first}
    index, worst = asked.site.indexes.ready(run), dict[str, list[int]]()
    if index:
        models = [model for model in first if model in view.models]
        worst = worst_failures(index, models, _own_suite(record))
        rows = [*dict.fromkeys(chain.from_iterable(worst.values()))]
        view = replace_parts(view, examples=[_example(index, view, row) for row in index.rows(rows)])
        places = {row: place for place, row in enumerate(rows)}
        worst = {model: [places[row] for row in own] for model, own in worst.items()}
    made = page(view, shared=SharedPart(run.name, metrics, MOST_SHARED if index else 0, worst))
    return HTMLResponse(made, headers=as_file(f"{slug(run.name.replace('.', '-'))}.html"))


def _own_suite(record: RunRecord) -> str:
    """The suite with the unmodified pairs and their edits; empty if there is none."""
    return next((name for name, each in record.suites.items() if ORIGINAL in each.counts), "")


def worst_failures(index: CaseIndex, models: Sequence[str], suite: str) -> dict[str, list[int]]:
    """The worst failures of each model, in the order of the list of cases."""
    choices = (CaseFilter(model=model, show="wrong", order="worst", facets={"suite": suite}) for model in models)
    return {choice.model: [*FilteredCases(index, choice).rows(0, MOST_SHARED)] for choice in choices}


def _example(index: CaseIndex, view: ServedView, row: IndexedCase) -> Example:
    """A case of the index as an example of the report."""
    (source,) = index.rows([row.source]) if row.source is not None else (None,)
    answers = {}
    for model, answer in row.answers.items():
        before = view.read(source.answers[model].label, row.suite) if source else None
        answers[model] = ExampleAnswer(
            label=view.read(answer.label, row.suite),
            confidence=shown_answer(row, view, model).sure,
            source=before,
            failed=row.failed[model],
        )
    label = view.read(source.case.compared_with, row.suite) if source else None
    return Example(suite=row.suite, case=row.case, answers=answers, source_label=label, proof=proof_of(row.case))


def _view(record: RunRecord, *, names_paths: bool) -> ServedView:
    slices = slice_accuracies(record) if is_small(record) or index_is_there(record) else []
    return run_view(record if names_paths else _without_paths(record), slices={record.id: slices})


def _rival(asked: AuthorisedRequest, run: RunOverview) -> tuple[str, str] | None:
    """The nearest comparison, as text and address: of two models of the run, or with another run, the older first."""
    own = judged_models(run)
    if len(own) > 2:
        is_bundle = asked.site.pages.is_bundle
        return "Compare models", "/compare" if is_bundle else f"/compare?{urlencode({'of': f'{run.id}/{own[0]}'})}"
    pair = nearest_pair(run, asked.site.runs.readable())
    if pair is None:
        return None
    one, other = pair
    link = compare_link(one.key, other.key)
    if one.run is other.run:
        return f"Compare {short_name(one.model)} and {short_name(other.model)}", link
    rival = one if other.run.id == run.id else other
    apart, _ = tell_apart((rival.model, rival.run), (own[0], run))
    return f"Compare with {short_name(rival.model)}{apart}", link


def rename(asked: AuthorisedRequest) -> Response:
    """Store the name and the notes of a run next to its record."""
    run, form = asked.site.runs.get(asked.path["run"]), asked.form()
    place_to_write(asked.site.folder, *run.folder.relative_to(asked.site.folder).parts, NOTES)
    write_notes(run.folder, **{name: form.get(name, "") for name in ("name", "notes", "tags")})
    return RedirectResponse(run_link(run.id), status_code=303)


def _without_paths(record: RunRecord) -> RunRecord:
    """The run as others may see it: files and suites that its command names by a path are named without folders."""
    suites = {name: _without_path(suite) for name, suite in record.spec.suites.items()}
    return replace(record, spec=replace(record.spec, suites=suites))


def _without_path(suite: SuiteSpec) -> SuiteSpec:
    if isinstance(suite, FromCorpus) and Path(suite.reading.source).is_absolute():
        return replace(suite, reading=replace(suite.reading, source=Path(suite.reading.source).name))
    if isinstance(suite, StoredSuite) and Path(suite.folder).is_absolute():
        return replace(suite, folder=Path(suite.folder).name)
    return suite


ROUTES = [
    routes_for("/runs/{run}", show),
    routes_for("/runs/{run}/report.html", share),
    routes_for("/runs/{run}/notes", rename, methods=("POST",)),
]
