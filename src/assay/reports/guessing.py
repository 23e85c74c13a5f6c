"""Labels that a model gets right less often than guessing would."""

from collections.abc import Iterable, Mapping

from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.reports.findings import BY_LABEL, short_name
from assay.reports.layout import interval, percent


def worse_than_guessing(estimates: Iterable[Estimate], labels: Mapping[str, Iterable[str]]) -> list[str]:
    """Labels of which the whole interval lies below what guessing gets, where no source pairs say what to expect.

    `labels` are those of each family. Families that were compared with their source pairs are left to the drop.

    >>> where = {"model": "assay:overlap/v1", "suite": "s", "family": "heuristics", "label": "non-entailment"}
    >>> found = [Estimate(name="accuracy", value=0.02, low=0.01, high=0.04, n=400, slice=where)]
    >>> worse_than_guessing(found, {"heuristics": ["entailment", "non-entailment"]})
    ['overlap: right on 2.0 % (1.0-4.0) of non-entailment in heuristics, where guessing gets 50.0 %.']
    """
    found = list(estimates)
    compared = {(e.slice["model"], e.slice["suite"], e.slice["family"]) for e in found if e.name == "drop"}
    told = []
    for e in found:
        if e.name != "accuracy" or {*e.slice} != BY_LABEL or e.high is None:
            continue
        if (e.slice["model"], e.slice["suite"], e.slice["family"]) in compared:
            continue
        chance = 1 / (2 if Label.NON_ENTAILMENT in labels.get(e.slice["family"], ()) else 3)
        if e.high < chance:
            right = f"right on {percent(e)} % ({interval(e)}) of {e.slice['label']} in {e.slice['family']}"
            told.append(f"{short_name(e.slice['model'])}: {right}, where guessing gets {chance * 100:.1f} %.")
    return told
