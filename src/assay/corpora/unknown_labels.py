"""All unknown labels of a file, so that the user can say what they mean in one go."""

from collections import Counter
from collections.abc import Callable, Iterable

from assay.core.errors import BadRecordError, UnknownLabelError
from assay.core.label import written_option
from assay.core.protocols import Row
from assay.corpora.files.table import Fault

SHOWN = 12
"""How many labels are listed: a column with more of them is hardly one of labels."""


def with_all_unknown(
    first: UnknownLabelError, rest: Iterable[Row | Fault], meaning: Callable[[Row], object]
) -> BadRecordError:
    """The error for the first unknown label of a file, with those of the rows that follow."""
    found = Counter([first.label.strip()])
    for row in rest:
        if isinstance(row, Row):
            try:
                meaning(row)
            except UnknownLabelError as error:
                found[error.label.strip()] += 1
            except BadRecordError:
                continue
    if len(found) == 1:
        return first
    listed = ", ".join(f"{label[:60]!r} ({count:,})" for label, count in found.most_common(SHOWN))
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    option = written_option(first.option, dict.fromkeys(found, "LABEL"))
    return BadRecordError(
        first.reason,
        detail=f"{first.label[:60]!r}, the first of {len(found):,}: {listed}{more}",
        hint="If this is the wrong column, name the right one: --columns label=COLUMN."
        if more
        else f"Say what they mean: {option}, where LABEL is {first.possible}.",
    )
