"""A case as a page shows it: texts with the edit in them, long ones folded, and every model's answer."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from assay.core.case import Case
from assay.core.label import Label
from assay.core.pair import is_score
from assay.reports.formatting import MarkedTexts, TextPiece, mark_edits
from assay.reports.page.html_page import UNSHOWN
from assay.reports.phrases import label_words, short_name
from assay.run.case_index.case_index import CaseIndex, IndexedCase
from assay.run.measure import proof_of
from assay.serve.facet_words import facet_words, value_words
from assay.serve.run_view import ServedView, is_about_claims, run_view
from assay.serve.served_runs import RunOverview, tell_apart

LONGEST = 20_000  # largest number of characters of a piece of text that are shown
LONG = 700  # the number of characters above which a premise is folded
SENTENCE = re.compile(r"(?<=[.!?]\s)")  # where a sentence ends, for folding
WORD = re.compile(r"\w{3,}|\d+")


class ShownAnswer(NamedTuple):
    model: str
    name: str
    answer: str
    sure: float | None  # the probability of it
    failed: bool  # True if the answer is not the expected one
    held: bool  # True if the model was right on the source pair
    shares: Sequence[tuple[str, float]]  # probabilities by label
    note: str  # why it is a fallback


class TextFold(NamedTuple):
    """A stretch of a long text."""

    kind: str  # `hidden`, `near`, or `deciding` if it shares most words with the claim or was edited
    sentences: int
    pieces: Sequence[TextPiece]


class ShownCase(NamedTuple):
    number: int
    suite: str
    case: Case
    texts: MarkedTexts
    folds: Sequence[TextFold]  # the premise, folded if it is long
    is_claim: bool  # True if the hypothesis is a claim, which comes before its evidence
    label: str  # the label that answers are compared with, as it is shown
    groups: Sequence[tuple[str, str]]  # its groups in words, without those that only repeat the texts
    said: Sequence[ShownAnswer]
    source: int | None
    why: str
    scores: dict[str, float]  # the probability of entailment, by model

    @property
    def family(self) -> str:
        return self.case.family + (f", {self.case.variant}" if self.case.variant else "")


def view_of_index(index: CaseIndex, run: RunOverview, beside: RunOverview | None = None) -> ServedView:
    """The names of models and labels of an index; those of another run, `beside`, come last."""
    own = {short_name(each.model): each.model for each in index.record.models}
    view, shown = run_view(index.record), {}
    for model in index.models:
        if beside and model not in own.values():
            rival = model.rpartition(" in ")[0]
            same = own.get(short_name(rival), model)
            apart = tell_apart((same, run), (rival, beside))
            shown[same], shown[model] = view.name(same) + apart[0], view.name(rival) + apart[1]
    return run_view(index.record, shown=shown, more=index.models)


def shown_case(row: IndexedCase, view: ServedView) -> ShownCase:
    case = row.case
    texts = mark_edits(case, longest=LONGEST)
    return ShownCase(
        number=row.number,
        suite=row.suite,
        case=case,
        texts=texts,
        folds=[*fold_text(texts.premise, case.hypothesis)],
        is_claim=is_about_claims(view.runs[0]),
        label=view.label(case.compared_with.value, suite=row.suite),
        groups=[
            (facet_words(f"group.{name}").title.lower(), value_words(view, f"group.{name}", value))
            for name, value in case.group.items()
            if name not in UNSHOWN and not is_score(value)
        ],
        said=[shown_answer(row, view, model) for model in row.answers],
        source=row.source,
        why=label_words(case, proof_of(case)),
        scores={model: (each.probabilities or {}).get(Label.ENTAILMENT, 0.0) for model, each in row.answers.items()},
    )


def fold_text(pieces: Sequence[TextPiece], claim: str) -> Iterator[TextFold]:
    """A text in stretches; of a long one, only sentences near the deciding ones are open.

    The deciding sentences are those that were edited, and the one that shares most with the claim; words that few
    sentences have count more.

    >>> text = [TextPiece("Rain fell. " * 40 + "The bridge opened in 1931. " + "Rain fell. " * 40, "same")]
    >>> [(fold.kind, fold.sentences) for fold in fold_text(text, "The bridge opened in 1935.")]
    [('hidden', 39), ('near', 1), ('deciding', 1), ('near', 1), ('hidden', 39)]
    """
    sentences = [*_sentences(pieces)]
    if sum(len(each.text) for each in pieces) < LONG or len(sentences) < 4:
        yield TextFold("near", len(sentences), pieces)
        return
    wanted = {*_words(claim)}
    found = [{*_words("".join(each.text for each in sentence))} & wanted for sentence in sentences]
    common = Counter(word for words in found for word in words)
    shares = [sum(1 / common[word] for word in words) for words in found]
    deciding = {place for place, each in enumerate(sentences) if any(piece.kind != "same" for piece in each)}
    deciding.add(shares.index(max(shares)))
    kinds = [
        "deciding" if place in deciding else "near" if {place - 1, place + 1} & deciding else "hidden"
        for place in range(len(sentences))
    ]
    for kind, group in groupby(zip(kinds, sentences, strict=True), key=lambda each: each[0]):
        stretch = [sentence for _, sentence in group]
        yield TextFold(kind, len(stretch), [piece for sentence in stretch for piece in sentence])


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())


def _sentences(pieces: Sequence[TextPiece]) -> Iterator[list[TextPiece]]:
    """Pieces by sentence; an edit may go over several."""
    sentence: list[TextPiece] = []
    for piece in pieces:
        *ended, last = SENTENCE.split(piece.text)
        for text in ended:
            yield [*sentence, piece._replace(text=text)]
            sentence = []
        sentence.append(piece._replace(text=last))
    if any(piece.text.strip() for piece in sentence):
        yield sentence


def shown_answer(row: IndexedCase, view: ServedView, model: str) -> ShownAnswer:
    answer = row.answers[model]
    shares = answer.probabilities or {}
    label = view.read(answer.label, row.suite)
    sure = shares.get(label)
    if sure is None and shares and label is Label.NON_ENTAILMENT:
        sure = sum(value for each, value in shares.items() if each is not Label.ENTAILMENT)
    return ShownAnswer(
        model=model,
        name=view.name(model),
        answer=view.label(answer.label.value, suite=row.suite),
        sure=sure,
        failed=row.failed[model],
        held=row.held[model],
        shares=[(view.label(each.value), shares[each]) for each in Label if each in shares],
        note=answer.note,
    )
