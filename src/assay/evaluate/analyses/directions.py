"""Which way models err: errors by right label and answer, and the share of neutral (Naik et al. 2018, 4.4)."""

from collections.abc import Iterator, Sequence

import numpy

from assay.core.label import THREE_WAY, Label
from assay.core.results.estimate import Estimate
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.analyses.shares import NOWHERE, Shares, estimate_of
from assay.evaluate.collapse import TWO_WAY
from assay.evaluate.count.columns import LABELS, NO_ANSWER, VARIANT, AnswerColumns, CaseColumns, Encoder

DIRECTIONS = tuple((gold, answer) for gold in THREE_WAY for answer in THREE_WAY if gold is not answer)
"""Every way to err with three labels."""

NEUTRAL = LABELS.index(Label.NEUTRAL)


class Directions:
    """Counts errors by family and variant.

    `false-neutral` is the share of errors that answer neutral; `direction` the share of errors with one right label
    and one answer; `rate` the share of all cases that are such errors. Cases that claim no label are left out, and so
    are families that are judged by two labels.

    >>> Directions(["m"], suite="s", encoder=Encoder()).estimates()
    []
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        self._models = models
        self._suite = suite
        self._encoder = encoder
        self._neutral = [Shares() for _ in models]
        self._errors = [[Shares() for _ in DIRECTIONS] for _ in models]
        self._cases = [[Shares() for _ in DIRECTIONS] for _ in models]
        self._two_way: set[str] = set()
        """Families with a case that has one of two labels."""

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Count answers."""
        facets = numpy.array([facet.name in (None, VARIANT) for facet in self._encoder.facets])
        self._two_way.update(
            self._encoder.families[code] for code in set(cases.family[cases.label == TWO_WAY].tolist())
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
        """For each model and family: the share of neutral, then every direction."""
        found: list[Estimate] = []
        for number, model in enumerate(self._models):
            found += self._of("false-neutral", model, self._neutral[number])
            for name, counted in (("direction", self._errors[number]), ("rate", self._cases[number])):
                for (gold, answer), shares in zip(DIRECTIONS, counted, strict=True):
                    found += self._of(name, model, shares, label=gold.value, answer=answer.value)
        return found

    def _of(self, name: str, model: str, shares: Shares, **way: str) -> Iterator[Estimate]:
        for code, share in sorted(shares.found().items()):
            facet = self._encoder.facets[code]
            if facet.family not in self._two_way:
                yield estimate_of(name, share, {"model": model, "suite": self._suite, **facet.slice, **way})
