"""The readers by name, as exported systems say which one they need."""

from assay.models.systems.reading.parsed import ParsedReader
from assay.models.systems.reading.related import RelatedReader
from assay.models.systems.reading.spelled import SpelledReader
from assay.models.systems.reading.words import ReaderName, WordReader

KINDS = (WordReader, SpelledReader, RelatedReader, ParsedReader)
READERS: dict[ReaderName, type[WordReader]] = {kind.name: kind for kind in KINDS}
