"""Labels that the texts refute: what follows from each pair of a corpus, compared with its gold label."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.audit.audit_result import LabelAuditOptions
from assay.audit.scene_relations import Reading, read_labels
from assay.core.errors import UserError
from assay.core.label import Label
from assay.core.label_space import LabelledRecord, LabelSpace
from assay.core.manifest import Source
from assay.core.option_fields import takes_options
from assay.core.pair import Pair
from assay.corpora.reader import corpus_of
from assay.language.resources.data import load_words
from assay.language.text.tokens import tokens
from assay.reports.tables.sheet import Part, plain_sheet
from assay.run.workers.pool import Stage, Work, pair_batches, part_folder, parts, quiet, worker_pool
from assay.storage.files import refuse_existing, write_whole
from assay.stress.heuristics.counterexample import prove
from assay.stress.logic.from_corpus.projection import read_pair
from assay.stress.logic.logic_lexicon import standard_logic_lexicon
from assay.stress.logic.proof.prover import Prover
from assay.version import __version__

ENDINGS = (".jsonl", ".csv")  # endings of files of refuted labels
SHOWN = 10  # number of refuted labels that are shown; a file and --json have all
WORDS = load_words(__file__)
NEAR_WORDS, SELF_EVIDENT = WORDS["near_words"], WORDS["self_evident"]
NOT_ENTAILED = frozenset({Label.NEUTRAL, Label.CONTRADICTION})
RANKS = ({Label.ENTAILMENT, Label.CONTRADICTION}, {Label.ENTAILMENT, Label.NEUTRAL})
"""Gold label and derived label, from the worst disagreement to the mildest."""


class RefutedLabel(msgspec.Struct, frozen=True, kw_only=True):
    """A pair whose gold label contradicts what follows from its texts."""

    id: str
    premise: str
    hypothesis: str
    gold: str  # the label in the corpus, by the user's own name
    follows: tuple[str, ...]  # the labels that the texts allow, by the user's own names
    reason: str


class LabelAudit(LabelledRecord, frozen=True, kw_only=True):
    """The labels of a corpus, as far as they can be derived from the texts."""

    source: Source
    read: dict[str, int]  # pairs by the label that follows; several labels are joined with "or"
    unread: dict[str, int]  # pairs from which nothing follows, by reason, the most frequent first
    refuted: tuple[RefutedLabel, ...]  # the worst first: entailment against contradiction, then the shortest texts


class _Found(NamedTuple):
    """A pair's reading, as a worker returns it."""

    labels: tuple[Label, ...]
    reason: str
    pair: Pair | None  # the pair, if its label may be refuted


def derive_labels(premise: str, hypothesis: str) -> Reading:
    """The labels that two texts allow; none if nothing is certain, or if two ways to derive them disagree.

    Three readers are tried. The first knows the grammar of HANS and of the logic families, and goes through all
    possible worlds. The second reads short texts as scenes and compares them part by part. The third compares texts
    that differ in one place, by the relation of what changed and the polarity of the place.

    >>> derive_labels("Nobody is holding a hedgehog.", "Someone is holding a hedgehog.").labels
    frozenset({<Label.CONTRADICTION: 'contradiction'>})
    >>> derive_labels("It is a lie that the man owns a dog.", "It is a lie that the man owns a poodle.").labels
    frozenset({<Label.ENTAILMENT: 'entailment'>})
    """
    if found := _read_by_worlds(premise, hypothesis):
        return found
    if _nearly_alike(premise, hypothesis):
        return Reading(reason="people may read the old and the new words as the same")
    scene, place = read_labels(premise, hypothesis), read_pair(premise, hypothesis)
    if place.label is None:
        return scene
    if scene.labels and place.label not in scene.labels:
        return Reading(reason="two readings of it disagree")
    told = f"what changes ({place.change}) is {place.relation}, and the polarity of the place is {place.polarity}"
    return Reading(frozenset({place.label}), scene.reason if scene.labels else told)


def _nearly_alike(premise: str, hypothesis: str) -> bool:
    """True if the texts differ only in near-synonyms or in self-evident words."""
    one, other = ({token.text.lower() for token in tokens(text)} for text in (premise, hypothesis))
    lost, new = one - other, other - one
    exchanged = any(f"{a}/{b}" in NEAR_WORDS or f"{b}/{a}" in NEAR_WORDS for a, b in product(lost, new))
    added = new - {"in", "into", "his", "her", "their", "a", "the"}
    return exchanged or (bool(added) and added <= SELF_EVIDENT)


def _read_by_worlds(premise: str, hypothesis: str) -> Reading | None:
    proof = prove(premise, hypothesis)
    if proof.label is Label.ENTAILMENT:
        return Reading(frozenset({Label.ENTAILMENT}), "it holds in every world of the premise")
    if proof.label is not None:
        return Reading(NOT_ENTAILED, f"it fails in a world with {' and '.join(proof.world or ()) or 'nothing'}")
    shown = _prover()(premise, hypothesis).label
    return Reading(frozenset({shown}), "all worlds up to a deciding size agree") if shown else None


@cache
def _prover() -> Prover:
    return Prover(standard_logic_lexicon())


@takes_options(LabelAuditOptions, "source")
def audit_labels(options: LabelAuditOptions, *, stage: Stage = quiet) -> LabelAudit:
    """Find the pairs of a corpus whose gold label contradicts what follows from the two texts.

    Labels are those of the corpus, or two if the options say so. With `out`, the refuted labels are also written to a
    file, as JSON lines or CSV. An interrupted audit with a file resumes where it left off.

    >>> row = {"premise": "Nobody is singing.", "hypothesis": "A man is singing.", "label": "entailment"}
    >>> found, = audit_labels([row]).refuted
    >>> found.gold, found.follows, found.reason
    ('entailment', ('contradiction',), 'the premise denies it; "man" is a kind of "person"')
    """
    corpus = corpus_of(options.source)
    path = Path(options.out) if options.out is not None else None
    if path is not None:
        if path.suffix not in ENDINGS:
            raise UserError(f"{path} must end in .jsonl or .csv, so that it is clear how to write it.")
        refuse_existing(path, overwrite=options.overwrite)
    counts: Counter[frozenset[Label]] = Counter()
    unread: Counter[str] = Counter()
    doubtful: list[_Found] = []
    work = Work(_read_batch, (), key=f"{__version__} labels")
    with worker_pool(options.workers) as pool, part_folder(path) as folder:
        progress = stage("Reading the pairs", None)
        for data in parts(work, pair_batches(corpus, pool.batch), folder=folder, pool=pool):
            batch = msgspec.json.decode(data, type=list[_Found])
            for found in batch:
                if found.labels:
                    counts[frozenset(found.labels)] += 1
                else:
                    unread[found.reason] += 1
                if found.pair:
                    doubtful.append(found)
            progress(len(batch))
        summary = corpus.summary()
        space = options.resize(summary.label_space)

        def names_of(labels: Iterable[Label]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(space.name(space.read(label)) for label in labels))

        refuted = [found for found in doubtful if found.pair and _is_refuted(found.pair.label, found.labels, space)]
        refuted.sort(key=_rank)
        result = LabelAudit(
            source=summary,
            **space.stored(),
            read={" or ".join(names_of(sorted(labels))): n for labels, n in counts.most_common()},
            unread=dict(unread.most_common()),
            refuted=tuple(
                RefutedLabel(
                    id=found.pair.id,
                    premise=found.pair.premise,
                    hypothesis=found.pair.hypothesis,
                    gold=space.name(space.read(found.pair.label)),
                    follows=names_of(found.labels),
                    reason=found.reason,
                )
                for found in refuted
                if found.pair
            ),
        )
        if path is not None:
            write_whole(path, _file_of(result.refuted, path.suffix))
    return result


def _read_batch(batch: bytes) -> bytes:
    """Read the pairs of a batch; runs in a worker."""
    found = []
    for pair in msgspec.json.decode(batch, type=list[Pair]):
        labels, reason = derive_labels(pair.premise, pair.hypothesis)
        keeps = bool(labels) and pair.label not in labels
        found.append(_Found(tuple(sorted(labels)), reason, pair if keeps else None))
    return msgspec.json.encode(found)


def _is_refuted(gold: Label, labels: Sequence[Label], space: LabelSpace) -> bool:
    if gold is Label.NON_ENTAILMENT:
        return {*labels} == {Label.ENTAILMENT}
    return space.read(gold) not in {space.read(label) for label in labels}


def _rank(found: _Found) -> tuple[int, int]:
    assert found.pair is not None
    gold = Label.NEUTRAL if found.pair.label is Label.NON_ENTAILMENT else found.pair.label
    rank = next((n for n, pair in enumerate(RANKS) if {gold, *found.labels} == pair), len(RANKS))
    return rank, len(found.pair.premise) + len(found.pair.hypothesis)


def _file_of(refuted: Sequence[RefutedLabel], ending: str) -> bytes:
    if ending == ".jsonl":
        return b"".join(msgspec.json.encode(each) + b"\n" for each in refuted)
    written = io.StringIO(newline="")
    rows = csv.writer(written)
    rows.writerow(RefutedLabel.__struct_fields__)
    for each in refuted:
        rows.writerow(
            " or ".join(value) if isinstance(value, tuple) else value for value in msgspec.structs.astuple(each)
        )
    return written.getvalue().encode()


def label_parts(found: LabelAudit, *, shown: int = SHOWN) -> list[Part]:
    """The refuted labels in a few lines, the worst first."""
    source, read = found.source, sum(found.read.values())
    wrong = len(found.refuted)
    share = f" ({100 * read / source.pairs:.1f}%)" if source.pairs else ""
    of_read = f"; {100 * wrong / read:.1f}% of these have another gold label" if read else ""
    told: list[Part] = [
        f"Labels: {wrong:,} of {source.pairs:,} gold labels are refuted by the texts.",
        f"A label follows for {read:,} pairs of {source.name}{share}{of_read}.",
    ]
    told += [f"note: {note}" for note in source.notes]
    if found.refuted:
        rows = [
            {
                "id": each.id,
                "premise": each.premise,
                "hypothesis": each.hypothesis,
                "gold": each.gold,
                "follows": " or ".join(each.follows),
                "because": each.reason,
            }
            for each in found.refuted[:shown]
        ]
        told += ["", plain_sheet(rows, title="Labels that the texts refute")]
    if wrong > shown:
        told.append(f"... and {wrong - shown:,} more; --out FILE writes all of them.")
    return told
