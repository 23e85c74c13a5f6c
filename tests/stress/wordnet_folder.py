"""Where NLTK finds the WordNet that Assay uses, for comparisons with NLTK."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from warnings import catch_warnings, simplefilter

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from tools.english_sources import SOURCES, WORDNET_DIGESTS

from assay.core.errors import AssayError
from assay.language.resources.installed import wordnet
from assay.storage.files import digest


@contextmanager
def nltk_wordnet() -> Iterator[WordNetCorpusReader]:
    """NLTK's reader of the same edition as Assay's; LookupError if no source has it."""
    for source in SOURCES.values():
        try:
            with source.folders() as folders:
                for folder in folders:
                    found = folder / "corpora" / "wordnet"
                    if _is_same_edition(found) and (found / "lexnames").is_file():
                        yield _reader(folder, found)
                        return
        except (AssayError, OSError):
            continue
    raise LookupError("no source has NLTK's WordNet")


def _is_same_edition(folder: Path) -> bool:
    data = folder / "data.noun"
    return data.is_file() and WORDNET_DIGESTS.get(digest(data)) == wordnet().data.variant


def _reader(root: Path, folder: Path) -> WordNetCorpusReader:
    nltk.data.path.insert(0, str(root))  # NLTK reads from folders that it knows only
    with catch_warnings():
        simplefilter("ignore")  # that there are no other languages
        reader = WordNetCorpusReader(str(folder), None)
    for offsets in reader._lemma_pos_offset_map.values():
        if "s" in offsets:
            offsets["s"] = offsets["a"]  # as in the NLTK of 2018; today's numbers satellites by themselves
    return reader
