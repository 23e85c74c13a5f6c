"""A study as a document: a page, Markdown, LaTeX, or its record with the published figures."""

from typing import Any, Literal

import msgspec

from assay.core.files import to_json
from assay.core.study.record import StudyRecord
from assay.evaluate.study.effects import effects
from assay.reports.published.studies import matched
from assay.reports.tables.studies.study import study_parts
from assay.reports.write import markdown
from assay.reports.write.analyses import parts_text

To = Literal["html", "md", "latex", "json"]


def study_text(record: StudyRecord, to: To) -> str:
    """The study as a document."""
    if to == "json":
        return to_json(with_published_figures(record)).decode()
    if to == "html":
        from assay.reports.write.page.study import study_page

        return study_page(record)
    title = f"# {markdown.escaped(record.plan.title)}\n\n" if to == "md" else ""
    return title + parts_text(study_parts(record), (), to)


def with_published_figures(record: StudyRecord) -> dict[str, Any]:
    """The record as plain data; each table has the published figures next to ours, and the effects."""
    data: dict[str, Any] = msgspec.to_builtins(record)
    for table, own in zip(data["tables"], record.tables, strict=True):
        pairs = [] if record.stands_in else matched(own)
        table["published"] = [
            {
                "system": each.ours.system,
                "regime": each.ours.regime,
                "slice": each.ours.slice,
                "ours": each.ours.band.mean,
                "published": each.theirs,
                "where": each.cell,
                "doubt": each.doubt,
            }
            for each in pairs
        ]
        table["effects"] = [
            {
                "system": each.test.system,
                "regime": each.test.regime,
                "slice": each.test.slice,
                "published": each.theirs,
                "ours": each.test.difference,
                "outcome": each.outcome,
            }
            for each in effects(pairs, own.tests)
        ]
    return data
