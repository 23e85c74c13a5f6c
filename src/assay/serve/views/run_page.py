"""A run: its verdict and numbers, then the report, whose cells lead to their cases; and its name, notes and tags."""

import json
from pathlib import Path

from msgspec.structs import replace
from starlette.responses import HTMLResponse, RedirectResponse, Response

from assay.core.label_space import LABELS
from assay.core.run_record import FromCorpus, RunRecord, StoredSuite, SuiteSpec
from assay.reports.headline import headlines, sources
from assay.reports.page.html_page import page
from assay.run.case_index.index_layout import index_is_there
from assay.run.case_index.saved_slices import slice_accuracies
from assay.serve.addresses import cases_link, run_link
from assay.serve.auth import AuthorisedRequest, routes_for
from assay.serve.background import is_small
from assay.serve.html_pages import PageStep
from assay.serve.run_notes import FILE, write_notes
from assay.serve.run_view import curve_of, family_notes, is_about_claims, metrics_of, run_view
from assay.serve.served_files import place_to_write


def show(asked: AuthorisedRequest) -> Response:
    """The page."""
    run = asked.site.runs.get(asked.path["run"])
    record = asked.site.runs.whole(run.id)
    slices = slice_accuracies(record) if is_small(record) or index_is_there(record) else []
    view = run_view(_without_paths(record) if asked.site.pages.is_bundle else record, slices={run.id: slices})
    told = headlines(view)
    first = [each for each in told if each.first]
    labels = json.dumps({view.names(label): label for label in LABELS if view.names(label) != label})
    frame = asked.frame(PageStep("Runs", "/"), PageStep(run.name), cases=cases_link(run.id), labels=labels)
    top = asked.part(
        "run.html",
        run=run,
        told=first,
        others=len(told) - len(first),
        worst=next((each.model for each in first if each.model in view.models), ""),
        metrics={each.model: [*metrics_of(view, run.id, each.model)] for each in first},
        scored=[each.model for each in first if curve_of(view, each.model)],
        sources=sources(record.suites.values()),
        judged="" if is_about_claims(record) else view.judged(),
        families=family_notes(record),
    )
    return HTMLResponse(page(view, frame=frame._replace(top=frame.top + top)))


def rename(asked: AuthorisedRequest) -> Response:
    """Store what people call a run and say about it, beside its record."""
    run, form = asked.site.runs.get(asked.path["run"]), asked.form()
    place_to_write(asked.site.folder, *run.folder.relative_to(asked.site.folder).parts, FILE)
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


ROUTES = [routes_for("/runs/{run}", show), routes_for("/runs/{run}/notes", rename, methods=("POST",))]
