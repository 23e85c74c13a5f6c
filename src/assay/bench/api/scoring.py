"""Score answers without a run."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from assay.bench.api.arguments import COLLAPSES, Pairs, is_suite, known
from assay.bench.ask.objects import ModelLike
from assay.bench.ask.windowing.windows import Windows
from assay.bench.judge.score import (
    AS_IT_IS,
    Judging,
    Missing,
    Score,
    pair_as_case,
    score_answers,
)
from assay.bench.judge.score_given import score_given
from assay.bench.judge.submission import score_submission
from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.label import are_two, merged_names, own_names
from assay.core.prediction import THRESHOLD, Prediction
from assay.core.suite import Origin, Suite
from assay.corpora.given import kept
from assay.corpora.reading import corpus_of
from assay.evaluate.collapse import Collapse

MISSING = ("stop", "wrong", "drop")


def score(
    source: Pairs | Suite,
    predictions: str | Path | ModelLike | Iterable[Prediction] | None = None,
    *,
    labels: Mapping[str, str] | None = None,
    missing: Missing = "stop",
    collapse: Collapse = "argmax",
    two_way: bool | None = None,
    threshold: float = THRESHOLD,
    windows: str = "",
) -> Score:
    """Score answers against a suite or a corpus; nothing is stored.

    Predictions are a file, `Prediction`s with the ids of the pairs or cases, or a model as an object or a function,
    which is asked now. Without them, the source must be a file that holds both gold labels and predictions.
    `two_way` means the same as for `run`, and so does `windows` for a model that is asked now. `threshold` is for files
    with support scores.

    >>> from assay import read
    >>> found = score(read("bundled", limit=30), lambda pairs: ["neutral"] * len(pairs))
    >>> next(each.value for each in found.estimates if each.name == "accuracy")
    0.3333333333333333
    """
    own = own_names(labels or {})
    how = Judging(
        missing=known(missing, MISSING, "missing"),
        collapse=known(collapse, COLLAPSES, "collapse"),
        two_way=(are_two(own.values()) or None) if two_way is None else two_way,
        names=own,
        threshold=_share(threshold),
    )
    if predictions is None:
        if not isinstance(source, str | Path):
            raise UserError("There are no predictions to score.")
        return score_submission(source, labels=labels or {}, how=how)
    if isinstance(source, str | Path) and is_suite(source):
        source = Suite.open(source)
    if isinstance(source, Suite):
        cases, name = iter(source), source.folder.absolute().name
        manifest = source.manifest
        origin = Origin(source=manifest.source, recipes=manifest.recipes)
        how = how._replace(
            two_way=(manifest.two_way or None) if two_way is None else two_way,
            names=merged_names([manifest.names, own]),
        )
        found = _scored(cases, predictions, name, labels, how, windows)
    else:
        corpus = corpus_of(source, labels=labels)
        name = corpus.name
        with kept(corpus) as pairs:  # its labels are known only once all of it is read
            origin = Origin(source=corpus.summary(), recipes=(AS_IT_IS,))
            if two_way is None and origin.source.two_way:
                how = how._replace(two_way=True)
            found = _scored(map(pair_as_case, pairs), predictions, name, labels, how, windows)
    return msgspec.structs.replace(found, suites={name: origin}, names=merged_names([origin.source.own_names, own]))


def _scored(
    cases: Iterator[Case],
    predictions: str | Path | ModelLike | Iterable[Prediction],
    suite: str,
    labels: Mapping[str, str] | None,
    how: Judging,
    windows: str,
) -> Score:
    if isinstance(predictions, str | Path):
        return score_answers(cases, predictions, suite=suite, labels=labels or {}, how=how)
    return score_given(cases, predictions, suite=suite, how=how, windows=Windows.parse(windows))


def _share(value: float) -> float:
    if not 0 <= value <= 1:
        raise UserError(f"threshold must be a score from 0 to 1, not {value!r}.")
    return value
