"""Why models err: the nine categories of Naik et al. (2018), by automatic cues and by annotators."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy

from assay.bench.analyses.cues import CUES, cues
from assay.bench.analyses.opened import Opened, opened
from assay.bench.annotation.gold import NO_GOLD, SortedError
from assay.bench.annotation.layouts import CATEGORIES
from assay.bench.stored import Run
from assay.core.analysis import Analysis
from assay.core.case import ORIGINAL
from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.cues import UNKNOWN, Cues, Excess
from assay.evaluate.analyses.shares import estimate_of
from assay.evaluate.count.columns import LABELS
from assay.evaluate.interval import clustered_share
from assay.language.text.words import folded

HINT = "Draw errors with `assay annotate sample RUN --layout errors --model MODEL`, have them sorted, and merge them."


class _Texts(msgspec.Struct, gc=False):
    premise: str
    hypothesis: str


def analyse_errors(
    run: Run, *, models: Sequence[str] = (), families: Sequence[str] = (ORIGINAL,), annotated: str | Path | None = None
) -> Analysis:
    """Errors by the cues that could explain them; with a file of sorted errors, next to what annotators say.

    By default, errors on unchanged pairs are looked at, as in the paper.
    """
    found = opened(run, models)
    estimates: list[Estimate] = []
    for family in families:
        for suite in found.with_family(family):
            estimates += _by_cue(found, suite, family)
    sorted_errors = _read(Path(annotated)) if annotated is not None else []
    return Analysis(
        name="errors",
        runs=(found.record.id,),
        suites=found.asked,
        estimates=(*estimates, *_by_people(sorted_errors)),
        settings={"annotated": Path(annotated).name} if annotated is not None else {},
        notes=("A cue can be there by chance, and an error can have several.",),
    )


def _by_cue(found: Opened, suite: str, family: str) -> list[Estimate]:
    counted, excess = [Cues(CUES) for _ in found.models], Excess(CUES)
    decode = msgspec.json.Decoder(_Texts).decode
    for chunk, encoder in found.joined(suite):
        if family not in encoder.families:
            continue
        cases = chunk.cases
        rows = numpy.flatnonzero(cases.claims & (cases.family == encoder.families.index(family)))
        gold = cases.label[rows]
        texts = [decode(chunk.lines[row]) for row in rows.tolist()]
        labels = [LABELS[code] for code in gold.tolist()]
        explains = [cues(each.premise, each.hypothesis, label) for each, label in zip(texts, labels, strict=True)]
        present = numpy.array([[cue in each for each in explains] for cue in CUES]).reshape(len(CUES), len(rows))
        clusters, units = cases.cluster[rows], cases.unit[rows]
        errors = ~RIGHT[chunk.answers.label[:, rows], gold]  # (models, cases)
        words = [frozenset(folded(each.hypothesis)) for each in texts]
        excess.add(present, errors, label=gold, hypotheses=words, clusters=clusters)
        for model, said in enumerate(chunk.answers.label[:, rows]):
            wrong = errors[model]
            answers = [LABELS[code] if code < len(LABELS) else None for code in said.tolist()]
            fits = numpy.array([_fit(cue, explains, answers) for cue in CUES]).reshape(present.shape) & wrong
            counted[model].add(present, fits, wrong=wrong, clusters=clusters, units=units)
    wheres = [{"model": model, "suite": suite, "family": family} for model in found.models]
    beyond = excess.estimates(wheres)
    return [
        each
        for where, own, more in zip(wheres, counted, beyond, strict=True)
        for each in (*own.estimates(where), *more)
    ]


def _fit(cue: str, explains: Sequence[Mapping[str, frozenset[Label]]], answers: Sequence[Label | None]) -> list[bool]:
    return [answer in each.get(cue, ()) for each, answer in zip(explains, answers, strict=True)]


def _read(path: Path) -> list[SortedError]:
    """The errors that `assay annotate merge` wrote."""
    decode = msgspec.json.Decoder(SortedError).decode
    found = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    found.append(decode(line))
                except msgspec.DecodeError as error:
                    raise BadInputError(f"not a sorted error: {error}", where=f"{path}:{number}", hint=HINT) from error
    except OSError as error:
        raise UserError(f"No sorted errors at {path}: {error.strerror}.\n  {HINT}") from error
    if not found:
        raise BadInputError("empty: it has no sorted errors", where=str(path), hint=HINT)
    return found


def _by_people(errors: Sequence[SortedError]) -> list[Estimate]:
    """The share of each category, and how often the cue of that category is there, in it and elsewhere."""
    if not errors:
        return []
    counts = Counter(each.category for each in errors if each.category != NO_GOLD)
    n = counts.total()
    found = [
        estimate_of(
            "annotated",
            clustered_share([each.category == name for each in errors if each.category != NO_GOLD], [1] * n),
            {"cue": name},
        )
        for name in CATEGORIES
        if n
    ]
    shown = [cues(each.premise, each.hypothesis, each.gold_label) for each in errors]
    for cue in (*CUES, UNKNOWN):
        fits = [
            each.answer in own.get(cue, ()) if cue != UNKNOWN else not _any(own, each.answer)
            for own, each in zip(shown, errors, strict=True)
        ]
        for name, is_category in (("cue there", True), ("cue elsewhere", False)):
            chosen = [fit for fit, each in zip(fits, errors, strict=True) if (each.category == cue) is is_category]
            if chosen:
                found.append(estimate_of(name, clustered_share(chosen, [1] * len(chosen)), {"cue": cue}))
    return found


def _any(own: Mapping[str, frozenset[Label]], answer: Label | None) -> bool:
    return any(answer in answers for answers in own.values())
