"""The columns of the released HANS files, as text and as JSON lines."""

from assay.bench.export.rows import json_line, tabbed
from assay.core.pair import Pair, Parses

PARSES = ("sentence1_binary_parse", "sentence2_binary_parse", "sentence1_parse", "sentence2_parse")
HANS_COLUMNS = ("gold_label", *PARSES, "sentence1", "sentence2", "pairID", "heuristic", "subcase", "template")

_NO_PARSES = Parses()


def hans_header(ending: str) -> str:
    """What comes before the first row."""
    return "" if ending == ".jsonl" else "\t".join(HANS_COLUMNS) + "\n"


def hans_line(pair: Pair, ending: str) -> str:
    r"""A pair as a row of a `.jsonl` file, or else of a tab-separated table.

    >>> from assay.core.label import Label
    >>> pair = Pair(id="ex0", premise="The judge ran .", hypothesis="The actor ran .", label=Label.NEUTRAL)
    >>> hans_line(pair, ".txt")
    'non-entailment\t\t\t\t\tThe judge ran .\tThe actor ran .\tex0\t\t\t\n'
    """
    trees = pair.parses or _NO_PARSES
    values = (
        pair.label.two_way.value,
        *(trees.premise_binary, trees.hypothesis_binary, trees.premise, trees.hypothesis),
        *(pair.premise, pair.hypothesis, pair.id),
        *(pair.group.get(column) for column in HANS_COLUMNS[-3:]),
    )
    row = {column: value or "" for column, value in zip(HANS_COLUMNS, values, strict=True)}
    return json_line(row, name=pair.id) if ending == ".jsonl" else tabbed(row.values(), name=pair.id)
