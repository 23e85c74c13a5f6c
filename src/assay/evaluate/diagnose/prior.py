"""The label that a model gives too often, whatever is asked."""

from typing import NamedTuple

import numpy

from assay.core.label import Label
from assay.evaluate.count.columns import IN_TWO, LABELS, NO_ANSWER
from assay.evaluate.diagnose.contrast import score_p, share_interval
from assay.evaluate.diagnose.evidence import Evidence
from assay.evaluate.interval import Interval

CONSTANT = 0.95
"""A model that gives one label to this share of all cases hardly looks at them."""


class Lean(NamedTuple):
    """The label that a model prefers, measured as if all labels were equally often right."""

    answer: str
    """The label."""
    n: int
    """Cases: the source pairs, or everything if there are none."""
    share: float
    """How often it is given, if every label is right equally often."""
    even: float
    """How often it would be right."""
    interval: Interval
    """The 95 % interval of the share."""
    p: float
    """The p of a score test, clustered by source pair and corrected for the choice of the label."""
    cases: int
    """All cases of the run that claim their label and that the model could judge."""
    overall: float
    """How often it is given to those."""


def lean(evidence: Evidence, model: int) -> Lean | None:
    """The label that a model prefers most; None if it could judge no case that claims its label."""
    claims = evidence.claims & evidence.judged[model]
    if not claims.any():
        return None
    chosen = claims & evidence.original
    chosen = chosen if chosen.any() else claims
    gold, answers = evidence.label[chosen], evidence.answers[model][chosen]
    if LABELS.index(Label.NON_ENTAILMENT) in gold:
        gold, answers = IN_TWO[gold], IN_TWO[answers]
    labels, place = numpy.unique(gold, return_inverse=True)
    sizes = numpy.bincount(place)
    cells = numpy.bincount(place * (NO_ANSWER + 1) + answers, minlength=len(labels) * (NO_ANSWER + 1))
    rates = cells.reshape(len(labels), -1) / sizes[:, None]  # (right answers, answers)
    shares = rates.mean(axis=0)  # (answers,)
    best = int(labels[numpy.argmax(shares[labels].round(9))])
    given = (answers == best).astype(float)
    weight = 1 / (len(labels) * sizes[place])  # (cases,)
    even = 1 / len(labels)
    everything = evidence.answers[model][claims]
    everything = IN_TWO[everything] if LABELS[best] is Label.NON_ENTAILMENT else everything
    return Lean(
        answer=LABELS[best].value,
        n=len(gold),
        share=float(shares[best]),
        even=even,
        interval=share_interval(float(shares[best]), weight * (given - rates[place, best]), evidence.cluster[chosen]),
        p=min(1.0, len(labels) * score_p(weight * (given - even), evidence.cluster[chosen])),
        cases=len(everything),
        overall=float((everything == best).mean()),
    )
