"""Which column of a table holds what, under the names that people use."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from assay.core.errors import BadRecordError
from assay.core.flags import Question, question_in
from assay.core.label import THREE_WAY

USUAL: Mapping[str, tuple[str, ...]] = {
    "premise": ("premise", "sentence1", "sentence_A"),
    "hypothesis": ("hypothesis", "sentence2", "sentence_B"),
    "label": ("gold_label", "label", "gold", "entailment_judgment"),
    "id": ("id", "uid", "pairID", "pair_ID", "idx", "index", "guid"),
}
"""Names that mean a field wherever they occur; the first one that is there wins."""

CLAIMS = ("claim", "answer", "statement")
"""Names of a hypothesis in data sets of claims, which number their labels in several orders."""

LOOSE: Mapping[str, tuple[str, ...]] = {
    "premise": ("prem", "context", "evidence", "text", "document", "passage"),
    "hypothesis": ("hyp", *CLAIMS),
    "label": ("labels", "verdict", "gold_label_*"),
    "id": (),
}
"""Names that often mean a field: a single match is taken and noted; several are refused."""


class Found(NamedTuple):
    """The column of a field."""

    column: str
    """Its name in the table; empty if there is none."""
    told: str = ""
    """What the user should know about the choice; empty if it is plain."""


@lru_cache(maxsize=256)
def usual_column(columns: tuple[str, ...], field: str) -> Found:
    """The column of a field, whatever its case; two that are equally likely are refused.

    >>> usual_column(("Premise", "hyp", "label"), "premise").column
    'Premise'
    >>> usual_column(("evidence", "claim", "label"), "premise")
    Found(column='evidence', told='premise=evidence')
    """
    named = named_columns(columns, USUAL[field])
    if named:
        if len({column.lower() for column in named}) < len(named) and named[0] not in USUAL[field]:
            raise _ambiguous(field, named)
        return Found(named[0])
    likely = named_columns(columns, LOOSE[field])
    if field == "label" and len(named_columns(columns, [label.value for label in THREE_WAY])) < 2:  # else probabilities
        likely += [column for column in columns if question_in(column).supports is not None]
    if len(likely) > 1:
        raise _ambiguous(field, likely)
    return Found(likely[0], f"{field}={likely[0]}") if likely else Found("")


def question_of(column: str) -> Question | None:
    """What a column of labels asks; None if it is named as a label, so that yes is as good as supported.

    >>> question_of("Gold_Label"), question_of("unsupported")
    (None, Question(column='unsupported', supports=False))
    """
    return None if named_columns([column], (*USUAL["label"], *LOOSE["label"])) else question_in(column)


def named_columns(columns: Iterable[str], names: Sequence[str]) -> list[str]:
    """The columns that have one of these names, in the order of the names; the exact spelling comes first.

    A name that ends in * stands for all that begin so.
    """
    columns = list(columns)
    found: list[str] = []
    for name in names:
        folded = name.lower()
        if name.endswith("*"):
            fits = [column for column in columns if column.lower().startswith(folded[:-1])]
        else:
            fits = [column for column in columns if column.lower().strip() == folded]
        found += sorted((column for column in fits if column not in found), key=lambda column: column != name)
    return found


def _ambiguous(field: str, columns: list[str]) -> BadRecordError:
    options = " or ".join(f"--columns {field}={column}" for column in columns)
    return BadRecordError(
        f"{len(columns)} columns could be the {field}",
        detail=", ".join(map(repr, columns)),
        hint=f"Choose one: {options}.",
    )
