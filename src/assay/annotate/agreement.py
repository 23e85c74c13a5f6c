"""Agreement of annotators: Fleiss' kappa, Krippendorff's alpha, and the metrics of a layout's paper."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import comb
from pathlib import Path
from statistics import fmean
from typing import NamedTuple, TypeVar

import msgspec

from assay.annotate.layouts import AnnotationLayout, AnnotatorAnswer, SampledCase
from assay.core.errors import BadInputError, BadRecordError
from assay.core.label import Label
from assay.core.label_space import LabelSpace
from assay.corpora.reader import CorpusReader, read
from assay.reports.tables.sheet import Part, plain_sheet

Name = TypeVar("Name", bound=str)  # a label, or any other answer to choose from


class Judgements(msgspec.Struct, frozen=True, kw_only=True):
    """The labels that annotators gave one pair."""

    gold: Label
    labels: tuple[Label, ...]


class AnnotatorAgreement(msgspec.Struct, frozen=True, kw_only=True):
    """Agreement of annotators on pairs that all have the same number of labels."""

    pairs: int
    annotators: int  # labels per pair
    left_out: dict[str, int]  # pairs that were not measured, by reason
    gold: dict[str, int]  # measured pairs by gold label
    unanimous: int
    kappa: float | None
    """Fleiss' kappa; None if there is nothing to agree about, for instance if only one label was ever given."""
    kappas: dict[str, float | None]  # Fleiss' kappa of each label against the rest
    alpha: float | None  # Krippendorff's alpha for unordered labels
    human: float | None  # the fraction of all single labels that are the gold label: what a person would score
    guessing: float | None = None
    """The same if all annotators guessed. It is high, because the gold label is their own majority."""


def measure_agreement(judged: Iterable[Judgements], *, annotators: int | None = None) -> AnnotatorAgreement:
    """Measure the pairs that have `annotators` labels, by default as many as most pairs have.

    >>> same = Judgements(gold=Label.NEUTRAL, labels=(Label.NEUTRAL,) * 3)
    >>> other = Judgements(gold=Label.ENTAILMENT, labels=(Label.ENTAILMENT, Label.ENTAILMENT, Label.NEUTRAL))
    >>> found = measure_agreement([same, other])
    >>> round(found.kappa, 4), round(found.alpha, 4), round(found.human, 4), found.unanimous
    (0.25, 0.375, 0.8333, 1)
    """
    found = list(judged)
    sizes = Counter(len(each.labels) for each in found)
    several = [size for size in sizes if size > 1]
    wanted = annotators or max(several, key=lambda size: (sizes[size], size), default=0)
    used = [each for each in found if len(each.labels) == wanted > 1]
    counts = [Counter(each.labels) for each in used]
    labels = [label for label in Label if any(label in count for count in counts)]
    equal = sum(each.labels.count(each.gold) for each in used)
    return AnnotatorAgreement(
        pairs=len(used),
        annotators=wanted,
        left_out={
            f"{size} {'label' if size == 1 else 'labels'}": n for size, n in sorted(sizes.items()) if size != wanted
        },
        gold={label.value: n for label in Label if (n := sum(each.gold is label for each in used))},
        unanimous=sum(len(count) == 1 for count in counts),
        kappa=fleiss_kappa(counts),
        kappas={label.value: label_kappa(counts, label) for label in labels},
        alpha=krippendorff_alpha(counts),
        human=equal / (len(used) * wanted) if used else None,
        guessing=guessing_score(wanted, len(labels)) if used else None,
    )


def guessing_score(annotators: int, labels: int) -> float:
    """The fraction of single labels that are the gold label if all annotators guess, each label as often as the others.

    The gold label is the answer of more than half of them; pairs without one are left out.

    >>> round(guessing_score(3, 3), 4), round(guessing_score(5, 3), 4), guessing_score(2, 2)
    (0.7143, 0.6471, 1.0)
    """
    sizes = range(annotators // 2 + 1, annotators + 1)
    chances: dict[int, int] = {n: comb(annotators, n) * (labels - 1) ** (annotators - n) for n in sizes}
    return sum(n * chance for n, chance in chances.items()) / (annotators * sum(chances.values()))


def fleiss_kappa(counts: Sequence[Counter[Name]]) -> float | None:
    """Agreement above chance, for pairs with the same number of labels each.

    >>> fleiss_kappa([Counter({Label.NEUTRAL: 2}), Counter({Label.ENTAILMENT: 2})])
    1.0
    """
    if not counts:
        return None
    each = counts[0].total()
    shares = {label: n / (len(counts) * each) for label, n in sum(counts, Counter[Name]()).items()}
    observed = sum(n * (n - 1) for count in counts for n in count.values()) / (len(counts) * each * (each - 1))
    expected = sum(share * share for share in shares.values())
    return (observed - expected) / (1 - expected) if len(shares) > 1 else None


def label_kappa(counts: Sequence[Counter[Label]], label: Label) -> float | None:
    """Agreement above chance on whether a pair has this label or not."""
    rest = next(each for each in Label if each is not label)
    return fleiss_kappa([+Counter({label: count[label], rest: count.total() - count[label]}) for count in counts])


def krippendorff_alpha(counts: Sequence[Counter[Name]]) -> float | None:
    """One minus the ratio of observed to expected disagreement; pairs may have two labels or more.

    >>> krippendorff_alpha([Counter({Label.NEUTRAL: 1, Label.ENTAILMENT: 1}), Counter({Label.ENTAILMENT: 3})])
    0.0
    """
    used = [count for count in counts if count.total() > 1]
    totals = sum(used, Counter[Name]())
    everything = totals.total()
    expected = everything**2 - sum(n * n for n in totals.values())
    if not expected:
        return None
    observed = sum((count.total() ** 2 - sum(n * n for n in count.values())) / (count.total() - 1) for count in used)
    return 1 - (everything - 1) * observed / expected


def annotator_agreement(source: str | Path | CorpusReader, *, annotators: int | None = None) -> AnnotatorAgreement:
    """Measure the agreement of a corpus's annotators; pairs without a gold label are left out."""
    corpus = source if isinstance(source, CorpusReader) else read(source)
    read_labels = [(pair.label, [_label(corpus, text, pair.id) for text in pair.annotators]) for pair in corpus]
    space = LabelSpace.of(gold for gold, _ in read_labels)  # annotators' labels are read as two if the set has two
    judged = [Judgements(gold=gold, labels=tuple(map(space.read, labels))) for gold, labels in read_labels]
    found = measure_agreement(judged, annotators=annotators)
    if not found.pairs:
        wanted = f"{annotators} annotators' labels" if annotators else "two or more annotators' labels"
        raise BadInputError(
            f"no pair has {wanted}",
            where=corpus.reading.source,
            hint="They are read from annotator_labels, or from columns label1, label2 and so on.",
        )
    return found


def _label(corpus: CorpusReader, text: str, pair: str) -> Label:
    try:
        label = corpus.reader(text)
    except BadRecordError as error:
        raise BadInputError(
            f"an annotator of {pair!r} says {text!r}", where=corpus.reading.source, hint=error.hint
        ) from error
    if label is None:
        raise BadInputError(f"an annotator of {pair!r} says {text!r}", where=corpus.reading.source)
    return label


def agreement_parts(found: AnnotatorAgreement) -> list[Part]:
    """Kappa overall and by label, alpha and human performance."""
    rows = [{"": "all labels", "pairs": f"{found.pairs:,}", "Fleiss' kappa": _figure(found.kappa)}]
    rows += [
        {"": str(label), "pairs": f"{found.gold.get(label, 0):,}", "Fleiss' kappa": _figure(kappa)}
        for label, kappa in found.kappas.items()
    ]
    human, guessing = ("-" if share is None else f"{share:.2%}" for share in (found.human, found.guessing))
    return [
        plain_sheet(rows, figures=["pairs", "Fleiss' kappa"]),
        f"Krippendorff's alpha: {_figure(found.alpha)}",
        f"estimated human performance: {human} of single labels match the gold label, which is made from them; for "
        f"{found.annotators} people who guess, {guessing} do",
        f"{found.annotators} labels per pair; unanimous on {found.unanimous:,} pairs",
    ]


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"


class AnswerShare(msgspec.Struct, frozen=True, kw_only=True):
    """A fraction of cases, or of answers."""

    what: str  # the name of the share: `label` if most annotators give the label that a case was built with, and so on
    share: float
    n: int  # of how many cases


class FullyAnnotatedCase(NamedTuple):
    case: SampledCase
    answers: list[AnnotatorAnswer]


def figures(
    layout: AnnotationLayout, said: Sequence[FullyAnnotatedCase], annotators: Sequence[str]
) -> tuple[AnswerShare, ...]:
    """The metrics of the paper: people's accuracy, what most people agree on, or how often each category is given."""
    if not said:
        return ()
    match layout.name:
        case "label":
            return tuple(_accuracies(said, annotators))
        case "check":
            return tuple(_agreed(said))
        case "errors" | "own":
            return tuple(_sources(layout, said))
    return ()


def question_kappas(layout: AnnotationLayout, said: Sequence[FullyAnnotatedCase]) -> dict[str, float | None]:
    """Fleiss' kappa of each question; none if questions may stay open or are free, or only one person answered."""
    if layout.name in ("events", "notes") or not said or len(said[0].answers) < 2:
        return {}
    return {
        question.column: fleiss_kappa([Counter(each.answers[question.column] for each in one.answers) for one in said])
        for question in layout.questions
    }


def _accuracies(said: Sequence[FullyAnnotatedCase], annotators: Sequence[str]) -> Iterator[AnswerShare]:
    """McCoy et al. (2019): the mean accuracy of people, on all cases and by label, and the accuracy of each person."""
    labels = [label for label in Label if any(one.case.built_label is label for one in said)]
    for name, cases in {
        "all": said,
        **{each.value: [one for one in said if one.case.built_label is each] for each in labels},
    }.items():
        yield AnswerShare(
            what=name, share=fmean(_right(cases, place) for place in range(len(annotators))), n=len(cases)
        )
    for place, name in enumerate(annotators):
        yield AnswerShare(what=f"annotator {name}", share=_right(said, place), n=len(said))


def _right(said: Sequence[FullyAnnotatedCase], place: int) -> float:
    return fmean(one.answers[place].label is one.case.built_label for one in said)


def _agreed(said: Sequence[FullyAnnotatedCase]) -> Iterator[AnswerShare]:
    """Naik et al. (2018): the cases on which most annotators agree about label, grammar and difficulty."""
    most = {
        "label": [_most([each.label is one.case.built_label for each in one.answers]) for one in said],
        "grammatical": [_most([each.answers["grammatical"] == "yes" for each in one.answers]) for one in said],
        "easy": [_most([each.answers["easy"] == "yes" for each in one.answers]) for one in said],
    }
    for what, agreed in most.items():
        yield AnswerShare(what=what, share=fmean(agreed), n=len(said))
    single = [each.label is one.case.built_label for one in said for each in one.answers]
    yield AnswerShare(what="single labels", share=fmean(single), n=len(said))


def _most(answers: Sequence[bool]) -> bool:
    return 2 * sum(answers) > len(answers)


def _sources(layout: AnnotationLayout, said: Sequence[FullyAnnotatedCase]) -> Iterator[AnswerShare]:
    """Naik et al. (2018), section 2: the frequency of each source of errors, by the answer of most annotators."""
    (question,) = layout.questions
    for category in question.choices:
        agreed = [_most([each.answers[question.column] == category for each in one.answers]) for one in said]
        yield AnswerShare(what=category, share=fmean(agreed), n=len(said))
