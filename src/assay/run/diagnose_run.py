"""The diagnosis of a run, from one pass over its suites and the stored answers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from math import log10
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.core.case import ORIGINAL, Case
from assay.core.judgement import Diagnosis
from assay.core.label_space import LabelNames, merged_names
from assay.core.run_record import RunSpec
from assay.evaluate.case_columns import Bools, Encoder
from assay.evaluate.diagnose.diagnosis_evidence import (
    SILENT,
    Chunk,
    Evidence,
    HypothesisWordTable,
    SurfaceColumns,
    put_together,
)
from assay.evaluate.diagnose.planting import Sensitivity, measure_sensitivity
from assay.evaluate.diagnose.profile import diagnose_models
from assay.evaluate.diagnose.text_features import is_number, negates
from assay.language.fragment.syntactic_heuristics import is_subsequence
from assay.language.text.tokens import folded_words
from assay.models.baselines.shortcut_baselines import is_constituent
from assay.run.measure import labels_read, named_models
from assay.run.stored_run import Run, StoredRun, in_share, open_run, run_folder


class WordOverlapCounts(NamedTuple):
    """Surface features that a hypothesis shares with its premise."""

    share: float  # the fraction of its distinct words that are in the premise; 1 if it has no words
    new: int  # the number of its distinct words that are not in the premise
    in_one_piece: bool
    is_phrase: bool


def overlap_of(premise: str, hypothesis: str, *, said: Sequence[str], claimed: Sequence[str]) -> WordOverlapCounts:
    """Compare two texts, given with their words."""
    distinct = {*claimed}
    new = len(distinct.difference(said))
    # Only what consists of the premise's words can be a piece or a phrase of it, and few hypotheses do.
    piece = not new and is_subsequence(hypothesis, premise)
    return WordOverlapCounts(
        share=(len(distinct) - new) / len(distinct) if distinct else 1.0,
        new=new,
        in_one_piece=piece,
        is_phrase=piece and is_constituent(hypothesis, premise),
    )


MOST_CHANGED = 3  # texts that differ in more neighbouring words than this are not equal but for a word or a phrase
SPELLING = "spelling"

GENRE = "genre"

CHANGE = "change"  # the group of logic families that says what something is replaced by


class SurfaceReader:
    """Collects surface features of cases, chunk by chunk. Words are rare if they are rare in the run's source pairs."""

    def __init__(self, source_pairs: Iterable[Case]) -> None:
        self._counts = Counter(
            word for case in source_pairs for text in (case.premise, case.hypothesis) for word in _words(text)
        )
        self._features: dict[str, int] = {}
        self._seen: list[SurfaceColumns] = []
        self._rows = 0

    def read(self, cases: Sequence[Case]) -> None:
        said = [_words(case.premise) for case in cases]
        claimed = [_words(case.hypothesis) for case in cases]
        texts = list(zip(said, claimed, strict=True))
        distinct = [({*one}, {*other}) for one, other in texts]
        counts = self._counts
        shared = [
            overlap_of(case.premise, case.hypothesis, said=one, claimed=other)
            for case, (one, other) in zip(cases, texts, strict=True)
        ]
        self._seen.append(
            SurfaceColumns(
                overlap=numpy.array([each.share for each in shared]),
                jaccard=numpy.array([len(one & other) / max(len(one | other), 1) for one, other in distinct]),
                in_one_piece=_as_flags(each.in_one_piece for each in shared),
                is_phrase=_as_flags(each.is_phrase for each in shared),
                same_end=_as_flags(bool(one) and one[-1:] == other[-1:] for one, other in texts),
                negated=_as_flags(any(map(negates, words)) for words in claimed),
                added=_as_flags(map(_only_adds, cases)),
                premise_words=numpy.array(list(map(len, said))),
                hypothesis_words=numpy.array(list(map(len, claimed))),
                has_number=_as_flags(any(map(is_number, (*one, *other))) for one, other in texts),
                claims_number=_as_flags(any(map(is_number, words)) for words in claimed),
                rarity=numpy.array([-log10(1 + min((counts[word] for word in words), default=0)) for words in claimed]),
                has_typo=_as_flags(case.family == SPELLING for case in cases),
                replaced=_as_flags(CHANGE in case.group for case in cases),
                generalised=_as_flags(case.group.get(CHANGE) == "general" for case in cases),
                genre=[case.group.get(GENRE, "") for case in cases],
                first_word=numpy.array([self._number(f"< {' '.join(words[:1])}") for words in claimed]),
                last_word=numpy.array([self._number(f"> {' '.join(words[-1:])}") for words in claimed]),
                changed=numpy.array([self._changed(one, other) for one, other in texts]),
                premise_number=numpy.array([self._number(f"# {case.cluster}") for case in cases]),
                premise=self._words([(case.premise, words) for case, words in zip(cases, said, strict=True)]),
                hypothesis=self._words([(case.hypothesis, words) for case, words in zip(cases, claimed, strict=True)]),
            )
        )
        self._rows += len(cases)

    def surface(self) -> SurfaceColumns:
        """The features of all cases read so far, in order."""
        found: dict[str, Any] = {}
        for name, parts in zip(SurfaceColumns._fields, zip(*self._seen, strict=True), strict=True):
            if name == "genre":
                found[name] = [genre for part in parts for genre in part]
            elif name in ("premise", "hypothesis"):
                found[name] = HypothesisWordTable(*map(numpy.concatenate, zip(*parts, strict=True)))
            else:
                found[name] = numpy.concatenate(parts)
        return SurfaceColumns(**found)

    def _number(self, feature: str) -> int:
        return self._features.setdefault(feature, len(self._features))

    def _changed(self, said: Sequence[str], claimed: Sequence[str]) -> int:
        found = changed_words(said, claimed)
        return SILENT if found is None else self._number(f"{' '.join(found[0])} > {' '.join(found[1])}")

    def _words(self, texts: Sequence[tuple[str, Sequence[str]]]) -> HypothesisWordTable:
        """The features of texts without repeats, in a fixed order for sums."""
        found = [sorted({self._number(feature) for feature in _list_features(text, words)}) for text, words in texts]
        return HypothesisWordTable(
            number=numpy.array([number for each in found for number in each], dtype=numpy.int64),
            case=self._rows + numpy.repeat(numpy.arange(len(found)), [len(each) for each in found]),
        )


def changed_words(said: Sequence[str], claimed: Sequence[str]) -> tuple[Sequence[str], Sequence[str]] | None:
    """The one difference between two texts; None if they share too little to call the rest equal.

    >>> changed_words("a man in a red hat".split(), "a man in a blue hat".split())
    (['red'], ['blue'])
    >>> changed_words("a man sleeps".split(), "the dog runs".split()) is None
    True
    """
    shortest = min(len(said), len(claimed))
    first = next((place for place in range(shortest) if said[place] != claimed[place]), shortest)
    left = shortest - first
    last = next((place for place in range(left) if said[-1 - place] != claimed[-1 - place]), left)
    old, new = said[first : len(said) - last], claimed[first : len(claimed) - last]
    if not old or not new or max(len(old), len(new)) > MOST_CHANGED or first + last < len(old) + len(new):
        return None
    return old, new


def _list_features(text: str, words: Sequence[str]) -> Iterator[str]:
    """The words of a text, which of them comes first and last, and whether there is a comma."""
    yield from words
    if words:
        yield f"< {words[0]}"
        yield f"> {words[-1]}"
    if "," in text:
        yield ","


def _as_flags(values: Iterable[bool]) -> Bools:
    return numpy.array(list(values), dtype=bool)


@lru_cache(maxsize=1 << 14)  # the cases of a pair share their texts, and stand next to each other
def _words(text: str) -> tuple[str, ...]:
    return tuple(folded_words(text))


def _only_adds(case: Case) -> bool:
    """True if the hypothesis is that of the source pair with an addition, and nothing removed."""
    edit = case.provenance.edit
    return (
        bool(edit.hypothesis) and edit.hypothesis_from == "hypothesis" and not any(each.old for each in edit.hypothesis)
    )


MOST_CASES = 50_000  # cases that are looked at, so that memory does not grow with the run; more would say the same


def diagnose_run(run: StoredRun, spec: RunSpec, *, most: int = MOST_CASES) -> Diagnosis:
    """The diagnosis of a run, as far as its cases allow; a large run is sampled by source pair."""
    total = sum(map(len, run.suites.values()))
    evidence = read_evidence(run, spec, most=most)
    if evidence is None:
        return Diagnosis(n=0, profiles=())
    names = LabelNames(merged_names(suite.manifest.names for suite in run.suites.values()))
    found = diagnose_models(evidence, names)
    return found if total <= most else msgspec.structs.replace(found, drawn_from=total)


def read_evidence(run: StoredRun, spec: RunSpec, *, most: int = MOST_CASES) -> Evidence | None:
    """The cases of a run and the answers to them as columns; None if there are no cases."""
    # By name, as a stored record has them: the order must not depend on whether the run has just ended.
    manifests = {name: suite.manifest for name, suite in sorted(run.suites.items())}
    space = spec.label_space(manifests)
    share = _share_read(run, most)
    source_pairs = (case for case in cases_read(run, most=most) if case.family == ORIGINAL)
    reader, decoder = SurfaceReader(source_pairs), msgspec.json.Decoder(Case)
    chunks = []
    for number, (name, manifest) in enumerate(manifests.items()):
        encoder = Encoder(space)
        for each in run.joined(name, encoder, share=share):
            reader.read([decoder.decode(line) for line in each.lines])
            label = labels_read(each, encoder, manifest)
            judged = numpy.array([[not note for note in notes] for notes in each.answers.notes], dtype=bool)
            chunks.append(Chunk(number, each.cases, encoder.families, label, judged.reshape(label.shape)))
    models = [each.model for each in run.models]
    return put_together(chunks, reader.surface(), models=models, suites=[*manifests]) if chunks else None


def _share_read(run: StoredRun, most: int) -> float:
    return min(1, most / max(sum(map(len, run.suites.values())), 1))


def cases_read(run: StoredRun, *, most: int = MOST_CASES) -> Iterator[Case]:
    """The cases of `read_evidence`, in the order of its columns."""
    decoder, share = msgspec.json.Decoder(Case), _share_read(run, most)
    for _, suite in sorted(run.suites.items()):
        yield from (case for case in map(decoder.decode, suite.lines()) if share == 1 or in_share(case.root, share))


def diagnose(run: Run, *, models: str | Sequence[str] = ()) -> Diagnosis:
    """The diagnosis of a stored run: shortcuts that models follow, effects of edits, and correlates of their errors.

    A run that was stored without a diagnosis is diagnosed now, from its cases and answers. `models` limits it to these.

    >>> import tempfile
    >>> from assay import read, run
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     record = run(read("bundled", limit=300), families="negation", models="assay:overlap", out=folder)
    ...     found = diagnose(record)
    >>> [effect.name for effect in found.profiles[0].followed]
    ['overlap']
    """
    record = open_run(run)
    found = record.diagnosis or diagnose_run(StoredRun.of(run_folder(run), record), record.spec)
    asked = named_models(record, models)
    return msgspec.structs.replace(
        found,
        profiles=tuple(each for each in found.profiles if each.model in asked),
        versus=tuple(each for each in found.versus if not models or {each.first, each.second} & {*asked}),
        only_right={model: n for model, n in found.only_right.items() if model in asked},
    )


def find_sensitivity(run: Run, on_progress: Callable[[], None] = lambda: None) -> list[Sensitivity]:
    """The sensitivity of a run's diagnosis: shortcuts are planted into honest answers to its cases.

    No model is run. `on_progress` is called after each shortcut.
    """
    record = open_run(run)
    evidence = read_evidence(StoredRun.of(run_folder(run), record), record.spec)
    return measure_sensitivity(evidence, on_progress) if evidence else []
