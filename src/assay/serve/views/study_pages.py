"""Studies with their pages, and audits of every suite below the folder."""

from pathlib import Path
from typing import Any

from starlette.responses import HTMLResponse, Response

from assay.audit.audit_result import Audit
from assay.audit.audit_suite import audit
from assay.audit.audit_tables import audit_parts
from assay.core.errors import UserError
from assay.core.manifest import Manifest
from assay.serve.auth import AuthorisedRequest, HttpError, routes_for
from assay.serve.html_pages import PageStep, Tab
from assay.serve.served_files import files_below
from assay.serve.site import Site
from assay.storage.files import digest
from assay.storage.suite import Suite
from assay.studies.plan.joint_records import RECORD, open_study
from assay.studies.plan.study_page import study_page
from assay.studies.plan.study_record import StudyRecord

TAB = Tab("Studies and audits", "/studies")

MANIFEST = "manifest.json"


def show(asked: AuthorisedRequest) -> Response:
    studies, broken = [], []
    for name, path in study_folders(asked.site).items():
        try:
            studies.append((name, open_study(path)))
        except UserError as error:
            broken.append((name, str(error).partition("\n")[0]))
    runs = {each.id: each for each in asked.site.runs.readable()}
    suites: dict[str, list[tuple[str, str, Manifest]]] = {}
    for name, path in suite_folders(asked.site).items():
        run, _, own = name.rpartition(":")
        try:
            suites.setdefault(run, []).append((name, own, Suite.open(path).manifest))
        except UserError as error:
            broken.append((name, str(error).partition("\n")[0]))
    return asked.page("studies.html", studies=studies, broken=broken, suites=suites, runs=runs)


def study(asked: AuthorisedRequest) -> Response:
    known = study_folders(asked.site)
    name = asked.path["study"]
    if name not in known:
        raise HttpError(404, f"There is no study {name} here.", "The list of studies has all that there are.")
    record: StudyRecord = open_study(known[name])
    frame = asked.frame(PageStep("Studies and audits", "/studies"), PageStep(record.plan.title))
    return HTMLResponse(study_page(record, frame=frame))


def show_audit(asked: AuthorisedRequest) -> Response:
    """The tables of a suite's audit, which is made once."""
    known = suite_folders(asked.site)
    name = asked.path["suite"]
    if name not in known:
        raise HttpError(404, f"There is no suite {name} here.", "The list of suites has all that there are.")
    key = ("audit", digest(known[name] / MANIFEST))
    found = asked.site.background.result(key, _audit, known[name], title=f"Auditing {name}")
    return asked.page("audit.html", suite=name, parts=audit_parts(found), data=NO_CHARTS)


def _audit(folder: Path) -> Audit:
    return audit(Suite.open(folder))


def study_folders(site: Site) -> dict[str, Path]:
    """The studies below the folder, by name. A name is only ever looked up here."""
    return {path.parent.name: path for path in sorted(files_below(site.folder, RECORD))}


def suite_folders(site: Site) -> dict[str, Path]:
    """The suites below the folder, by name; those of runs are called after the run."""
    found: dict[str, Path] = {}
    for each in site.runs.readable():
        found |= {f"{each.record.id}:{name}": each.folder / "suites" / name for name in each.record.suites}
    for path in sorted(files_below(site.folder, MANIFEST)):
        if path.parent not in found.values():
            found[path.parent.name] = path.parent
    return found


NO_CHARTS: dict[str, Any] = {"charts": {}, "examples": {"models": [], "cases": []}}
"""Data that the report's scripts need to sort tables on pages without charts."""

ROUTES = [
    routes_for("/studies", show),
    routes_for("/studies/{study}", study),
    routes_for("/audits/{suite}", show_audit),
]
