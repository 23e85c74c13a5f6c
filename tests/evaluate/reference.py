"""Every figure of answers to cases, one case at a time: slow and plain, for columns to be held against."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import NamedTuple

from assay.core.case import Case, Prediction
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import TWO_LABELS, Collapse
from assay.evaluate.accuracy import is_right
from assay.evaluate.intervals import ClusteredShare, clustered_share
from assay.evaluate.paired import PairedShares, holm, paired_shares

Slice = tuple[tuple[str, str], ...]
Answered = tuple[Case, Prediction | None]

MOST_VALUES = 200
BINS = 15


class Figure(NamedTuple):
    """A figure; the ends are None where they are missing, or drawn by chance."""

    value: float | None
    n: int
    ends: tuple[float, float] | None = None


Figures = dict[tuple[str, Slice], Figure]


def shared(clusters: Sequence[tuple[int, int]]) -> ClusteredShare:
    """The share of clusters of (hits, trials)."""
    return clustered_share([hits for hits, _ in clusters], [trials for _, trials in clusters])


def paired(clusters: Sequence[Sequence[tuple[bool, bool]]]) -> PairedShares:
    """The paired shares of clusters of cases, each of which the first and the second get right or not."""
    counts = [Counter(cluster) for cluster in clusters]
    return paired_shares(
        [(count.total(), count[True, True], count[True, False], count[False, True]) for count in counts]
    )


def figures(asked: Sequence[Answered], collapse: Collapse = "argmax") -> Figures:
    """Every figure of one model, by name and slice; its own name and the suite's are left out."""
    two_way = {case.family for case, _ in asked if case.compared_with is Label.NON_ENTAILMENT}
    added_up = [(case, summed(answer) if collapse == "sum" else answer) for case, answer in asked]
    # A copy and its source pair are read alike: as the copy's family is.
    found = {key: e for key, e in _counted(asked).items() if dict(key[1])["family"] not in two_way}
    found |= {key: e for key, e in _counted(added_up).items() if dict(key[1])["family"] in two_way}
    found |= _calibration(asked, collapse)
    return found | _corrected(found)


def _counted(read: Sequence[Answered]) -> Figures:
    return {**_accuracies(read), **_fallbacks(read), **_answers(read), **_copies(read), **_areas(read)}


def summed(answer: Prediction | None) -> Prediction | None:
    """The answer when neutral and contradiction are added up."""
    if answer is None or answer.probabilities is None or answer.label is Label.NON_ENTAILMENT:
        return answer
    sure = answer.probabilities.get(Label.ENTAILMENT, 0.0)
    total = sum(answer.probabilities[label] for label in sorted(answer.probabilities))
    label = Label.ENTAILMENT if 2 * sure >= total else Label.NON_ENTAILMENT
    return Prediction(id=answer.id, label=label, probabilities=answer.probabilities, note=answer.note)


def right(case: Case, answer: Prediction | None) -> bool:
    """Whether an answer is right; a missing one is not."""
    return answer is not None and is_right(answer.label, case.compared_with)


def _clustered(rows: Sequence[Answered]) -> list[list[Answered]]:
    return [list(cluster) for _, cluster in groupby(rows, key=lambda each: each[0].root)]


def _accuracies(read: Sequence[Answered]) -> Figures:
    found: Figures = {}
    values: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    rows: defaultdict[tuple[str, Slice], list[Answered]] = defaultdict(list)
    for case, answer in read:
        for facet in _facets(case):
            for name, value in facet:
                values[case.family, name].add(value)
            name = "accuracy" if case.expects == "label" else "kept"
            for where in (facet, (*facet, ("label", case.compared_with.value))):
                rows[name, (("family", case.family), *where)].append((case, answer))
    for (name, where), own in rows.items():
        groups = {group for group, _ in where[1:]} - {"variant", "label"}
        if not any(len(values[dict(where)["family"], group]) > MOST_VALUES for group in groups):
            clusters = [(sum(right(*each) for each in cluster), len(cluster)) for cluster in _clustered(own)]
            share = shared(clusters)
            found[name, where] = Figure(share.value, share.n, share.interval)
    return found


def _facets(case: Case) -> Iterator[Slice]:
    yield ()
    if case.variant:
        yield (("variant", case.variant),)
    for name, value in case.group.items():
        reserved = name in ("model", "suite", "family", "variant", "label")
        yield ((f"group:{name}" if reserved else name, value),)


def _fallbacks(read: Sequence[Answered]) -> Figures:
    cases = Counter(case.family for case, _ in read)
    notes = Counter((case.family, answer.note) for case, answer in read if answer and answer.note)
    return {
        ("fallback", (("family", family), ("note", note))): Figure(count / cases[family], cases[family])
        for (family, note), count in notes.items()
    }


def _answers(read: Sequence[Answered]) -> Figures:
    given: defaultdict[Slice, Counter[str]] = defaultdict(Counter)
    for case, answer in read:
        where = (("family", case.family), ("label", case.compared_with.value))
        given[where][answer.label.value if answer else "none"] += 1
    return {
        ("answers", (*where, ("answer", answer))): Figure(count / counts.total(), counts.total())
        for where, counts in given.items()
        for answer, count in counts.items()
    }


def _copies(read: Sequence[Answered]) -> Figures:
    rows: defaultdict[Slice, list[list[tuple[bool, bool]]]] = defaultdict(list)
    same: defaultdict[Slice, list[bool]] = defaultdict(list)
    for cluster in _clustered(read):
        here: defaultdict[Slice, list[tuple[bool, bool]]] = defaultdict(list)
        for _, origin in groupby(cluster, key=lambda each: each[0].origin):
            together = list(origin)
            sources = [right(*each) for each in together if each[0].family == "original"]
            for case, answer in together:
                if sources and case.family != "original":
                    for where in _slices_of_copy(case):
                        here[where].append((sources[-1], right(case, answer)))
                        same[where].append(case.provenance.edit.label is None and case.expects == "label")
        for where, pairs in here.items():
            rows[where].append(pairs)
    found: Figures = {}
    for where, clusters in rows.items():
        shares = paired(clusters)
        found["source", where] = Figure(shares.first, shares.n)
        found["drop", where] = Figure(shares.difference, shares.n, shares.interval)
        found["mcnemar", where] = Figure(shares.p, shares.n)
        if all(same[where]):
            both = shared([(sum(a and b for a, b in cluster), len(cluster)) for cluster in clusters])
            found["consistency", where] = Figure(both.value, both.n, both.interval)
    return found


def _slices_of_copy(case: Case) -> Iterator[Slice]:
    severity = case.group.get("severity")
    facets: list[Slice] = [()]
    facets += [(("variant", case.variant),)] if case.variant else []
    facets += [(("severity", severity),)] if severity is not None else []
    for facet in facets:
        where = (("family", case.family), *facet)
        yield where
        if case.provenance.edit.label is None:
            yield (*where, ("label", case.compared_with.value))


def _areas(read: Sequence[Answered]) -> Figures:
    rungs: defaultdict[Slice, defaultdict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for case, answer in read:
        severity = case.provenance.recipe.severity
        if severity is not None:
            family: Slice = (("family", case.family),)
            for where in (family, (*family, ("label", case.compared_with.value))):
                rungs[where][severity].append(right(case, answer))
    found: Figures = {}
    for where, curve in rungs.items():
        xs = sorted(curve)
        ys = [sum(curve[x]) / len(curve[x]) for x in xs]
        if len(xs) > 1:
            steps = zip(xs, xs[1:], ys, ys[1:], strict=False)
            area = sum((b - a) * (one + other) / 2 for a, b, one, other in steps) / (xs[-1] - xs[0])
            found["area", where] = Figure(area, sum(map(len, curve.values())))
    return found


def _calibration(asked: Sequence[Answered], collapse: Collapse) -> Figures:
    claimed = [(case, answer) for case, answer in asked if case.expects == "label"]
    two_way = {case.family for case, _ in claimed if case.compared_with is Label.NON_ENTAILMENT}
    judged: defaultdict[str, list[tuple[float, bool, float]]] = defaultdict(list)
    for case, answer in claimed:
        if answer and answer.probabilities:
            how = collapse if case.family in two_way else None
            judged[case.family].append(judge(case.compared_with, answer.probabilities, how))
    found: Figures = {}
    for family, own in judged.items():
        bins: defaultdict[int, list[float]] = defaultdict(list)
        for confidence, is_hit, _ in own:
            bins[min(BINS, max(1, ceil(confidence * BINS)))].append(confidence - is_hit)
        error = sum(abs(sum(gaps)) for gaps in bins.values()) / len(own)
        where = (("family", family),)
        found["calibration-error", where] = Figure(error, len(own))
        found["brier", where] = Figure(sum(squares for _, _, squares in own) / len(own), len(own))
    return found


def judge(gold: Label, given: dict[Label, float], collapse: Collapse | None) -> tuple[float, bool, float]:
    """The confidence of an answer, whether it is right, and its squared distances from certainty."""
    best = max(Label, key=lambda label: given.get(label, float("-inf")))  # the first of equals
    if collapse or Label.NON_ENTAILMENT in (gold, *given):
        sure = given.get(Label.ENTAILMENT, 0.0)
        rest = sum(given[label] for label in sorted(given)) - sure
        shares = {Label.ENTAILMENT: sure, Label.NON_ENTAILMENT: rest}
        gold, answer = TWO_LABELS.read(gold), TWO_LABELS.read(best)
        if collapse == "sum":
            answer = Label.ENTAILMENT if sure >= rest else Label.NON_ENTAILMENT
    else:
        shares, answer = {label: given.get(label, 0.0) for label in THREE_WAY}, best
    counted = [Label.ENTAILMENT] if len(shares) == 2 else shares
    squares = sum((shares[label] - (label is gold)) ** 2 for label in counted)
    return shares[answer], answer is gold, squares


def _corrected(found: Figures) -> Figures:
    corrected: Figures = {}
    for names in ({"family"}, {"family", "label"}):
        tests = [(where, e) for (name, where), e in found.items() if name == "mcnemar" and set(dict(where)) == names]
        adjusted = holm([e.value or 0.0 for _, e in tests])
        corrected |= {("holm", where): Figure(p, e.n) for (where, e), p in zip(tests, adjusted, strict=True)}
    return corrected
