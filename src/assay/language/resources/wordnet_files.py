"""From Princeton's database files to `WordNetData`."""

import re
from collections.abc import Iterator
from pathlib import Path

from assay.core.errors import BadInputError
from assay.language.resources.wordnet import ADJECTIVE, ADVERB, NOUN, SATELLITE, VERB, Pointer, Synset, WordNetData

NAMES = {NOUN: "noun", VERB: "verb", ADJECTIVE: "adj", ADVERB: "adv"}
FILES = tuple(f"{kind}.{name}" for name in NAMES.values() for kind in ("data", "index")) + tuple(
    f"{name}.exc" for name in NAMES.values()
)

_QUOTED = re.compile(r'"[^"]*"')


def read_wordnet(folder: Path, *, variant: str) -> WordNetData:
    """Read the database files of a folder."""
    try:
        index = {pos: dict(_index(folder / f"index.{name}")) for pos, name in NAMES.items()}
        numbers, synsets = _synsets(folder, index)
        exceptions = {pos: dict(_exceptions(folder / f"{name}.exc")) for pos, name in NAMES.items()}
    except (OSError, ValueError, IndexError, KeyError) as error:
        raise BadInputError(f"not WordNet's database files: {error!r}", where=str(folder)) from error
    merged: dict[str, dict[str, list[int]]] = {}
    for pos, lemmas in index.items():
        for lemma, offsets in lemmas.items():
            merged.setdefault(lemma, {})[pos] = [numbers[pos, offset] for offset in offsets]
    return WordNetData(synsets=synsets, index=merged, exceptions=exceptions, variant=variant)


def _index(path: Path) -> Iterator[tuple[str, list[int]]]:
    """Lemma and offsets: the line ends in as many offsets as its third column says."""
    for fields in _lines(path):
        yield fields[0], [int(offset) for offset in fields[len(fields) - int(fields[2]) :]]


def _exceptions(path: Path) -> Iterator[tuple[str, list[str]]]:
    for fields in _lines(path):
        yield fields[0], fields[1:]


def _synsets(folder: Path, index: dict[str, dict[str, list[int]]]) -> tuple[dict[tuple[str, int], int], list[Synset]]:
    numbers: dict[tuple[str, int], int] = {}
    raw: list[tuple[list[str], str]] = []
    for pos, name in NAMES.items():
        for line in _text(folder / f"data.{name}"):
            fields, _, gloss = line.partition(" | ")
            split = fields.split()
            numbers[pos, int(split[0])] = len(raw)
            raw.append((split, gloss))
    return numbers, [_synset(fields, gloss, numbers, index) for fields, gloss in raw]


def _synset(
    fields: list[str], gloss: str, numbers: dict[tuple[str, int], int], index: dict[str, dict[str, list[int]]]
) -> Synset:
    pos = fields[2]
    filed = ADJECTIVE if pos == SATELLITE else pos
    count = int(fields[3], 16)
    # An adjective may carry its syntactic position in brackets: "galore(ip)".
    words = tuple(word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2])
    start = 5 + 2 * count
    pointers = tuple(
        Pointer(
            symbol=symbol,
            target=numbers[ADJECTIVE if target_pos == SATELLITE else target_pos, int(offset)],
            source_word=int(ends[:2], 16),
            target_word=int(ends[2:], 16),
        )
        for symbol, offset, target_pos, ends in zip(
            *(fields[start + i : start + 4 * int(fields[start - 1]) : 4] for i in range(4)), strict=True
        )
    )
    lemma = words[0].lower()
    sense = index[filed][lemma].index(int(fields[0])) + 1
    definition = _QUOTED.sub("", gloss).strip().strip("; ")
    return Synset(
        name=f"{lemma}.{pos}.{sense:02d}",
        pos=pos,
        words=words,
        pointers=pointers,
        definition=definition,
        file=int(fields[1]),
    )


def _lines(path: Path) -> Iterator[list[str]]:
    return (line.split() for line in _text(path))


def _text(path: Path) -> Iterator[str]:
    """The lines below the licence, which is indented."""
    with path.open(encoding="utf-8") as file:
        yield from (line for line in file if not line.startswith("  "))
