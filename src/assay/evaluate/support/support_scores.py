"""Every number of models' support scores on one suite, and their curves."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import numpy

from assay.core.case import ORIGINAL, SUBMISSION, THRESHOLD
from assay.core.errors import BadInputError
from assay.core.estimate import CHOSEN, Estimate, SupportCurve
from assay.core.registry import label_option
from assay.evaluate.case_columns import ENTAILMENT, AnswerColumns, Bools, CaseColumns, Encoder, Floats, Ints, are_given
from assay.evaluate.slice_sums import SuiteMeasure
from assay.evaluate.support.threshold_curves import curve_of
from assay.evaluate.support.threshold_metrics import Scored, choose_threshold


class SupportFigures(SuiteMeasure):
    """Collects the scores of models that give probabilities, in a suite that is judged by two labels.

    >>> from assay.core.label_space import TWO_LABELS
    >>> SupportFigures(["m"], suite="s", encoder=Encoder(TWO_LABELS)).estimates()
    [[]]
    """

    def __init__(self, models: Sequence[str], *, suite: str, encoder: Encoder) -> None:
        super().__init__(models, suite=suite, encoder=encoder)
        self._chunks: list[list[tuple[Ints, Scored]]] = [[] for _ in models]
        self._thresholds: list[Floats] = [numpy.empty(0) for _ in models]

    def add(self, cases: CaseColumns, answers: AnswerColumns) -> None:
        """Store the scores of answers to labelled cases."""
        self._refuse_three_labels(answers)
        if not self._encoder.space.is_binary:
            return
        for model, given in enumerate(answers.probabilities):
            own = numpy.unique(answers.threshold[model])
            self._thresholds[model] = numpy.union1d(self._thresholds[model], own[~numpy.isnan(own)])
            there = cases.claims & are_given(given)
            if there.any():
                score = numpy.nan_to_num(given[:, ENTAILMENT], nan=0.0)
                scored = Scored(score, cases.label == ENTAILMENT, cases.unit, cases.bucket)
                self._chunks[model].append((cases.family[there], scored.only(there)))

    def estimates(self) -> list[list[Estimate]]:
        """For each model, its numbers by family: at its own threshold, and at one that was chosen."""
        return [[e for part in self._parts(model) for e in _estimates(*part)] for model in range(len(self._models))]

    def curves(self) -> list[SupportCurve]:
        """The curves of each model and family."""
        return [
            curve_of(scored, where, threshold=threshold, chosen=chosen)
            for model in range(len(self._models))
            for scored, where, threshold, chosen, _ in self._parts(model)
        ]

    def _parts(self, model: int) -> Iterator[tuple[Scored, dict[str, str], float, float | None, int]]:
        """The scores of a model by family: its threshold, a chosen one, and the number of cases it was chosen on."""
        chunks = self._chunks[model]
        if not chunks:
            return
        family = numpy.concatenate([each for each, _ in chunks])
        scored = Scored(*(numpy.concatenate(parts) for parts in zip(*(each for _, each in chunks), strict=True)))
        given = self._thresholds[model]
        threshold = float(given[0]) if len(given) else THRESHOLD
        names = self._encoder.families
        sources = numpy.isin(family, [code for code, name in enumerate(names) if name in (ORIGINAL, SUBMISSION)])
        choosing = scored.only(sources & _chooses(scored.bucket))
        chosen = choose_threshold(choosing.score, choosing.supported)
        for code in dict.fromkeys(family.tolist()):
            where = {"model": self._models[model], "suite": self._suite, "family": names[code]}
            yield scored.only(family == code), where, threshold, chosen, len(choosing.score)

    def _refuse_three_labels(self, answers: AnswerColumns) -> None:
        by_score = ~numpy.isnan(answers.threshold).all(axis=1)
        if not self._encoder.space.is_binary and by_score.any():
            raise BadInputError(
                f"the answers are support scores, which can't tell neutral from contradiction in {self._suite!r}",
                where=self._models[int(by_score.argmax())],
                hint=f"Judge by two labels, supported or not: {label_option(True)}.",
            )


def _estimates(
    scored: Scored, where: dict[str, str], threshold: float, chosen: float | None, chosen_on: int
) -> Iterator[Estimate]:
    """The numbers at both thresholds; those of the chosen one are from the half on which it was not chosen."""
    yield Estimate(name="threshold", value=threshold, n=len(scored.score), slice=where)
    yield from _at([*scored.decisions(threshold), *scored.rankings(), scored.mean_risk(threshold)], where)
    if chosen is not None:
        where = {**where, "threshold": CHOSEN}
        yield Estimate(name="threshold", value=chosen, n=chosen_on, slice=where)
        yield from _at(scored.only(~_chooses(scored.bucket)).decisions(chosen), where)


def _at(figures: Iterable[Estimate], where: dict[str, str]) -> Iterator[Estimate]:
    return (msgspec.structs.replace(e, slice={**where, **e.slice}) for e in figures if e.value is not None)


def _chooses(bucket: Ints) -> Bools:
    """True if a case belongs to the half of the source pairs on which a threshold is chosen."""
    return numpy.asarray(bucket % 2 == 0)
