"""What a sample for annotators can be drawn from: suites, corpora and models' errors below the served folder."""

from pathlib import Path
from typing import NamedTuple

from assay.app.web.places import files_below, files_in
from assay.app.web.site import Site
from assay.bench.annotation.drawing import Drawable, drawn_from
from assay.bench.annotation.questions import LayoutName
from assay.core.errors import UnknownNameError

CORPORA = ("*.jsonl", "*.csv", "*.tsv", "*.jsonl.gz", "*.jsonl.zst")
"""Files in the served folder, or in its folder `corpora`, that may be corpora."""

BUNDLED = "bundled"
"""The corpus that comes with Assay."""


class Source(NamedTuple):
    """Something to draw from."""

    kind: str
    """What it is, as a heading."""
    name: str
    """What it is called."""
    place: str
    """Where it is; or the name of a corpus."""
    model: str = ""
    """The model whose errors are drawn."""


def sources(site: Site) -> list[Source]:
    """Everything to draw from. What a page names is only ever looked up here."""
    folder = site.folder
    suites = sorted(path.parent for path in files_below(folder, "manifest.json"))
    return [
        *(Source("Suites", _below(folder, each), str(each)) for each in suites),
        Source("Corpora", "the pairs that come with Assay", BUNDLED),
        *(Source("Corpora", name, str(path)) for name, path in corpora_of(folder).items()),
        *(
            Source("Errors of a model", f"{told.name} in {run.record.id}", str(run.folder), told.model)
            for run in site.runs.readable()
            for told in run.told
        ),
    ]


def corpora_of(folder: Path) -> dict[str, Path]:
    """The corpora of the served folder, by name. What a page names is only ever looked up here; links are left out."""
    found = [path for place in (folder, folder / "corpora") for pattern in CORPORA for path in files_in(place, pattern)]
    return {path.relative_to(folder).as_posix(): path for path in sorted(found)}


def source_named(site: Site, name: str) -> Source:
    """A source by its heading and name."""
    known = {f"{each.kind}/{each.name}": each for each in sources(site)}
    if name not in known:
        raise UnknownNameError("There is no such source here.\n  Go back, and choose another.")
    return known[name]


def drawable(source: Source, layout: LayoutName) -> Drawable:
    """The cases of a source."""
    return drawn_from(source.place, layout, model=source.model or None)


def _below(folder: Path, place: Path) -> str:
    return place.relative_to(folder).as_posix() if place != folder else place.name
