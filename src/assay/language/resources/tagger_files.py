"""From NLTK's trained tagger, as JSON or as a pickle, to `TaggerData`."""

import io
import json
import pickle  # only for the restricted reader below
from pathlib import Path
from typing import Any

from assay.core.errors import BadInputError
from assay.language.resources.tags import TaggerData

PICKLE = "averaged_perceptron_tagger.pickle"
JSON = {part: f"averaged_perceptron_tagger_eng.{part}.json" for part in ("weights", "tagdict", "classes")}


class PlainData(pickle.Unpickler):
    """Reads a pickle of plain data: every class except the built-in set is refused, so that nothing can run."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in (("builtins", "set"), ("__builtin__", "set")):
            return set
        raise pickle.UnpicklingError(f"it asks for {module}.{name}")


def read_pickle(path: Path, *, variant: str) -> TaggerData:
    """Convert the tagger that NLTK distributed until 2024; check its digest first."""
    try:
        weights, certain, classes = PlainData(io.BytesIO(path.read_bytes())).load()
    except (OSError, pickle.UnpicklingError, ValueError, TypeError, EOFError) as error:
        raise BadInputError(f"not NLTK's tagger: {error}", where=str(path)) from error
    return TaggerData(classes=sorted(classes), certain=certain, weights=weights, variant=variant)


def read_json(folder: Path, *, variant: str) -> TaggerData:
    """Read the tagger as NLTK has distributed it since 2024."""
    try:
        parts = {part: json.loads((folder / name).read_bytes()) for part, name in JSON.items()}
    except (OSError, ValueError) as error:
        raise BadInputError(f"not NLTK's tagger: {error}", where=str(folder)) from error
    return TaggerData(
        classes=sorted(parts["classes"]), certain=parts["tagdict"], weights=parts["weights"], variant=variant
    )
