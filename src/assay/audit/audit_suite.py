"""An audit of a suite or a corpus: everything is read once, training corpora are streamed past it."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from assay.audit.audit_result import (
    Audit,
    AuditOptions,
    FamilyAudit,
    LabelTexts,
    TrainingOverlap,
    WordSpread,
    concerns_of,
)
from assay.audit.giveaway_words import find_giveaways, phrases_of
from assay.audit.minhash import Index, PairTokenSets, Prints, find_repeated, join_prints, prints_of
from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.label_space import LabelSpace
from assay.core.manifest import Source
from assay.core.option_fields import takes_options
from assay.core.pair import Pair
from assay.core.protocols import Corpus
from assay.corpora.reader import corpus_of
from assay.evaluate.surface_shortcuts import (
    EDITED,
    MOST,
    PREMISE,
    SHORTCUTS,
    ShortcutFeatures,
    SurfaceFeatures,
    guess_share,
    is_most_frequent,
    right_guesses,
)
from assay.language.text.tokens import folded_tokens, mask_content
from assay.language.words.word_forms import looks_english
from assay.run.measure import pair_as_case
from assay.run.workers.pool import Progress, Stage, in_batches, quiet
from assay.storage.remote import local
from assay.storage.suite import Suite

AT_ONCE = 4_096  # pairs whose fingerprints are computed together
LISTED = 100  # largest number of giveaways of a family that are kept
MAJORITY = "most frequent label"
QUANTILES = (0.05, 0.5, 0.95)


class FamilyReading:
    """The data of one family that an audit needs."""

    def __init__(self) -> None:
        self.surface = SurfaceFeatures(SHORTCUTS)
        self.left = 0
        """Number of cases beyond the limit, which are not examined."""
        self._phrases = ShortcutFeatures()
        self._lengths = (array("l"), array("l"))
        self._not_english = 0
        self._read: list[PairTokenSets] = []
        self._prints: list[Prints] = []
        self._is_edited = False

    def add(self, case: Case) -> None:
        if self.surface.n == MOST:
            self.left += 1
            return
        self.surface.add(case)
        self._phrases.add(phrases_of(case.hypothesis))
        for lengths, text in zip(self._lengths, (case.premise, case.hypothesis), strict=True):
            lengths.append(len(text.split()))
        self._not_english += not (looks_english(case.premise) and looks_english(case.hypothesis))
        self._is_edited |= bool(case.provenance.edit.premise or case.provenance.edit.hypothesis)
        self._read.append(as_read(case))
        if len(self._read) == AT_ONCE:
            self._print()

    def prints(self) -> Prints:
        if self._read or not self._prints:
            self._print()
        self._prints = [join_prints(self._prints)]
        return self._prints[0]

    def measured(self, space: LabelSpace) -> FamilyAudit:
        labelled, features = self.surface.labelled, self.surface.features
        if space.is_binary:
            labelled.merge()
        guessed = {
            name: right_guesses(labelled, seen) for name, seen in features.items() if name != EDITED or self._is_edited
        }
        shares = {MAJORITY: is_most_frequent(labelled), **guessed}
        giveaways = [
            *find_giveaways(labelled, self._phrases, "hypothesis"),
            *find_giveaways(labelled, features[PREMISE], "premise"),
        ]
        guesses = {name: guess_share(right, labelled) for name, right in shares.items()}
        ends = {name: share.interval or (None, None) for name, share in guesses.items()}
        return FamilyAudit(
            n=self.surface.n,
            labels={name: self._texts(labelled.label_of == code) for name, code in sorted(labelled.names.items())},
            shortcuts=tuple(
                Estimate(name=name, value=share.value, low=ends[name][0], high=ends[name][1], n=share.n)
                for name, share in guesses.items()
            ),
            giveaways=tuple(sorted(giveaways, key=lambda each: -each.z)[:LISTED]),
            found=len(giveaways),
            repeated=find_repeated(self.prints(), labelled),
            not_english=self._not_english,
        )

    def _texts(self, chosen: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> LabelTexts:
        premise, hypothesis = (_spread(np.asarray(lengths)[chosen]) for lengths in self._lengths)
        return LabelTexts(n=int(chosen.sum()), premise=premise, hypothesis=hypothesis)

    def _print(self) -> None:
        self._prints.append(prints_of(self._read))
        self._read.clear()


def as_read(pair: Case | Pair) -> PairTokenSets:
    premise, hypothesis = _tokens(pair.premise), _tokens(pair.hypothesis)
    return PairTokenSets(premise, hypothesis, mask_content(premise, hypothesis))


def _tokens(text: str) -> list[str]:
    """Its words in lower case; raw and tokenised texts give the same ones."""
    return [token for token in folded_tokens(text.replace("\u2019", "'")) if token[-1].isalnum()]


def _spread(lengths: np.ndarray[tuple[int], np.dtype[np.int_]]) -> WordSpread:
    low, median, high = np.quantile(lengths, QUANTILES, method="lower").tolist()
    return WordSpread(low=low, median=median, high=high)


T = TypeVar("T")

Pairs = str | Path | Iterable[Pair]  # accepted corpora: a file, a name, or pairs


@takes_options(AuditOptions, "source")
def audit(options: AuditOptions, *, stage: Stage = quiet) -> Audit:
    """Find out whether a suite or a corpus tests what it seems to test; nothing is stored.

    It measures how often labels can be guessed without reading, which words go with a label, what is repeated, and what
    is also in the training corpora `train`. Labels are those of the corpus, or two if the options say so. `concerns`
    lists what is wrong.

    >>> found = audit("bundled")
    >>> found.families["original"].majority.value, found.families["original"].repeated.exact
    (0.3333333333333333, 0)
    """
    target = _Target(options.source)
    families: dict[str, FamilyReading] = {}
    unclaimed = 0
    for case in _with_progress(target.cases, stage("Reading the cases", target.total)):
        if case.expects != "label":
            unclaimed += 1
        else:
            families.setdefault(case.family, FamilyReading()).add(case)
    if not families:
        raise BadInputError("no case has a label, so there is nothing to audit", where=target.name)
    found_space, read_notes = target.about()
    space = options.resize(found_space)
    measured = {name: family.measured(space) for name, family in families.items()}
    overlaps = _overlaps(families, options.train, stage) if options.train else ()
    left = sum(each.left for each in families.values())
    notes = [f"{left:,} cases were not examined: only the first {MOST:,} of a family are"] if left else []
    return Audit(
        name=target.name,
        cases=sum(each.n for each in measured.values()) + left,
        unclaimed=unclaimed,
        **space.stored(),
        families=measured,
        training=overlaps,
        concerns=concerns_of(measured, overlaps),
        notes=(*read_notes, *notes),
    )


class _Target:
    def __init__(self, source: Pairs | Suite) -> None:
        if isinstance(source, str | Path) and (local(source) / "manifest.json").is_file():
            source = Suite.open(source)
        self._source = source = source if isinstance(source, Suite) else corpus_of(source)
        self.name = source.folder.absolute().name if isinstance(source, Suite) else source.name
        self.total = len(source) if isinstance(source, Suite) else None

    @property
    def cases(self) -> Iterator[Case]:
        """Its cases; the pairs of a corpus are cases of the family `original`."""
        return iter(self._source) if isinstance(self._source, Suite) else map(pair_as_case, self._source)

    def about(self) -> tuple[LabelSpace, tuple[str, ...]]:
        """Its labels, and notes about what was read, which are known after reading everything."""
        if isinstance(self._source, Suite):
            return self._source.manifest.label_space, ()
        summary: Source = self._source.summary()
        skipped = (f"skipped: {count:,} records: {reason}" for reason, count in summary.skipped.items())
        return summary.label_space, (*skipped, *summary.notes)


def _overlaps(
    families: dict[str, FamilyReading], train: Pairs | Sequence[Pairs], stage: Stage
) -> tuple[TrainingOverlap, ...]:
    several: list[Any] = [train] if isinstance(train, str | Path | Corpus) else [*train]
    if all(isinstance(each, Pair) for each in several):  # one corpus, given as its pairs
        several = [several]
    index = Index(join_prints([family.prints() for family in families.values()]))
    found = []
    for given in several:
        corpus = corpus_of(given)
        pairs = _with_progress(corpus, stage(f"Reading {corpus.name}", None))
        batches = (prints_of(map(as_read, batch)) for batch in in_batches(pairs, AT_ONCE))
        found.append(index.overlap(corpus.name, batches))
    return tuple(found)


def _with_progress(things: Iterable[T], progress: Progress) -> Iterator[T]:
    for thing in things:
        yield thing
        progress(1)
