"""A run: the report's page, whose cells lead to their cases."""

from pathlib import Path

from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from assay.core.run_record import FromCorpus, RunRecord, StoredSuite, SuiteSpec
from assay.reports.page.html_page import page
from assay.reports.view import view_of
from assay.run.case_index.index_layout import index_is_there
from assay.run.case_index.saved_slices import slice_accuracies
from assay.serve.addresses import cases_link
from assay.serve.auth import AuthorisedRequest, routes_for
from assay.serve.background import is_small
from assay.serve.html_pages import PageStep


def show(asked: AuthorisedRequest) -> Response:
    """The page."""
    record = asked.site.runs.whole(asked.path["run"])
    frame = asked.frame(PageStep("Runs", "/"), PageStep(record.id), cases=cases_link(record.id))
    slices = slice_accuracies(record) if is_small(record) or index_is_there(record) else []
    shown = _without_paths(record) if asked.site.pages.is_bundle else record
    return HTMLResponse(page(view_of([shown], slices={record.id: slices}), frame=frame))


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


ROUTES = [routes_for("/runs/{run}", show)]
