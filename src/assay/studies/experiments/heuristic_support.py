"""Support for each heuristic in a training corpus (McCoy et al. 2019, section 2)."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from assay.core.label import Label
from assay.core.manifest import Source
from assay.core.option_fields import takes_options
from assay.core.pair import Pair
from assay.corpora.reader import CorpusReader, read
from assay.language.fragment.syntactic_heuristics import DEFINITIONS, HEURISTICS
from assay.reports.published.published_results import paper, table
from assay.reports.tables.sheet import Part, plain_sheet
from assay.run.workers.pool import Stage, Work, pair_batches, part_folder, parts, quiet, worker_pool
from assay.storage.files import file_aside, refuse_existing
from assay.studies.plans import SupportOptions
from assay.version import __version__

Side = Literal["support", "contradict"]
SIDES: tuple[Side, Side] = ("support", "contradict")

TABLES = (".tsv", ".txt")  # file endings for pairs in the form of the released list: premise, hypothesis, label


class SupportingPair(msgspec.Struct, frozen=True, kw_only=True):
    """A pair for which a heuristic predicts entailment."""

    id: str
    premise: str
    hypothesis: str
    label: Label
    side: Side  # `support` if the label is what the heuristics predict
    holds: dict[str, tuple[str, ...]]  # the heuristics that hold, by definition


class HeuristicShare(msgspec.Struct, frozen=True, kw_only=True):
    """The pairs for which one heuristic predicts entailment."""

    support: int
    contradict: int
    labels: dict[str, int]


class Support(msgspec.Struct, frozen=True, kw_only=True):
    source: Source
    parsed: int
    """Pairs whose premise has a binary tree; constituents are only looked for in these."""
    counts: dict[str, dict[str, HeuristicShare | None]]
    """Counts by definition and heuristic; None if nothing could be counted."""


@takes_options(SupportOptions, "source")
def study_support(options: SupportOptions, *, stage: Stage = quiet) -> Support:
    """Count the pairs that support and contradict each heuristic, and write them to a file on request.

    With a file, finished parts are stored next to it, and the same command continues after an interruption.

    >>> found = study_support(read("bundled", limit=300))
    >>> found.parsed, found.counts["tokens"]["constituent"]
    (0, None)
    """
    source: str | Path | CorpusReader = options.source
    corpus = source if isinstance(source, CorpusReader) else read(source, **options.given_reading())
    counted: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in DEFINITIONS}
    parsed = 0
    out = Path(options.out) if options.out is not None else None
    if out is not None:
        refuse_existing(out, overwrite=options.overwrite)
    work = Work(find_in_batch, (), key=f"{__version__} support")
    with worker_pool(options.workers) as pool, part_folder(out) as folder, _pair_file(out, options) as write:
        progress = stage("Looking for the heuristics", None)
        batches = pair_batches(corpus, pool.batch)
        for data in parts(work, batches, folder=folder, pool=pool):
            pairs, with_tree, supporting = msgspec.json.decode(data, type=tuple[int, int, list[SupportingPair]])
            parsed += with_tree
            for found in supporting:
                write(found)
                for definition, names in found.holds.items():
                    counted[definition].update((name, found.label.value) for name in names)
            progress(pairs)
    return Support(
        source=corpus.summary(),
        parsed=parsed,
        counts={
            definition: {
                name: _count_share(name, labels) if name != "constituent" or parsed else None for name in HEURISTICS
            }
            for definition, labels in counted.items()
        },
    )


def find_in_batch(batch: bytes) -> bytes:
    """The numbers of pairs and of parsed premises, and the pairs with a heuristic; runs in a worker."""
    pairs = msgspec.json.decode(batch, type=list[Pair])
    found = [each for pair in pairs if (each := heuristics_in(pair))]
    parsed = sum(bool(pair.parses and pair.parses.premise_binary) for pair in pairs)
    return msgspec.json.encode((len(pairs), parsed, found))


def heuristics_in(pair: Pair) -> SupportingPair | None:
    """The heuristics that apply to a pair; None if there are none.

    >>> found = heuristics_in(Pair(id="1", premise="He overate .", hypothesis="He over .", label=Label.NEUTRAL))
    >>> found.side, found.holds
    ('contradict', {'released': ('subsequence',)})
    """
    tree = pair.parses.premise_binary if pair.parses else None
    holds: dict[str, tuple[str, ...]] = {
        definition: names
        for definition, test in DEFINITIONS.items()
        if (names := tuple(name for name, held in test(pair.premise, pair.hypothesis, tree)._asdict().items() if held))
    }
    if not holds:
        return None
    return SupportingPair(
        id=pair.id,
        premise=pair.premise,
        hypothesis=pair.hypothesis,
        label=pair.label,
        side="support" if pair.label is Label.ENTAILMENT else "contradict",
        holds=holds,
    )


def _count_share(heuristic: str, counted: Counter[tuple[str, str]]) -> HeuristicShare:
    labels = {label: count for (name, label), count in sorted(counted.items()) if name == heuristic}
    support = labels.get(Label.ENTAILMENT, 0)
    return HeuristicShare(support=support, contradict=sum(labels.values()) - support, labels=labels)


@contextmanager
def _pair_file(out: Path | None, options: SupportOptions) -> Iterator[Callable[[SupportingPair], None]]:
    """A writer of wanted pairs: as JSON lines, or, depending on the file's ending, like the released list."""
    if out is None:
        yield lambda _: None
        return

    def write(found: SupportingPair) -> None:
        held = {
            name
            for definition, names in found.holds.items()
            if options.definition in (None, definition)
            for name in names
        }
        wanted = held if options.heuristic is None else held & {options.heuristic}
        if not wanted or options.side not in (None, found.side):
            return
        row = (found.premise, found.hypothesis, found.label.value)
        is_table = out.suffix in TABLES
        put("\t".join(" ".join(text.split()) for text in row).encode() if is_table else msgspec.json.encode(found))
        put(b"\n")

    with file_aside(out, overwrite=options.overwrite) as put:
        yield write


def published_support() -> dict[str, Any]:
    """The paper's own counts.

    >>> published_support()["counts"]["subsequence"]
    {'support': 1274, 'contradict': 72}
    """
    source, counts = paper("mccoy2019"), table("mccoy2019", "section 2")
    return {
        "paper": f"{source.authors} ({source.year}), {source.title}",
        "table": counts.number,
        "corpus": "MultiNLI, all 392,702 training pairs",
        "definition": "released",
        "counts": {row.name.replace(" ", "_"): dict(zip(SIDES, row.values, strict=True)) for row in counts.rows},
    }


def support_parts(found: Support) -> list[Part]:
    source, theirs = found.source, published_support()
    rows = []
    for heuristic, published in theirs["counts"].items():
        shares = {name: counts[heuristic] for name, counts in found.counts.items()}
        rows.append(
            {
                "": heuristic.replace("_", " "),
                **{
                    name: f"{share.support:,} / {share.contradict:,}" if share else "not counted"
                    for name, share in shares.items()
                },
                "published": f"{published['support']:,} / {published['contradict']:,}",
            }
        )
    notes = [
        f"{source.pairs:,} pairs of {source.name}; {found.parsed:,} of them have a parse tree of the premise.",
        *(f"note: {note}" for note in source.notes),
        "Pairs that support / contradict a heuristic, by definition:",
    ]
    after = [
        f"Published: {theirs['corpus']} ({theirs['paper']}, {theirs['table']}). "
        "Counts differ for another corpus, or a part of this one."
    ]
    if not found.parsed:
        after.insert(0, "Constituents were not counted: no pair has a binary parse tree of its premise.")
    elif found.parsed < source.pairs:
        after.insert(0, "Constituents were counted only in pairs with a parse tree.")
    return [*notes, plain_sheet(rows, figures=[*found.counts, "published"]), *after]
