"""Chosen cases, to take away: as lines of JSON, as a table, or as a suite that models can be asked about."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from assay.bench.browse.choice import Chosen
from assay.bench.build.left_out import without
from assay.bench.build.suite import SUITE
from assay.core.errors import UserError
from assay.core.files import refuse_folder
from assay.core.suite import Suite
from assay.core.tables import csv_line, guarded

NOT_CHOSEN = "not among the chosen cases"
"""Why a suite of chosen cases lacks the others; its manifest counts them."""


def as_json_lines(chosen: Chosen) -> Iterator[bytes]:
    """Each case as it is stored, with its suite and every model's answer."""
    encode = msgspec.json.Encoder(order="deterministic").encode
    for row in chosen.index.rows(chosen.ordered().tolist()):
        yield encode({"suite": row.suite, "case": row.case, "answers": row.answers}) + b"\n"


def as_csv(chosen: Chosen, *, escape_formulas: bool = False) -> Iterator[bytes]:
    """A line for each case; with `escape_formulas`, a text that a spreadsheet would take for a formula is guarded."""
    models = chosen.index.described.models
    groups = [name.removeprefix("group.") for name in chosen.index.groups]
    heads = ["suite", "id", "family", "variant", "label", "premise", "hypothesis", *groups]
    yield csv_line([*heads, *(f"{model} {what}" for model in models for what in ("answer", "probability"))]).encode()
    shown = guarded if escape_formulas else str
    for row in chosen.index.rows(chosen.ordered().tolist()):
        case = row.case
        known = [row.suite, case.id, case.family, case.variant, case.label or "", case.premise, case.hypothesis]
        cells = [*known, *(case.group.get(name, "") for name in groups)]
        for model in models:
            answer = row.answers[model]
            sure = (answer.probabilities or {}).get(answer.label)
            cells += [answer.label.value, "" if sure is None else f"{sure:g}"]
        yield csv_line([shown(str(each)) for each in cells]).encode()


def as_suites(chosen: Chosen, out: Path) -> list[Suite]:
    """A suite for each suite of the run that has chosen cases, in the folder `out`; nothing is replaced."""
    numbers = chosen.index.codes("suite", chosen.ordered())
    names = chosen.index.described.values["suite"]
    there = [name for code, name in enumerate(names) if (numbers == code).any()]
    if not there:
        raise UserError("No case is chosen, so there is nothing to keep.\n  Remove a filter first.")
    ids: dict[str, set[str]] = {name: set() for name in there}
    for row in chosen.index.rows(sorted(chosen.ordered().tolist())):
        ids[row.suite].add(row.case.id)
    places = {name: out if len(there) == 1 else out.with_name(f"{out.name}-{name}") for name in there}
    for place in places.values():
        refuse_folder(place, over=None)
    return [_kept(chosen.index.suite(name), ids[name], place) for name, place in places.items()]


def _kept(suite: Suite, ids: set[str], place: Path) -> Suite:
    place.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir()
    for name in SUITE.files(suite.folder):
        if (suite.folder / name).is_file():
            shutil.copyfile(suite.folder / name, place / name)
    gone = {case.id: NOT_CHOSEN for case in suite if case.id not in ids}
    return without(Suite(place, suite.manifest), gone) if gone else Suite.open(place)
