"""What a sample for annotators can be drawn from: suites, corpora and models' errors below the served folder."""

from pathlib import Path
from typing import NamedTuple

from assay.app.web.runs import files_below
from assay.app.web.site import Site
from assay.bench.annotation.drawing import Drawable, drawn_from
from assay.bench.annotation.questions import LayoutName
from assay.core.errors import UnknownNameError

CORPORA = ("*.jsonl", "*.csv", "*.tsv", "*.jsonl.gz", "*.jsonl.zst")
"""Files in the served folder that may be corpora."""

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
    corpora = sorted(path for pattern in CORPORA for path in folder.glob(pattern) if path.is_file())
    return [
        *(Source("Suites", _below(folder, each), str(each)) for each in suites),
        Source("Corpora", "the pairs that come with Assay", BUNDLED),
        *(Source("Corpora", each.name, str(each)) for each in corpora if not each.is_symlink()),
        *(
            Source("Errors of a model", f"{told.name} in {run.record.id}", str(run.folder), told.model)
            for run in site.runs.readable()
            for told in run.told
        ),
    ]


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
