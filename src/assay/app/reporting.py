"""Reports of stored runs: what a run's folder holds, put before the makers of pages, tables and pictures."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from assay.bench.execute import close_run
from assay.bench.judge.examples import telling_examples
from assay.bench.stored import open_run
from assay.core import registry
from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.example import Example
from assay.core.files import refuse_existing, write_whole
from assay.core.run import RunRecord
from assay.corpora.cards import Card, cards
from assay.reports.view import Told, view_of
from assay.reports.write.formats import Format, written

FORMATS: tuple[str, ...] = get_args(Format)

PICTURES = ("png", "svg")
"""Formats of a file a chart, in a folder."""

CHARTS = "charts"
"""That folder, in a run's."""


def report(
    runs: str | Path | Sequence[str | Path],
    *,
    to: Format = "html",
    out: str | Path | None = None,
    overwrite: bool = False,
) -> Path:
    """Write a report of a stored run, or of several together, and say where it is.

    Without `out` it lies in the run's folder, and takes the place of an older one; that of several runs lies here.

    >>> import assay, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = assay.run(assay.read("bundled", limit=30), families="negation", models="assay:overlap", out=folder)
    ...     path = report(f"{folder}/{record.id}", to="md")
    ...     path.name, path.read_text().startswith("# Right for the right reasons?")
    ('report.md', True)
    """
    if to not in FORMATS:
        raise UserError(f"No report is written as {to!r}{did_you_mean(to, FORMATS)} There are {', '.join(FORMATS)}.")
    folders = [Path(each) for each in ([runs] if isinstance(runs, (str, Path)) else runs)]
    if not folders:
        raise UserError("Name a stored run. `assay list runs` shows them.")
    files = written(view_of([_opened(folder) for folder in folders]), to)
    home = folders[0] if len(folders) == 1 else Path()
    several = to in PICTURES
    place = Path(out) if out else home / (CHARTS if several else next(iter(files)))
    targets = {place / name if several else place: content for name, content in files.items()}
    for path in targets if out else ():
        refuse_existing(path, overwrite=overwrite)
    for path, content in targets.items():
        write_whole(path, content)
    if to == "html" and not out and len(folders) == 1:
        close_run(home)
    return place


def write_page(folder: Path, record: RunRecord, examples: Sequence[Example]) -> None:
    """The page of a run that was just carried out, in its folder."""
    for name, content in written(view_of([_told(folder, record, examples)]), "html").items():
        write_whole(folder / name, content)
    close_run(folder)


def _opened(folder: Path) -> Told:
    record = open_run(folder)
    return _told(folder, record, telling_examples(folder, record))


def _told(folder: Path, record: RunRecord, examples: Sequence[Example]) -> Told:
    return Told(record, examples, str(folder), _cards(record), _about(record))


def _cards(record: RunRecord) -> dict[str, Mapping[str, str]]:
    """What is known of the data of each suite."""
    found: dict[str, Mapping[str, str]] = {}
    for name, manifest in record.suites.items():
        source = manifest.source
        of_name = [card for card in cards() if card.name == source.name]
        of_format = [card for card in cards() if card.format == source.format]
        if card := next(iter(of_name or (of_format if len(of_format) == 1 else [])), None):
            found[name] = _facts(card)
    return found


def _facts(card: Card) -> dict[str, str]:
    paper = f"{card.paper.authors} ({card.paper.year}), {card.paper.title}" if card.paper else ""
    facts = {"data": card.title, "paper": paper, "licence": card.licence, "from": card.homepage, "limits": card.limits}
    return {name: value for name, value in facts.items() if value}


def _about(record: RunRecord) -> dict[str, str]:
    """What each model says of itself, or its kind does."""
    found = {}
    for each in record.models:
        kind, _, name = each.model.partition(":")
        try:
            known = registry.models.get(name) if kind == "assay" else registry.adapters.get(kind)
        except UnknownNameError:
            continue
        found[each.model] = (known.__doc__ or "").strip().partition("\n")[0]
    return found
