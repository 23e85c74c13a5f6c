"""A run: its verdict and numbers, then the report, whose cells lead to their cases; and its name, notes and tags."""

import json
from pathlib import Path
from urllib.parse import urlencode

from msgspec.structs import replace
from starlette.responses import HTMLResponse, RedirectResponse, Response

from assay.core.case import ORIGINAL
from assay.core.label_space import LABELS
from assay.core.run_record import FromCorpus, RunRecord, StoredSuite, SuiteSpec
from assay.reports.headline import case_origins, headlines
from assay.reports.page.html_page import page
from assay.reports.phrases import short_name
from assay.run.case_index.case_index import index_is_there, same_cases
from assay.run.case_index.saved_slices import slice_accuracies
from assay.serve.addresses import cases_link, compare_link, run_link
from assay.serve.auth import AuthorisedRequest, routes_for
from assay.serve.background import is_small
from assay.serve.html_pages import PageStep
from assay.serve.run_view import curve_of, is_about_claims, metrics_of, run_view
from assay.serve.served_files import place_to_write
from assay.serve.served_runs import NOTES, RunOverview, tell_apart, write_notes


def show(asked: AuthorisedRequest) -> Response:
    run = asked.site.runs.get(asked.path["run"])
    record = asked.site.runs.whole(run.id)
    slices = slice_accuracies(record) if is_small(record) or index_is_there(record) else []
    view = run_view(_without_paths(record) if asked.site.pages.is_bundle else record, slices={run.id: slices})
    told = headlines(view)
    first = [each for each in told if each.first]
    own = next((name for name, each in record.suites.items() if ORIGINAL in each.counts), "")
    labels = json.dumps({view.names(label): label for label in LABELS if view.names(label) != label})
    frame = asked.frame(PageStep("Runs", "/"), PageStep(run.name), cases=cases_link(run.id), labels=labels)
    top = asked.part(
        "run.html",
        run=run,
        view=view,
        told=first,
        others=len(told) - len(first),
        own=own,
        worst=next((each.model for each in first if each.model in view.models), ""),
        metrics={each.model: [*metrics_of(view, run.id, each.model)] for each in first},
        scored=[each.model for each in first if curve_of(view, each.model)],
        sources=case_origins(record.suites.values()),
        judged="" if own and is_about_claims(record) and record.suites[own].label_space.is_binary else view.judged(),
        is_by_answer=any(curve_of(view, each.model) for each in first),
        families=run.families,
        rival=_rival(asked, run),
    )
    return HTMLResponse(page(view, frame=frame._replace(top=frame.top + top)))


def _rival(asked: AuthorisedRequest, run: RunOverview) -> tuple[str, str] | None:
    """The nearest comparison, as text and address: of two models of the run, or with another run, the older first."""
    own, is_bundle = _judged(run), asked.site.pages.is_bundle
    if len(own) == 2:
        one, other = (f"{run.id}/{each}" for each in own)
        return f"Compare {short_name(own[0])} and {short_name(own[1])}", compare_link(one, other)
    if len(own) > 2:
        return "Compare models", "/compare" if is_bundle else f"/compare?{urlencode({'of': f'{run.id}/{own[0]}'})}"
    others = [each for each in asked.site.runs.readable() if each.id != run.id and same_cases(each.record, run.record)]
    nearest = [each for each in others if each.age < run.age] or others[::-1]
    if is_bundle or not own or not nearest or not _judged(nearest[0]):
        return None
    models = _judged(nearest[0])
    rival = next((each for each in models if short_name(each) == short_name(own[0])), models[0])
    apart, _ = tell_apart((rival, nearest[0]), (own[0], run))
    sides = sorted([(nearest[0].age, f"{nearest[0].id}/{rival}"), (run.age, f"{run.id}/{own[0]}")])
    return f"Compare with {short_name(rival)}{apart}", compare_link(*(side for _, side in sides))


def _judged(run: RunOverview) -> list[str]:
    """The models of a run that are not baselines, in the order in which they were named."""
    told = {each.model for each in run.told}
    return [each.model for each in run.record.models if each.model in told]


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


ROUTES = [routes_for("/runs/{run}", show), routes_for("/runs/{run}/notes", rename, methods=("POST",))]
