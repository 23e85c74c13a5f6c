"""An audit of a suite or a corpus: everything is read once, training corpora are streamed past it."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

from assay.bench.audit.gathering import FamilyReading, left_out, print_batches
from assay.bench.judge.score import pair_as_case
from assay.bench.stages import Progress, Stage, quiet
from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.fetching import local
from assay.core.pair import Pair
from assay.core.protocols import Corpus
from assay.core.results.audit import Audit, Overlap
from assay.core.suite import Source, Suite
from assay.corpora.reading import corpus_of
from assay.evaluate.audit.alike import Index
from assay.evaluate.audit.concerns import concerns_of
from assay.evaluate.audit.prints import joined
from assay.evaluate.shortcuts import MOST

T = TypeVar("T")

Pairs = str | Path | Iterable[Pair]
"""What can be passed as a corpus: a file, a name, or pairs."""


def audit(
    source: Pairs | Suite, *, train: Pairs | Sequence[Pairs] = (), two_way: bool | None = None, stage: Stage = quiet
) -> Audit:
    """Find out whether a suite or a corpus tests what it seems to test; nothing is stored.

    It measures how often labels can be guessed without reading, which words go with a label, what is repeated, and what
    is also in the training corpora `train`. With `two_way`, neutral and contradiction are one label; by default, they
    are if the corpus has two labels. `concerns` lists what is wrong.

    >>> found = audit("bundled")
    >>> found.families["original"].majority.value, found.families["original"].repeated.exact
    (0.3333333333333333, 0)
    """
    target = _target(source)
    families: dict[str, FamilyReading] = {}
    unclaimed = 0
    for case in _with_progress(target.cases, stage("Reading the cases", target.total)):
        if case.expects != "label":
            unclaimed += 1
        else:
            families.setdefault(case.family, FamilyReading()).add(case)
    if not families:
        raise BadInputError("no case claims a label, so there is nothing to audit", where=target.name)
    read = target.about()
    is_two = read.two_way if two_way is None else two_way
    measured = {name: family.measured(two_way=is_two) for name, family in families.items()}
    overlaps = _overlaps(families, train, stage) if train else ()
    left = left_out([*families.values()])
    notes = [f"{left:,} cases were not looked at: only the first {MOST:,} of a family are"] if left else []
    return Audit(
        name=target.name,
        cases=sum(each.n for each in measured.values()) + left,
        unclaimed=unclaimed,
        two_way=is_two,
        families=measured,
        training=overlaps,
        concerns=concerns_of(measured, overlaps),
        names=read.names,
        notes=(*read.notes, *notes),
    )


class _About(NamedTuple):
    """What is known once everything was read."""

    two_way: bool
    names: dict[str, str]
    notes: tuple[str, ...]


class _Target:
    """What is audited: a suite, or a corpus."""

    def __init__(self, source: Suite | Corpus) -> None:
        self._source = source
        self.name = source.folder.absolute().name if isinstance(source, Suite) else source.name
        self.total = len(source) if isinstance(source, Suite) else None

    @property
    def cases(self) -> Iterator[Case]:
        """Its cases; the pairs of a corpus are cases of the family `original`."""
        return iter(self._source) if isinstance(self._source, Suite) else map(pair_as_case, self._source)

    def about(self) -> _About:
        """What is known about its labels."""
        if isinstance(self._source, Suite):
            manifest = self._source.manifest
            return _About(manifest.two_way, manifest.names, ())
        summary: Source = self._source.summary()
        skipped = (f"left out: {count:,} records: {reason}" for reason, count in summary.skipped.items())
        return _About(summary.two_way, summary.names or {}, (*skipped, *summary.notes))


def _target(source: Pairs | Suite) -> _Target:
    if isinstance(source, str | Path) and (local(source) / "manifest.json").is_file():
        source = Suite.open(source)
    return _Target(source if isinstance(source, Suite) else corpus_of(source))


def _overlaps(families: dict[str, FamilyReading], train: Pairs | Sequence[Pairs], stage: Stage) -> tuple[Overlap, ...]:
    """What each training corpus has in common with the cases."""
    index = Index(joined([family.prints() for family in families.values()]))
    found = []
    for given in _several(train):
        corpus = corpus_of(given)
        pairs = _with_progress(corpus, stage(f"Reading {corpus.name}", None))
        found.append(index.overlap(corpus.name, print_batches(pairs)))
    return tuple(found)


def _several(train: Pairs | Sequence[Pairs]) -> list[Pairs]:
    """The training corpora; one may be given alone."""
    if isinstance(train, str | Path | Corpus):
        return [train]
    given = [*train]
    return [given] if given and all(isinstance(each, Pair) for each in given) else given


def _with_progress(things: Iterable[T], progress: Progress) -> Iterator[T]:
    for thing in things:
        yield thing
        progress(1)
