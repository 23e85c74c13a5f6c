"""Recognising the pairs of a file: what each is by our grammars, or what differs in it, and what follows from that."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.label import THREE_WAY, Label
from assay.core.label_space import THREE_LABELS, TWO_LABELS, LabelSpace
from assay.core.manifest import Source
from assay.core.pair import Pair, Parses
from assay.core.protocols import Fidelity
from assay.corpora.formats.row_writer import hans_header, hans_line
from assay.corpora.reader import CorpusReader, read
from assay.language.logic.logic_lexicon import standard_logic_lexicon
from assay.reports.tables.sheet import Part, plain_sheet
from assay.run.workers.pool import Stage, Work, pair_batches, part_folder, parts, quiet, worker_pool
from assay.storage.files import file_aside, refuse_existing
from assay.stress.heuristics.counterexample import prove
from assay.stress.heuristics.grammar import load_grammar
from assay.stress.heuristics.recognise import recognise
from assay.stress.logic.from_corpus.projection import read_pair
from assay.stress.logic.proof.prover import Prover
from assay.version import __version__

MOST_REMARKS = 50
"""Number of pairs in the summary; the file of pairs has all."""

TABLES = (".tsv", ".txt")
"""File endings for pairs in the columns of the released file."""


class Recognised(msgspec.Struct, frozen=True, kw_only=True):
    """A pair, and everything that the grammar knows about it."""

    pair: Pair
    heuristic: str | None = None
    subcase: str | None = None
    """The subcase; None if no template makes the pair."""
    template: str | None = None
    """The template's id."""
    expected: Label | None = None
    """The subcase's label."""
    parses: Parses | None = None
    others: tuple[tuple[str, str], ...] = ()
    """Further subcases and templates that make the pair, if it is ambiguous."""
    quirks: tuple[str, ...] = ()
    """Errors of the released code that show up in it."""
    proven: Label | None = None
    """The label that can be proven; None if none can."""
    reason: str = ""
    """The reason why no label can be proven."""
    conventions: tuple[str, ...] = ()
    """The bases of an entailment besides logic."""
    world: tuple[str, ...] | None = None
    """For a non-entailment: facts under which the premise is true and the hypothesis is not."""
    readings: int = 0
    """The number of ways to read the two sentences together."""
    change: str = ""
    """If no template makes it: what differs between its texts, or `fragment` if the logic families' prover reads it."""
    relation: str | None = None
    """The hypothesis compared with the premise at this place: broader, narrower, same or exclusive."""
    polarity: str | None = None
    """The polarity of the place that differs."""

    @property
    def is_like_hans(self) -> bool:
        """True if it is made of the words of the heuristics' grammar."""
        return not self.change and (self.subcase is not None or self.proven is not None)

    def remarks(self) -> Iterator[str]:
        """Disagreements between the file and the analysis, as sentences."""
        if not self.is_like_hans:
            if self.proven is not None and not _labels_agree(self.proven, self.pair.label):
                where = f" ({self.change}: {self.relation}; polarity: {self.polarity})" if self.relation else ""
                yield f"the file says {self.pair.label.value}, but {self.proven.value} follows{where}"
            return
        if self.subcase is None:
            yield "no template makes it"
        for subcase, template in self.others:
            yield f"ambiguous: {self.template} of {self.subcase}, or {template} of {subcase}"
        named = self.pair.group.get("subcase")
        if self.subcase and named and named != self.subcase:
            yield f"the file says {named}, but it is a pair of {self.subcase}"
        label = TWO_LABELS.read(self.pair.label)
        if self.expected and self.expected is not label:
            yield f"the file says {label.value}, but {self.subcase} is {self.expected.value}"
        if self.proven is None:
            yield f"no label can be proven: {self.reason}"
        elif self.proven is not label:
            shown = "" if self.world is None else f", as in a world of {' and '.join(self.world) or 'nothing'}"
            yield f"the file says {label.value}, but {self.proven.value} is proven{shown}"

    def completed(self) -> Pair:
        """The pair with heuristic, subcase, template and trees, if a template makes it."""
        if self.heuristic is None or self.subcase is None or self.template is None:
            return self.pair
        group = {"heuristic": self.heuristic, "subcase": self.subcase, "template": self.template}
        return msgspec.structs.replace(self.pair, group={**self.pair.group, **group}, parses=self.parses)


def _labels_agree(proven: Label, label: Label, space: LabelSpace = THREE_LABELS) -> bool:
    """True if a proven label agrees with that of the file, which may only tell entailment from the rest."""
    space = TWO_LABELS if label is Label.NON_ENTAILMENT else space
    return space.read(proven) is space.read(label)


class SubcaseCounts(msgspec.Struct, kw_only=True):
    """The pairs of one subcase, or of none."""

    pairs: int = 0
    """All of them."""
    proven: int = 0
    """Those whose label in the file is proven."""
    templates: Counter[str] = msgspec.field(default_factory=Counter)
    conventions: Counter[str] = msgspec.field(default_factory=Counter)
    """Proofs that use each convention."""
    quirks: Counter[str] = msgspec.field(default_factory=Counter)
    """Pairs that show each error of the released code."""

    def add(self, found: Recognised) -> None:
        """Count a pair."""
        self.pairs += 1
        self.proven += found.proven is TWO_LABELS.read(found.pair.label)
        self.templates.update([found.template] if found.template else ())
        self.conventions.update(found.conventions)
        self.quirks.update(found.quirks)


class ChangeCounts(msgspec.Struct, kw_only=True):
    """Pairs outside the heuristics' grammar that differ in the same way."""

    pairs: int = 0
    """All of them."""
    equal: int = 0
    """Those whose label in the file is the one that follows."""
    labels: Counter[str] = msgspec.field(default_factory=Counter)
    """The labels that follow."""

    def add(self, found: Recognised, space: LabelSpace) -> None:
        """Count a pair."""
        assert found.proven is not None
        self.pairs += 1
        self.equal += _labels_agree(found.proven, found.pair.label, space)
        self.labels[found.proven.value] += 1


class Remark(msgspec.Struct, frozen=True, kw_only=True):
    """A remark about a pair."""

    id: str
    what: str


class RecognitionStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Recognised pairs of a file, by grammar and natural logic."""

    source: Source
    subcases: dict[str, SubcaseCounts]
    """Pairs by subcase, in the grammar's order; those without a template have an empty name."""
    changes: dict[str, ChangeCounts]
    """Other pairs whose label follows from what differs, most frequent first."""
    unread: dict[str, int]
    """Number of unread pairs by reason."""
    two_way: bool
    """True if the file only tells entailment from the rest."""
    ambiguous: int
    """Pairs that several templates make."""
    remarked: int
    """Number of all remarks."""
    remarks: tuple[Remark, ...]
    """The first of them."""


class RecognitionOptions(NamedTuple):
    """Options of recognition."""

    grammar: str = ""
    """The text of a user's own grammar file."""
    fidelity: Fidelity = "code"
    """Parses with the errors of the released ones (code) or without (strict)."""
    space: LabelSpace = THREE_LABELS
    """Two labels for files in which neutral stands for everything but entailment."""


USUAL = RecognitionOptions()


def study_recognition(
    source: str | Path | CorpusReader,
    options: RecognitionOptions = USUAL,
    *,
    pairs: str | Path | None = None,
    workers: int = 1,
    overwrite: bool = False,
    stage: Stage = quiet,
) -> RecognitionStudy:
    """Recognise every pair of a file, prove its label, and write the results to a file if asked."""
    grammar, fidelity, space = options
    corpus = source if isinstance(source, CorpusReader) else read(source)
    out = Path(pairs) if pairs is not None else None
    if out is not None:
        refuse_existing(out, overwrite=overwrite)
    counts = {name: SubcaseCounts() for name in [each.name for each in load_grammar(grammar).subcases] + [""]}
    changes: defaultdict[str, ChangeCounts] = defaultdict(ChangeCounts)
    unread: Counter[str] = Counter()
    remarks: list[Remark] = []
    ambiguous = remarked = 0
    work = Work(recognise_batch, (grammar, fidelity), key=f"{__version__} recognise {fidelity} {grammar}")
    with worker_pool(workers) as pool, part_folder(out) as folder, _pair_file(out, overwrite=overwrite) as write:
        progress = stage("Recognising pairs", None)
        batches = pair_batches(corpus, pool.batch)
        for data in parts(work, batches, folder=folder, pool=pool):
            every = msgspec.json.decode(data, type=list[Recognised])
            for found in every:
                write(found)
                if found.change:
                    changes[found.change].add(found, space)
                elif found.is_like_hans:
                    counts[found.subcase or ""].add(found)
                else:
                    unread[found.reason] += 1
                ambiguous += bool(found.others)
                odd = [Remark(id=found.pair.id, what=what) for what in found.remarks()]
                remarked += len(odd)
                remarks += odd[: MOST_REMARKS - len(remarks)]
            progress(len(every))
    return RecognitionStudy(
        source=corpus.summary(),
        subcases={name: each for name, each in counts.items() if each.pairs},
        changes=dict(sorted(changes.items(), key=lambda each: -each[1].pairs)),
        unread=dict(unread.most_common()),
        two_way=space.is_binary or Label.NON_ENTAILMENT.value in corpus.summary().labels,
        ambiguous=ambiguous,
        remarked=remarked,
        remarks=tuple(remarks),
    )


def recognise_batch(batch: bytes, grammar: str, fidelity: Fidelity) -> bytes:
    """Recognise the pairs of a batch; runs in a worker."""
    pairs = msgspec.json.decode(batch, type=list[Pair])
    return msgspec.json.encode([recognise_pair(pair, grammar=grammar, fidelity=fidelity) for pair in pairs])


def recognise_pair(pair: Pair, *, grammar: str = "", fidelity: Fidelity = "code") -> Recognised:
    """Everything that is known about a pair: by the heuristics' grammar, the logic families' prover, or what differs.

    >>> pair = Pair(id="1", premise="The judge knew that the actor ran .", hypothesis="The actor ran .",
    ...             label=Label.ENTAILMENT)
    >>> found = recognise_pair(pair)
    >>> found.template, found.proven.value, found.conventions, list(found.remarks())
    ('temp61', 'entailment', ('factive: knew',), [])
    """
    known = load_grammar(grammar)
    found = recognise(pair.premise, pair.hypothesis, fidelity=fidelity, grammar=known)
    proof = prove(pair.premise, pair.hypothesis, lexicon=known.lexicon)
    if found is None and proof.label is None:
        return _recognise_other(pair, proof.reason)
    return Recognised(
        pair=pair,
        heuristic=found and found.heuristic,
        subcase=found and found.subcase,
        template=found and found.template,
        expected=found and found.label,
        parses=found and found.parses,
        others=found.others if found else (),
        quirks=found.quirks if found else proof.quirks,
        proven=proof.label,
        reason=proof.reason,
        conventions=proof.conventions,
        world=proof.world,
        readings=proof.readings,
    )


def _recognise_other(pair: Pair, reason: str) -> Recognised:
    """Recognise a pair outside the heuristics' grammar."""
    shown = _prover()(pair.premise, pair.hypothesis)
    if shown.label is not None:
        return Recognised(pair=pair, proven=shown.label, change="fragment")
    seen = read_pair(pair.premise, pair.hypothesis)
    if seen.label is None:
        return Recognised(pair=pair, reason=seen.reason or reason)
    return Recognised(pair=pair, proven=seen.label, change=seen.change, relation=seen.relation, polarity=seen.polarity)


@cache
def _prover() -> Prover:
    return Prover(standard_logic_lexicon())


@contextmanager
def _pair_file(out: Path | None, *, overwrite: bool) -> Iterator[Callable[[Recognised], None]]:
    """A writer of pairs: as JSON lines, or, depending on the file's ending, in the columns of the released file."""
    if out is None:
        yield lambda _: None
        return
    with file_aside(out, overwrite=overwrite) as put:
        if out.suffix in TABLES:
            put(hans_header(out.suffix).encode())
            yield lambda found: put(hans_line(found.completed(), out.suffix).encode())
        else:
            yield lambda found: put(msgspec.json.encode(found) + b"\n")


LABELS = tuple(label.value for label in THREE_WAY)

MOST_SHOWN_REMARKS = 10
"""Number of remarks that are shown; --json has more, and the file of pairs has all."""


def recognition_parts(found: RecognitionStudy) -> list[Part]:
    """Pairs by subcase or by what differs, and remarks."""
    source = found.source
    read = sum(counts.pairs for name, counts in found.subcases.items() if name)
    read += sum(counts.pairs for counts in found.changes.values())
    share = f" ({100 * read / source.pairs:.1f}%)" if source.pairs else ""
    parts: list[Part] = [f"{source.pairs:,} pairs of {source.name}: {read:,} recognised{share}"]
    parts += [f"note: {note}" for note in source.notes]
    if found.subcases:
        parts += [_subcase_sheet(found.subcases), f"{found.ambiguous:,} pairs match several templates."]
    if found.changes:
        parts += [_change_sheet(found.changes), f"Labels: {'entailment or not' if found.two_way else 'all three'}."]
    if found.unread:
        parts.append(f"{sum(found.unread.values()):,} pairs were not read:")
        parts += [f"  {count:,}: {reason}" for reason, count in found.unread.items()]
    if found.remarks:
        parts.append("Remarks:")
    parts += [f"  {remark.id}: {remark.what}" for remark in found.remarks[:MOST_SHOWN_REMARKS]]
    if (rest := found.remarked - MOST_SHOWN_REMARKS) > 0:
        parts.append(f"  ... and {rest:,} more remarks; --json lists the first of them, --pairs FILE lists all")
    return parts


def _subcase_sheet(subcases: Mapping[str, SubcaseCounts]) -> Part:
    rows = [
        {
            "subcase": name or "(no template)",
            "pairs": f"{counts.pairs:,}",
            "label proven": f"{counts.proven:,}",
            "templates": _list_counts(counts.templates),
            "conventions and quirks": _list_counts(_count_kinds({**counts.conventions, **counts.quirks})),
        }
        for name, counts in subcases.items()
    ]
    return plain_sheet(rows, figures=["pairs", "label proven"])


def _change_sheet(changes: Mapping[str, ChangeCounts]) -> Part:
    total = ChangeCounts(
        pairs=sum(counts.pairs for counts in changes.values()),
        equal=sum(counts.equal for counts in changes.values()),
        labels=sum((counts.labels for counts in changes.values()), Counter()),
    )
    rows = [
        {
            "what differs": name,
            "pairs": f"{counts.pairs:,}",
            **{label: f"{counts.labels[label]:,}" for label in LABELS},
            "as in the file": f"{counts.equal:,}",
            "share": f"{100 * counts.equal / counts.pairs:.1f}%",
        }
        for name, counts in {**changes, "all": total}.items()
    ]
    return plain_sheet(rows, figures=["pairs", *LABELS, "as in the file", "share"])


def _list_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items(), key=lambda each: -each[1]))


def _count_kinds(counts: Mapping[str, int]) -> Counter[str]:
    """Conventions by kind: `factive: knew` and `factive: forgot` are one."""
    kinds: Counter[str] = Counter()
    for name, count in counts.items():
        kinds[name.partition(":")[0]] += count
    return kinds
