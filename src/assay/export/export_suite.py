"""Writing a suite in the usual formats."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from assay.core.case import Case
from assay.core.dataframes import FORMULA, csv_line, guard_formula
from assay.core.errors import UserError, check_known
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS, LabelSpace
from assay.core.manifest import Manifest
from assay.core.pair import Pair
from assay.core.registry import exports
from assay.corpora.formats.row_writer import (
    PARSES,
    comma_separated,
    hans_header,
    hans_line,
    json_line,
    labelled_cases,
    tab_line,
)
from assay.export.lm_eval import TwoWaySuite, own_name, read_template, relabel
from assay.run.build.suite_builder import lines_to_parquet
from assay.storage.files import Kind, file_aside, folder_aside, path_aside, refuse_existing, write_errors, write_whole
from assay.storage.remote import stand_in
from assay.storage.suite import Suite
from assay.stress.heuristics.counterexample import named_quirks
from assay.stress.heuristics.generate import NAME as HEURISTICS
from assay.stress.heuristics.grammar import load_grammar
from assay.stress.heuristics.recognise import complete_pair

GLUE_COLUMNS = ("index", "promptID", "pairID", "genre", *PARSES, "sentence1", "sentence2", "label1", "gold_label")
NO_GOLD = "-"  # value of SNLI and MultiNLI for a missing gold label
TASKS = tuple(name.partition("/")[0] for name in exports.newest())
"""Formats of other tools' tasks, which are entry points."""
LABELLED_ONLY = ("hans", "glue", *TASKS)  # formats that can't say that a pair has no label
UNLABELLED = {
    **dict.fromkeys(LABELLED_ONLY, "this format needs one, so they are left out"),
    **dict.fromkeys(("snli", "mnli"), f"their gold_label is {NO_GOLD!r}, which readers of this format leave out"),
    **dict.fromkeys(("csv", "parquet", "hf"), "their label is left empty"),
}
"""Treatment of cases without a label, by format."""
TABLE = "data/test.parquet"  # the cases in the folder of a data set
CSV_COLUMNS = ("id", "premise", "hypothesis", "label", "family", "variant", "group", "origin")


def export_suite(
    suite: Suite,
    target: str,
    out: Path,
    *,
    overwrite: bool = False,
    escape_formulas: bool = False,
    space: LabelSpace | None = None,
) -> Path:
    """Write the suite to a file, or for `hf` and tasks of other tools to a folder.

    Labels are those of the space, by default the corpus's. Formats that have no labels of their own have the user's
    names.
    With `escape_formulas`, a text in a csv file that a spreadsheet would take for a formula begins with an apostrophe.
    """
    check_known(target, ENDINGS, f"No export format {target!r}")
    if out.absolute() == suite.folder.absolute():
        raise UserError(f"{out} is the suite that is exported.\n  Choose another --out.")
    if escape_formulas and target != "csv":
        raise UserError(
            f"--set escape_formulas=yes needs --to csv, which spreadsheets open; {target} is not opened by them."
        )
    write = exports.get(target) if target in TASKS else TARGETS[target][0]
    if escape_formulas:
        write = _text(partial(_csv_lines, shown=guard_formula))
    write(relabel(suite, space or suite.manifest.label_space), out, overwrite)
    return out


def export_notes(
    suite: Suite, target: str, *, escape_formulas: bool = False, space: LabelSpace | None = None
) -> list[str]:
    """Notes for the user about a suite in a format."""
    suite, notes = relabel(suite, space or suite.manifest.label_space), []
    if isinstance(suite, TwoWaySuite) and suite.changed:
        notes.append(
            f"{suite.changed:,} cases that were built as neutral or contradiction are written as "
            f"{Label.NON_ENTAILMENT}, or with your name for it if the format has no fixed labels. --three-way keeps "
            "them apart."
        )
    if unlabelled := sum(case.label is None for case in suite):
        notes.append(f"{unlabelled:,} cases, such as swapped pairs, have no label: {UNLABELLED[target]}.")
    binary = sum(labels.get(Label.NON_ENTAILMENT, 0) for labels in suite.manifest.counts.values())
    if binary and target in ("snli", "mnli", "glue"):  # their readers expect three labels
        notes.append(
            f"{binary:,} cases are labelled {Label.NON_ENTAILMENT}, which tools that read {target} with three labels "
            "don't know. --to hans has two labels."
        )
    formulas = sum(case.premise.startswith(FORMULA) or case.hypothesis.startswith(FORMULA) for case in suite)
    if formulas and target == "csv":
        told = (
            "now begin with an apostrophe, which stays when the file is read again. To avoid this, export without "
            "--set escape_formulas=yes."
            if escape_formulas
            else "are written unchanged. If people will open the file, --set escape_formulas=yes makes them plain text."
        )
        notes.append(f"{formulas:,} cases have a text that a spreadsheet takes for a formula: they {told}")
    return notes


def _text(write: Callable[[Suite], Iterator[str]]) -> Callable[[Suite, Path, bool], None]:
    def to_file(suite: Suite, out: Path, overwrite: bool) -> None:
        with file_aside(out, overwrite=overwrite) as put:
            for piece in write(suite):
                put(piece.encode())

    return to_file


@_text
def _snli(suite: Suite) -> Iterator[str]:
    for case in suite:
        yield json_line(_snli_fields(case) | {"captionID": case.origin}, name=case.id)


@_text
def _mnli(suite: Suite) -> Iterator[str]:
    for case in suite:
        more = {"promptID": case.origin, "genre": case.group.get("genre", case.family)}
        yield json_line(_snli_fields(case) | more, name=case.id)


def _hans(suite: Suite, out: Path, overwrite: bool) -> None:
    @_text
    def lines(suite: Suite) -> Iterator[str]:
        yield hans_header(out.suffix)
        for case in labelled_cases(suite):
            yield hans_line(_hans_pair(case, suite.manifest), out.suffix)

    lines(suite, out, overwrite)


def _hans_pair(case: Case, manifest: Manifest) -> Pair:
    """A case as the released files have it, with what the grammar knows about its sentences."""
    recipe = case.provenance.recipe
    options = recipe.options if recipe.transform == HEURISTICS else {}
    pair = Pair(
        # If a case is the pair itself, it has the pair's id, such as ex0.
        id=case.origin if [each.transform for each in manifest.recipes] == [HEURISTICS] else case.id,
        premise=case.premise,
        hypothesis=case.hypothesis,
        label=TWO_LABELS.read(case.compared_with),
        group={"heuristic": case.family, "subcase": case.variant, **case.group},
    )
    fidelity: Any = options.get("fidelity", "strict") if recipe.transform == HEURISTICS else "code"
    quirks = named_quirks(str(options.get("quirks", "")))
    grammar = load_grammar(str(options.get("grammar", "")))
    return complete_pair(pair, fidelity=fidelity, quirks=quirks, grammar=grammar) or pair


@_text
def _glue(suite: Suite) -> Iterator[str]:
    yield "\t".join(GLUE_COLUMNS) + "\n"
    for index, case in enumerate(labelled_cases(suite)):
        more = {
            "index": str(index),
            "promptID": case.origin,
            "genre": case.group.get("genre", case.family),
            "label1": case.compared_with.value,
        }
        fields = _snli_fields(case) | more
        yield tab_line((fields.get(column, "") for column in GLUE_COLUMNS), name=case.id)


def _csv_lines(suite: Suite, shown: Callable[[str], str] = str) -> Iterator[str]:
    yield csv_line(CSV_COLUMNS)
    for case in suite:
        fields = msgspec.structs.asdict(case) | {
            "group": json.dumps(case.group, ensure_ascii=False),
            "label": own_name(suite, case.label) if case.label else "",
        }
        yield comma_separated((shown(fields[column]) for column in CSV_COLUMNS), name=case.id)


def _parquet(suite: Suite, out: Path, overwrite: bool) -> None:
    refuse_existing(out, overwrite=overwrite)
    with path_aside(out, over_any=False) as aside:
        lines = aside.with_name(f"{aside.name}.lines")
        try:
            with write_errors(out), lines.open("wb") as file:
                for case in suite:
                    label = own_name(suite, case.label) if case.label else None
                    file.write(msgspec.json.encode(msgspec.structs.asdict(case) | {"label": label}) + b"\n")
            lines_to_parquet(lines, aside)
        finally:
            with suppress(OSError):  # it was never there, or the disk is read-only
                lines.unlink()


def _hf_files(folder: Path) -> tuple[str, ...]:
    Suite.open(folder)
    return "manifest.json", "README.md", TABLE


DATA_SET = Kind("a data set's folder", _hf_files)


def _hf(suite: Suite, out: Path, overwrite: bool) -> None:
    with folder_aside(out, over=DATA_SET if overwrite else None) as aside:
        _parquet(suite, aside / TABLE, True)
        write_whole(aside / "README.md", _card(suite).encode())
        shutil.copyfile(suite.folder / "manifest.json", aside / "manifest.json")


def _card(suite: Suite) -> str:
    """The card of a data set; names that users chose are indented JSON in it, which is shown as it is."""
    manifest = suite.manifest
    counts = {family: Counter[str]() for family in manifest.counts}
    for case in suite:
        counts[case.family][case.label or "none"] += 1
    rows = "\n".join(
        f"| {family} | {labels.total()} | {', '.join(f'{label} {n}' for label, n in sorted(labels.items()))} |"
        for family, labels in counts.items()
    )
    recipes = "\n".join(
        f"    {recipe.transform}{f' with {json.dumps(recipe.options)}' if recipe.options else ''}"
        for recipe in manifest.recipes
    )
    named = {label: own_name(suite, label) for labels in manifest.counts.values() for label in labels}
    names = f"In the table they have these names:\n\n    {json.dumps(named)}\n\n" if manifest.names else ""
    return read_template("data_set_card.txt").format(
        manifest=manifest,
        title=json.dumps(f"Assay suite of {manifest.source.name}"),
        version=manifest.versions["assay"],
        name=json.dumps(manifest.source.name),
        names=names,
        rows=rows,
        recipes=recipes,
        source_digest=manifest.source.digest or "not a file",
    )


TARGETS: dict[str, tuple[Callable[[Suite, Path, bool], None], str]] = {
    "snli": (_snli, ".jsonl"),
    "mnli": (_mnli, ".jsonl"),
    "hans": (_hans, ".txt"),
    "glue": (_glue, ".tsv"),
    "csv": (_text(_csv_lines), ".csv"),
    "parquet": (_parquet, ".parquet"),
    "hf": (_hf, ""),
}
"""Writers and endings of files, by format."""

ENDINGS = {**{name: ending for name, (_, ending) in TARGETS.items()}, **dict.fromkeys(TASKS, "")}


def _snli_fields(case: Case) -> dict[str, Any]:
    label = case.label
    return {
        "gold_label": label or NO_GOLD,
        "sentence1": case.premise,
        "sentence2": case.hypothesis,
        "pairID": case.id,
        "annotator_labels": [label] if label else [],
    }


def export(
    suite: str | Path,
    to: str,
    *,
    out: str | Path,
    overwrite: bool = False,
    escape_formulas: bool = False,
    two_way: bool | None = None,
) -> Path:
    """Write a suite in another format: snli, mnli, hans, glue, csv, parquet, hf, inspect or lm-eval.

    With `escape_formulas`, no text in a csv file can run as a spreadsheet formula. With `two_way`, neutral and
    contradiction are written as one label; by default, they are if the corpus has two labels.
    """
    opened = Suite.open(suite)
    space = opened.manifest.label_space.resize(two_way)
    return export_suite(opened, to, stand_in(out), overwrite=overwrite, escape_formulas=escape_formulas, space=space)
