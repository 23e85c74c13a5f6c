"""Where models fail: the most telling failures of a stored run, for some models and families or all."""

from collections.abc import Sequence
from itertools import zip_longest

import msgspec

from assay.bench.judge.examples import telling_examples
from assay.bench.judge.named_models import named_models
from assay.bench.stored import Run, open_run, run_folder
from assay.core.errors import UnknownNameError, did_you_mean
from assay.core.results.example import Example
from assay.core.run import RunRecord


def find_failures(run: Run, most: int, *, models: Sequence[str] = (), families: Sequence[str] = ()) -> list[Example]:
    """The `most` telling failures, spread over families and models.

    First come those that were right before the edit, with the surest answers.
    """
    record = open_run(run)
    asked = named_models(record, models)
    for family in families:
        _must_be_there(family, record)
    narrow = msgspec.structs.replace(record, models=tuple(each for each in record.models if each.model in asked))
    found = telling_examples(run_folder(record), narrow, a_model=most)
    wanted = [each for each in found if not families or each.case.family in families]
    return _spread(wanted, most, [each.model for each in narrow.models])


def _spread(found: Sequence[Example], most: int, models: Sequence[str]) -> list[Example]:
    """As many as asked for: one family after the other, and within a family one model after the other."""
    by_family: dict[str, list[Example]] = {}
    for each in found:
        by_family.setdefault(each.case.family, []).append(each)
    turns = {
        family: _in_turns([[each for each in own if model in each.failing] for model in models])
        for family, own in by_family.items()
    }
    chosen = {id(each) for each in _in_turns([*turns.values()])[:most]}
    return [each for each in found if id(each) in chosen]


def _in_turns(rows: Sequence[Sequence[Example]]) -> list[Example]:
    """The first of each row, then the second of each; each example once."""
    ordered = (each for turn in zip_longest(*rows) for each in turn if each is not None)
    return list({id(each): each for each in ordered}.values())


def _must_be_there(family: str, record: RunRecord) -> None:
    known = list(dict.fromkeys(name for suite in record.suites.values() for name in suite.counts))
    if family not in known:
        raise UnknownNameError(
            f"No family {family!r} in {record.id}{did_you_mean(family, known)} There are {', '.join(known)}."
        )
