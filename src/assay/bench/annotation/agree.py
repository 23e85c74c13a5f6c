"""Measuring the annotators of a corpus."""

from collections.abc import Iterator
from pathlib import Path

from assay.core.errors import BadInputError, BadRecordError
from assay.core.label import Label, are_two
from assay.corpora.reading import CorpusReader, read
from assay.evaluate.agreement import Agreement, Judgements, measure_agreement


def annotator_agreement(source: str | Path | CorpusReader, *, annotators: int | None = None) -> Agreement:
    """How well the annotators of a corpus agree; pairs without a gold label are left out."""
    corpus = source if isinstance(source, CorpusReader) else read(source)
    found = measure_agreement(_alike(list(_judgements(corpus))), annotators=annotators)
    if not found.pairs:
        wanted = f"{annotators} annotators' labels" if annotators else "two or more annotators' labels"
        raise BadInputError(
            f"no pair has {wanted}",
            where=corpus.reading.source,
            hint="They are read from annotator_labels, or from columns label1, label2 and so on.",
        )
    return found


def _alike(judged: list[Judgements]) -> list[Judgements]:
    """The judgements, with annotators' labels read as two if the set has two gold labels."""
    if not are_two(each.gold for each in judged):
        return judged
    return [Judgements(gold=each.gold, labels=tuple(label.two_way for label in each.labels)) for each in judged]


def _judgements(corpus: CorpusReader) -> Iterator[Judgements]:
    for pair in corpus:
        yield Judgements(gold=pair.label, labels=tuple(_label(corpus, text, pair.id) for text in pair.annotators))


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
