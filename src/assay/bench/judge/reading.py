"""How answers are read before they are judged, as two labels where a suite has only two, and what then is a failure."""

from typing import NamedTuple

import numpy

from assay.bench.stored import Joined
from assay.core.label import Label
from assay.core.suite import Manifest
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.collapse import Collapse, confidence, summed
from assay.evaluate.count.columns import EXPECTATIONS, IN_TWO, Bools, Encoder, Floats, Ints


def labels_read(each: Joined, encoder: Encoder, manifest: Manifest, collapse: Collapse) -> Ints:
    """(models, cases) The codes of the answers, as they are judged.

    Neutral and contradiction are added up if that is asked for and the family has only two labels.
    """
    label = each.answers.label
    if collapse == "sum":
        two_way = [family for family, labels in manifest.counts.items() if Label.NON_ENTAILMENT in labels]
        sum_up = numpy.array([encoder.two_way or family in two_way for family in encoder.families])[each.cases.family]
        label = numpy.where(sum_up, summed(label, each.answers.probabilities), label)
    return IN_TWO[label] if encoder.two_way else label


class Judged(NamedTuple):
    """How models did on some cases; each field is (models, cases)."""

    label: Ints
    """The codes of the answers, collapsed if needed."""
    confidence: Floats
    """How sure the models were; NaN if they do not say."""
    right: Bools
    """Whether the answers are the labels, claimed or not."""
    held: Bools
    """Whether they are right on the source pair."""
    failed: Bools
    """Whether they fail to do what the case expects."""


def judged_answers(each: Joined, label: Ints) -> Judged:
    """How models did on a chunk of cases, with their answers as `labels_read` reads them."""
    cases, answers = each.cases, each.answers
    right = RIGHT[label, cases.label]
    held = right[:, cases.source] & (cases.source >= 0)
    drops = cases.expects == EXPECTATIONS.index("drop")
    return Judged(
        label=label,
        confidence=confidence(label, answers.probabilities),
        right=right,
        held=held,
        failed=numpy.where(cases.claims, ~right, held & (right == drops)),
    )
