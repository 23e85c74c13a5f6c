"""The table of docs/studies/transfer.md, from the record of `assay study transfer --json` beside it."""

import json
from pathlib import Path

from assay.studies.analyses.analysis_text import parts_text
from assay.studies.transfer.transfer_study import transfer_parts

STUDIES = Path(__file__).parents[2] / "docs" / "studies"


def table() -> str:
    """The table and how to read it."""
    found = json.loads((STUDIES / "transfer.json").read_text(encoding="utf-8"))
    return parts_text(transfer_parts(found), [], "md")
