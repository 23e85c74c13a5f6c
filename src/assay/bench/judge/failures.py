"""Where models fail: the most telling failures of a stored run, for some models and families or all."""

from collections.abc import Sequence

import msgspec

from assay.bench.judge.examples import telling_examples
from assay.bench.judge.named_models import named_models
from assay.bench.stored import Run, open_run, run_folder
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.results.example import Example
from assay.core.run import RunRecord


def find_failures(run: Run, most: int, *, models: Sequence[str] = (), families: Sequence[str] = ()) -> list[Example]:
    """Up to `most` of each family and model; first those that were right before the edit, with the surest answers."""
    record = open_run(run)
    asked = named_models(record, models)
    for family in families:
        _must_be_there(family, record)
    narrow = msgspec.structs.replace(record, models=tuple(each for each in record.models if each.model in asked))
    found = telling_examples(run_folder(record), narrow, a_model=most)
    return [each for each in found if not families or each.case.family in families]


def _must_be_there(family: str, record: RunRecord) -> None:
    known = list(dict.fromkeys(name for suite in record.suites.values() for name in suite.counts))
    if family not in known:
        raise UnknownNameError(
            f"No family {family!r} in {record.id}{did_you_mean(family, known)} There are {', '.join(known)}."
        )
