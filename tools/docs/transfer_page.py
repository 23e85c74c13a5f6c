"""The table of docs/studies/transfer.md, from the record of `assay study transfer --json` beside it."""

import json
from pathlib import Path

from assay.reports.tables.studies.transfer import transfer_parts
from assay.reports.write.analyses import parts_text

STUDIES = Path(__file__).parents[2] / "docs" / "studies"


def table() -> str:
    """The table and how to read it."""
    found = json.loads((STUDIES / "transfer.json").read_text(encoding="utf-8"))
    return parts_text(transfer_parts(found), [], "md")
