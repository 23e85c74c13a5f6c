"""A biased model of the user's own: a file of probabilities by pair."""

from collections.abc import Sequence

import numpy

from assay.bench.ask.answer_files import EXAMPLES, IDS, column_of, probabilities_of, read_rows
from assay.core.errors import BadInputError, BadRecordError
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row
from assay.train.debias.crossfit import Shares

FORM = '{"id": "7", "probabilities": {"entailment": 0.7, "neutral": 0.2, "contradiction": 0.1}}'


def bias_from_file(path: str, pairs: Sequence[Pair], labels: tuple[Label, ...]) -> Shares:
    """(pairs, labels): the probabilities of a file, which must have each pair once."""
    _refuse_same_ids(pairs)
    reader = LabelReader(needed=True)
    places: dict[str, str] = {}
    rows: dict[str, list[float]] = {}
    for where, (name, shares) in read_rows(path, lambda row: _read(row, labels, reader)):
        if name in rows:
            raise BadInputError(
                f"the pair {name!r} is given again; the first time was {places[name]}",
                where=where,
                hint="Keep one line per pair.",
            )
        places[name], rows[name] = where, shares
    if missing := [pair.id for pair in pairs if pair.id not in rows]:
        raise BadInputError(
            f"no probabilities for {len(missing):,} of {len(pairs):,} training pairs, "
            f"such as {', '.join(map(repr, missing[:EXAMPLES]))}",
            where=path,
            hint=f"Add a line for each, by the id of the pair: {FORM}",
        )
    return numpy.array([rows[pair.id] for pair in pairs]).reshape(len(pairs), len(labels))


def _read(row: Row, labels: tuple[Label, ...], reader: LabelReader) -> tuple[str, list[float]]:
    """The pair of a row, and its probabilities in the order of the labels."""
    name = str(column_of(row.fields, IDS, "id"))
    shares = probabilities_of(row.fields, reader)
    if shares is None:
        raise BadRecordError(f"no probabilities for {name!r}", hint=f"A line looks like this: {FORM}")
    if Label.NON_ENTAILMENT in labels:
        merged: dict[Label, float] = {}
        for label, share in shares.items():
            merged[label.two_way] = merged.get(label.two_way, 0.0) + share
        shares = merged
    if set(shares) != set(labels):
        raise BadRecordError(
            f"{len(shares)} probabilities for {name!r}, of {', '.join(shares)}",
            hint=f"This training needs {len(labels)}, of {', '.join(labels)}.",
        )
    whole = sum(shares.values())
    return name, [shares[label] / whole for label in labels]


def _refuse_same_ids(pairs: Sequence[Pair]) -> None:
    seen: set[str] = set()
    for pair in pairs:
        if pair.id in seen:
            raise BadInputError(
                f"two training pairs have the id {pair.id!r}, so a file of probabilities can't tell them apart",
                hint="Write the pairs with --corpus-out DIR, which gives each its own id, and train on that file.",
            )
        seen.add(pair.id)
