"""Models that answer with two labels where cases have three: an easier task, so their figures are marked."""

from collections.abc import Iterable

from assay.core.label import Label
from assay.core.results.estimate import Estimate
from assay.core.results.judgement import TwoWay


def two_way(estimates: Iterable[Estimate]) -> tuple[TwoWay, ...]:
    """Models, with their suites, that answer three-way cases with two labels.

    >>> here = {"model": "m", "suite": "s", "family": "original", "label": "neutral", "answer": "non-entailment"}
    >>> two_way([Estimate(name="answers", value=1.0, n=9, slice=here)])
    (TwoWay(model='m', suite='s'),)
    """
    given = [e.slice for e in estimates if e.name == "answers"]
    three_way = {(e["suite"], e["family"]) for e in given if e["label"] in (Label.NEUTRAL, Label.CONTRADICTION)}
    found = [e for e in given if e["answer"] == Label.NON_ENTAILMENT]
    places = dict.fromkeys((e["model"], e["suite"]) for e in found if (e["suite"], e["family"]) in three_way)
    return tuple(TwoWay(model=model, suite=suite) for model, suite in places)
