"""How answers are read before they are judged: as two labels, or added up to two, where a suite has only two."""

import numpy

from assay.bench.stored import Joined
from assay.core.label import Label
from assay.core.suite import Manifest
from assay.evaluate.collapse import Collapse, summed
from assay.evaluate.count.columns import IN_TWO, Encoder, Ints


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
