"""Annotators' files: texts and questions in each person's own order, written and read back."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from assay.annotate.layouts import LAYOUTS, AnnotationLayout, Answers, SampledCase, SheetStorage, read_answer
from assay.core.dataframes import csv_line, guard_formula
from assay.core.errors import BadInputError
from assay.core.protocols import Row
from assay.core.rng import rng_for
from assay.corpora.formats.row_writer import comma_separated, json_line
from assay.run.predict.answer_files import read_rows

INSTEAD = "Draw with --storage jsonl instead."  # hint about a text that a spreadsheet can't hold


def own_order(drawn: Iterable[SampledCase], name: str, seed: int) -> list[SampledCase]:
    return sorted(drawn, key=lambda each: rng_for(seed, transform=f"annotate {name}", pair=each.id).random())


def sheet(ordered: Sequence[SampledCase], storage: SheetStorage, said: Mapping[str, Answers] | None = None) -> bytes:
    """An annotator's file, with labels only if a model's errors are to be sorted; `said` holds the answers so far."""
    layout = LAYOUTS[ordered[0].layout]
    given = said or {}
    rows = {
        each.id: (*_shown(each, layout), *(given.get(each.key, {}).get(one.column, "") for one in layout.questions))
        for each in ordered
    }
    if storage == "jsonl":
        fields = {case: dict(zip(layout.columns, row, strict=True)) for case, row in rows.items()}
        return "".join(json_line(each, name=case) for case, each in fields.items()).encode()
    lines = (comma_separated(map(guard_formula, row), name=case, instead=INSTEAD) for case, row in rows.items())
    return "".join([csv_line(layout.columns), *lines]).encode()


def read_sheet(path: Path, drawn: Mapping[str, SampledCase], *, encoding: str = "utf-8") -> dict[str, dict[str, str]]:
    """The answers in an annotator's file, word for word, by the case's key and in the order of the file.

    Answers are checked as in a merge, but may be incomplete.
    """
    layout = LAYOUTS[next(iter(drawn.values())).layout]
    is_guarded = path.suffix != ".jsonl"

    def meant(row: Row) -> tuple[str, dict[str, str]]:
        read_answer(row.fields, drawn, layout, may_be_open=True)
        said = {each.column: str(value) for each in layout.questions if (value := row.fields[each.column]) is not None}
        return str(row.fields["id"]), {
            column: _unguarded(text) if is_guarded else text for column, text in said.items() if text
        }

    found: dict[str, dict[str, str]] = {}
    for where, (key, said) in read_rows(str(path), meant, encoding=encoding):
        if key in found:
            raise BadInputError(f"{key!r} is there twice", where=where, hint="Keep one of the two lines.")
        found[key] = said
    return found


def labels_shown(each: SampledCase, layout: AnnotationLayout) -> tuple[str, ...]:
    """The right label and the wrong answer, if annotators see them."""
    if not layout.shows_labels:
        return ()
    return tuple(map(each.label_space.name, (each.label, each.answer or "")))


def _shown(each: SampledCase, layout: AnnotationLayout) -> tuple[str, ...]:
    """The fields of a case that annotators see."""
    return (each.key, each.premise, each.hypothesis, *labels_shown(each, layout))


def _unguarded(text: str) -> str:
    """A text without the apostrophe that keeps spreadsheets from calculating with it."""
    return text[1:] if guard_formula(text[1:]) == text else text
