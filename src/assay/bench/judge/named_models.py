"""The models of a run, by the names that people use."""

from collections.abc import Sequence

from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.run import RunRecord
from assay.evaluate.band import seeded, spellings


def named_models(record: RunRecord, names: Sequence[str]) -> list[str]:
    """The run's models with these names, or all if there are none; a system's name means all its seeds."""
    there = [each.model for each in record.models]
    chosen: dict[str, None] = {}
    for name in names:
        exact = [each for each in there if name in spellings(each)]
        found = exact or [each for each in there if name in spellings(seeded(each).system)]
        if not found:
            known = sorted({spelling for each in there for spelling in spellings(each)})
            raise UnknownNameError(
                f"No model {name!r} in {record.id}{did_you_mean(name, known)} There are {', '.join(there)}."
            )
        chosen |= dict.fromkeys(found)
    return list(chosen) if names else there
