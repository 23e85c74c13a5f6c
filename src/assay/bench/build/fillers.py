"""Filler for the families that put sentences of other texts around a pair: gathered from the corpus before a build."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assay.bench.build.recipes import EVERYTHING, switches_of
from assay.core import registry
from assay.core.errors import UserError
from assay.core.pair import Pair
from assay.corpora.reading import STANDARD_INPUT, CorpusReader
from assay.stress.filler import gathered, store

FILLER = "filler"
"""The switch that names stored sentences."""


def needs_filler(families: Sequence[str]) -> list[str]:
    """The families that need filler.

    >>> needs_filler(["negation", "burial:claim", "all"])
    ['burial']
    """
    named = [each.partition(":")[0] for each in families if each != EVERYTHING]
    return [each for each in named if FILLER in switches_of(registry.transforms.resolve(each))]


def with_filler(
    families: Sequence[str], corpus: Iterable[Pair], switches: Mapping[str, str] | None
) -> Mapping[str, str] | None:
    """The switches, with the name of the corpus's sentences for each family that needs some."""
    needy = needs_filler(families)
    keys = {f"{each.partition('/')[0]}.{FILLER}" for each in needy} - {*(switches or {})}
    if not keys:
        return switches
    if isinstance(corpus, CorpusReader):
        if corpus.reading.source == STANDARD_INPUT:
            raise UserError(f"{needy[0]} reads the corpus twice, so it can't come from standard input: give a file.")
        # A sample of pairs may take filler from all of the corpus; and the given reader counts what it reads.
        corpus = CorpusReader(msgspec.structs.replace(corpus.reading, sample=msgspec.UNSET, limit=None))
    name = store(gathered(text for pair in corpus for text in (pair.premise, pair.hypothesis)))
    return {**(switches or {}), **dict.fromkeys(keys, name)}
