"""Directions of errors by family (Naik et al. 2018, Tables 4 and 7, section 4.4)."""

from collections.abc import Iterator, Sequence

import numpy

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import LABELS, NO_ANSWER
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import NON_ENTAILMENT, VARIANT, AnswerColumns, CaseColumns, Encoder
from assay.reports.tables.sheet import Part, Sheet
from assay.run.stored_run import Run
from assay.studies.analyses.analysis_result import (
    NOWHERE,
    Analysis,
    AnalysisEntry,
    SliceShares,
    estimate_of,
    open_for_analysis,
)
from assay.studies.analyses.analysis_tables import (
    PUBLISHED,
    WHICH,
    Heading,
    cases,
    drop_empty_published,
    grid,
    plain_share,
    published_column,
    select_estimates,
    with_column,
)

DIRECTIONS = tuple((gold, answer) for gold in THREE_WAY for answer in THREE_WAY if gold is not answer)
"""Every way to err with three labels."""

NEUTRAL = LABELS.index(Label.NEUTRAL)


class Directions:
    """Counts errors by family and variant.

    `false-neutral` is the fraction of errors that answer neutral; `direction` that of errors with one right label
    and one answer; `rate` the fraction of cases that are such errors. Cases that claim no label are left out, and so
    are families that are judged by two labels.

    >>> Directions(["m"], suite="s", encoder=Encoder()).estimates()
    []
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._neutral = [SliceShares() for _ in models]
        self._errors = [[SliceShares() for _ in DIRECTIONS] for _ in models]
        self._cases = [[SliceShares() for _ in DIRECTIONS] for _ in models]
        self._two_way: set[str] = set()
        """Families with a case that has one of two labels."""

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers."""
        facets = numpy.array([facet.name in (None, VARIANT) for facet in self._encoder.facets])
        self._two_way.update(
            self._encoder.families[code] for code in set(cases.family[cases.label == NON_ENTAILMENT].tolist())
        )
        chosen = facets[cases.facet] & cases.claims[cases.facet_of]
        rows, facet = cases.facet_of[chosen], cases.facet[chosen]
        order = numpy.argsort(rows, kind="stable")  # so that clusters never decrease
        rows, facet = rows[order], facet[order]
        gold, cluster, unit = cases.label[rows], cases.cluster[rows], cases.unit[rows]
        for model, said in enumerate(answers.label[:, rows]):
            wrong = ~RIGHT[said, gold] & (said != NO_ANSWER)
            errors = numpy.where(wrong, facet, NOWHERE)
            self._neutral[model].add(errors, cluster, said == NEUTRAL, unit)
            for way, (right, answer) in enumerate(DIRECTIONS):
                goes = wrong & (gold == LABELS.index(right)) & (said == LABELS.index(answer))
                self._errors[model][way].add(errors, cluster, goes, unit)
                self._cases[model][way].add(facet, cluster, goes, unit)

    def estimates(self) -> list[Estimate]:
        """For each model and family: the fraction of neutral answers, then every direction."""
        found: list[Estimate] = []
        for number, model in enumerate(self._models):
            found += self._of("false-neutral", model, self._neutral[number])
            for name, counted in (("direction", self._errors[number]), ("rate", self._cases[number])):
                for (gold, answer), shares in zip(DIRECTIONS, counted, strict=True):
                    found += self._of(name, model, shares, label=gold.value, answer=answer.value)
        return found

    def _of(self, name: str, model: str, shares: SliceShares, **way: str) -> Iterator[Estimate]:
        for code, share in sorted(shares.shares().items()):
            facet = self._encoder.facets[code]
            if facet.family not in self._two_way:
                yield estimate_of(name, share, {"model": model, "suite": self._suite, **facet.slice, **way})


def analyse_directions(run: Run, *, models: Sequence[str] = ()) -> Analysis:
    """The fraction of errors that answer neutral, and every direction of errors, by family and variant."""
    found = open_for_analysis(run, models)
    estimates: list[Estimate] = []
    for suite in found.record.suites:
        counted = None
        for chunk, encoder in found.join_answers(suite):
            counted = counted or Directions(found.models, suite=suite, encoder=encoder)
            counted.add(chunk.cases, chunk.answers)
        estimates += counted.estimates() if counted else []
    if not estimates:
        raise UserError(
            f"The run {found.record.id} is judged by two labels, so errors have no directions.\n"
            "  Use a run on pairs with three labels, or repeat it with --three-way."
        )
    return Analysis(name="directions", runs=(found.record.id,), suites=found.sources, estimates=tuple(estimates))


def direction_tables(found: Analysis) -> list[Part]:
    """The fraction of neutral answers among errors, then every direction."""
    neutral = drop_empty_published(
        grid(
            _drop_single_variants(select_estimates(found, "false-neutral")),
            ("suite", "family", "variant"),
            Heading(
                "false-neutral",
                "Errors that answer neutral",
                "Percent of all errors, with 95% intervals. Published: systems of Naik et al. on the same data.",
            ),
            after={PUBLISHED: published_column(found, "false neutral")},
        )
    )
    return [
        neutral,
        _direction_sheet(found, "direction", "Directions of errors", "Percent of the errors of a model in a family."),
        _direction_sheet(found, "rate", "Directions of errors among all cases", "Percent of the cases of a family."),
        *_antonymy_sheet(found),
    ]


def _direction_sheet(found: Analysis, name: str, title: str, note: str) -> Sheet:
    """A row for each model and family, a column for each direction."""
    letters = "E: entailment, N: neutral, C: contradiction; the right label comes first."
    own = [
        with_column(each, _direction_name(each))
        for each in _drop_single_variants(select_estimates(found, name, "label", "answer"))
    ]
    by = ("model", "suite", "family", "variant")
    last = "errors" if name == "direction" else "cases"
    return grid(
        own,
        by,
        Heading(name, title, f"{note} {letters}"),
        across=WHICH,
        show=plain_share,
        after={last: cases},
    )


def _drop_single_variants(found: list[Estimate]) -> list[Estimate]:
    """Numbers of families, and of variants if a family has several."""
    variants: dict[str, set[str]] = {}
    for each in found:
        variants.setdefault(each.slice["family"], set()).update(filter(None, [each.slice.get("variant")]))
    return [each for each in found if "variant" not in each.slice or len(variants[each.slice["family"]]) > 1]


def _antonymy_sheet(found: Analysis) -> list[Part]:
    """Table 7, if antonymy was built as in the paper."""
    own = [
        each
        for each in select_estimates(found, "direction", "label", "answer")
        if each.slice["family"] == "antonymy" and each.slice["label"] == "contradiction" and "variant" not in each.slice
    ]
    if not own:
        return []
    sheet = grid(
        own,
        ("suite", "answer"),
        Heading("antonymy", "Errors on antonymy by the answer given", "Percent of the errors, with 95% intervals."),
        after={PUBLISHED: published_column(found, "share of errors")},
    )
    return [drop_empty_published(sheet)]


def _direction_name(estimate: Estimate) -> str:
    return f"{estimate.slice['label'][0].upper()} to {estimate.slice['answer'][0].upper()}"


ANALYSIS = AnalysisEntry(
    name="directions",
    about="Errors by direction and family (Naik et al. 2018).",
    options=("models",),
    compute=lambda runs, options, _stage: analyse_directions(runs[0], models=options.models),
    tables=direction_tables,
)
