"""The tables of docs/studies/NAME.md, from the records of `assay study run` in the folder docs/studies/NAME."""

from collections.abc import Iterator
from pathlib import Path

from assay.studies.analyses.analysis_text import parts_text
from assay.studies.plan.joint_records import open_studies
from assay.studies.plan.study_tables import study_parts

STUDIES = Path(__file__).parents[2] / "docs" / "studies"
MARK = "tables of the study"
"""What a page says where its tables belong."""


def pages() -> Iterator[Path]:
    """The pages that show the record of a study."""
    return (page for page in sorted(STUDIES.glob("*.md")) if f"<!-- {MARK} -->" in page.read_text(encoding="utf-8"))


def tables(page: Path) -> str:
    """The tables of a page, and how to read them."""
    return parts_text(study_parts(open_studies(sorted(page.with_suffix("").glob("*.json"))), brief=True), [], "md")
