"""WordNet and the tagger as they come with Assay, compressed. Their licences are next to them."""

from hashlib import sha256
from pathlib import Path

from assay.core.errors import ExternalError

DIGESTS = {
    "wordnet": "32956f16a58cb3c03c0b4c5a2e98be6f0da3ef5a516240dfeb68c4d93bd95080",
    "tagger": "aacdde036647bb18c339ae0a80ea3b9befa7d88898dce2a926ea57a1608da6c7",
}
"""SHA-256 of each resource, uncompressed; `tools/ship_english.py` prints them."""


def shipped_path(name: str) -> Path:
    """The file of a resource in the package."""
    return Path(__file__).parent / f"{name}.msgpack.zst"


def load_shipped(name: str) -> bytes:
    """A resource, uncompressed and checked."""
    import zstandard

    path = shipped_path(name)
    try:
        data = zstandard.ZstdDecompressor().decompress(path.read_bytes())
    except (OSError, zstandard.ZstdError) as error:
        raise _damage_error(path, str(error)) from error
    if sha256(data).hexdigest() != DIGESTS[name]:
        raise _damage_error(path, "its SHA-256 differs")
    return data


def _damage_error(path: Path, why: str) -> ExternalError:
    return ExternalError(
        f"{path}: this file of Assay is damaged or missing: {why}.\n"
        "  Install Assay again, in its clone: pip install --force-reinstall ."
    )
