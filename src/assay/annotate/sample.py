"""Drawing cases for annotators: the key, and a file per person, in its own order, that is written and read back."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy

from assay.annotate.layouts import (
    CLAIM_LABELS,
    AnnotationLayout,
    Answers,
    LayoutName,
    SampledCase,
    SampleOptions,
    SheetStorage,
    instructions,
    read_answer,
)
from assay.core.case import Case
from assay.core.dataframes import csv_line, guard_formula
from assay.core.errors import BadInputError, OutputExistsError, UserError, did_you_mean
from assay.core.label import Label, own_names
from assay.core.label_space import LABELS, THREE_LABELS, LabelOptions, LabelSpace
from assay.core.option_fields import check_options
from assay.core.protocols import Row
from assay.core.rng import rng_for
from assay.core.serialise import decode_lines
from assay.corpora.formats.row_writer import comma_separated, json_line
from assay.corpora.reader import read
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.case_columns import Encoder
from assay.run.measure import named_models, pair_as_case
from assay.run.predict.answer_files import read_rows
from assay.run.stored_run import Run, StoredRun, open_run, run_folder
from assay.storage.files import write_whole
from assay.storage.remote import local
from assay.storage.suite import Suite

KEY = "key.jsonl"
"""The file of the sampled cases, with ids and labels, in the folder of the annotators' files; they must not see it."""

INSTRUCTIONS = "instructions.md"  # the file that annotators read first

ADJUDICATION = "adjudication"
"""The name of the file of decisions about cases on which annotators disagree; no annotator can have it."""

RESERVED = (Path(KEY).stem, Path(INSTRUCTIONS).stem, ADJUDICATION)  # names that no annotator can have
LONGEST_NAME = 60  # largest number of characters the name of an annotator may have


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    cases: int
    strata: dict[str, int]
    written: tuple[str, ...]  # files that are new
    kept: tuple[str, ...]  # annotators' files that already existed and were left alone


def draw_sample(
    cases: Iterable[Case],
    folder: Path,
    *,
    space: LabelSpace = THREE_LABELS,
    answers: Mapping[str, Label] | None = None,
    options: SampleOptions | None = None,
    **given: Any,
) -> Sampled:
    """Draw cases as evenly as possible over the strata, and write one file per annotator, each in its own order.

    The fields of `SampleOptions` are given as keywords, or as one object. An existing annotator's file is never
    touched: with the same sample, only the missing files are written. Cases without a label, such as swapped pairs,
    are not drawn.
    If the space or a family has two labels, annotators' labels are read as two. They may use the user's own names of
    labels. If a model's errors are to be sorted, `answers` holds what it said, by case id.
    """
    wanted = check_options(msgspec.structs.replace(options or SampleOptions(), **given))
    annotators, size, seed, layout = wanted.annotators, wanted.size, wanted.seed, wanted.layout
    own = wanted.own_question() if layout == "own" else msgspec.UNSET
    check_names(annotators)
    if layout == "errors" and answers is None:
        raise UserError("The layout errors needs the answers of a model: pass `answers`, or name a run.")
    if layout == "claims":
        space = LabelSpace(names=space.names or CLAIM_LABELS).resize(True)
    labelled = (case for case in cases if case.label is not None)  # there is nothing to compare the answers with
    strata = _strata(labelled, wanted.by, size, seed)
    chosen = [case for stratum in strata.values() for case in stratum]
    binary = {case.family for case in chosen if space.is_binary or case.label is Label.NON_ENTAILMENT}
    drawn = [
        SampledCase(
            key=opaque(case.id, seed),
            id=case.id,
            premise=case.premise,
            hypothesis=case.hypothesis,
            label=case.compared_with,
            group=_group(case),
            layout=layout,
            **space.resize(case.family in binary).stored(),
            answer=(answers or {}).get(case.id),
            own=own,
        )
        for case in chosen
    ]
    lines = b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in drawn)
    sample = folder / KEY
    if sample.exists() and sample.read_bytes() != lines:
        raise OutputExistsError(
            f"{folder} already holds another sample, and perhaps answers to it.\n"
            "  Choose another folder, or use the same source, options and seed to add to this sample."
        )
    kept = tuple(path.name for name in annotators for path in files_of(folder, name))
    told = instructions(drawn[0].asked, drawn).encode()
    new = {name: data for name, data in ((KEY, lines), (INSTRUCTIONS, told)) if not (folder / name).exists()}
    new |= {
        f"{name}.{wanted.storage}": sheet(own_order(drawn, name, seed), wanted.storage)
        for name in annotators
        if not files_of(folder, name)
    }
    for file, content in new.items():
        write_whole(folder / file, content)
    return Sampled(
        cases=len(drawn), strata={key: len(each) for key, each in strata.items()}, written=tuple(new), kept=kept
    )


def read_sample(folder: Path) -> dict[str, SampledCase]:
    """The drawn cases of a folder, by their names in annotators' files."""
    path = folder / KEY
    if not path.is_file():
        raise BadInputError(
            f"not a sample: there is no {KEY}", where=str(folder), hint="`assay annotate sample` draws one."
        )
    return {each.key: each for each in decode_lines(path.read_bytes().splitlines(), SampledCase, path, "a drawn case")}


def opaque(case: str, seed: int) -> str:
    """The name of a case in annotators' files: its id would reveal family and label.

    >>> opaque("negation/v1:7", 0), opaque("negation/v1:7", 1)
    ('cf63f4fc41cad', 'cde932ac0d1c9')
    """
    # It starts with a letter, so that no spreadsheet takes it for a number.
    return f"c{hashlib.sha256(f'{seed} {case}'.encode()).hexdigest()[:12]}"


def _group(case: Case) -> dict[str, str]:
    return {"family": case.family, **({"variant": case.variant} if case.variant else {}), **case.group}


def _strata(cases: Iterable[Case], by: Sequence[str], size: int, seed: int) -> dict[str, list[Case]]:
    """Cases by stratum in random order, as many of each as fill the sample evenly."""
    found: dict[str, list[tuple[float, Case]]] = {}
    known: dict[str, None] = {}
    for case in cases:
        slices = {**_group(case), "label": case.compared_with.value}
        known.update(dict.fromkeys(slices))
        chance = rng_for(seed, transform="annotate", pair=case.id).random()
        stratum = found.setdefault(", ".join(slices.get(name, "-") for name in by), [])
        stratum.append((chance, case))
        if len(stratum) >= 4 * size + 64:  # no stratum needs to give more than the sample
            stratum[:] = nlargest(size, stratum, key=_chance)
    for name in by:
        if known and name not in known:
            raise UserError(f"No case has a {name!r}{did_you_mean(name, known)} Choose from {', '.join(known)}.")
    if not found:
        raise UserError("There are no cases to draw from.")
    shares = _even({key: len(stratum) for key, stratum in found.items()}, size)
    return {
        key: [case for _, case in nlargest(shares[key], stratum, key=_chance)] for key, stratum in sorted(found.items())
    }


def _chance(each: tuple[float, Case]) -> tuple[float, str]:
    return each[0], each[1].id


def _even(there: dict[str, int], size: int) -> dict[str, int]:
    """Number of cases to draw from each stratum: the same number, or all if a stratum has fewer.

    >>> _even({"a": 10, "b": 2, "c": 10}, 11)
    {'b': 2, 'a': 5, 'c': 4}
    """
    shares: dict[str, int] = {}
    for left, (key, n) in zip(range(len(there), 0, -1), sorted(there.items(), key=lambda each: each[1]), strict=True):
        wanted = -(-(size - sum(shares.values())) // left)
        shares[key] = min(n, wanted)
    return shares


def files_of(folder: Path, name: str) -> list[Path]:
    """The files of an annotator in a sample's folder."""
    return [path for ending in ("csv", "tsv", "jsonl") if (path := folder / f"{name}.{ending}").exists()]


def check_names(annotators: Sequence[str]) -> None:
    """Stop at a name that can't be the name of a file, or that somebody else has."""
    for name in annotators:
        if (
            not name
            or name.casefold() in RESERVED
            or Path(name).name != name
            or name.startswith(".")
            or not name.isprintable()
            or len(name) > LONGEST_NAME
        ):
            taken = ", ".join(RESERVED)
            raise UserError(f"{name[:LONGEST_NAME]!r} can't be an annotator: it names a file, and {taken} are taken.")
        if annotators.count(name) > 1:
            raise UserError(f"The annotator {name!r} is given twice.")
        if same := [other for other in annotators if other != name and other.casefold() == name.casefold()]:
            raise UserError(f"The annotators {name!r} and {same[0]!r} would share a file on systems that ignore case.")


class Drawable(NamedTuple):
    """Sources that cases can be drawn from."""

    cases: Iterable[Case]
    space: LabelSpace  # their labels, and the user's names for them
    answers: dict[str, Label] | None = None  # a model's wrong answers, if its errors are sorted


def wrong_answers(run: Run, model: str | None = None) -> Drawable:
    """The cases that a model of a run got wrong; if there are several models, one must be named.

    With several suites, an id begins with its suite's name.
    """
    record = open_run(run)
    chosen = named_models(record, [model] if model else [])
    if len(chosen) > 1:
        raise UserError(f"The run has several models: {', '.join(chosen)}.\n  Choose one with --model.")
    own = tuple(each for each in record.models if each.model in chosen)
    stored = StoredRun.of(run_folder(record), msgspec.structs.replace(record, models=own))
    cases: list[Case] = []
    answers: dict[str, Label] = {}
    for suite in record.suites:
        encoder = Encoder(record.label_space)
        for each in stored.joined(suite, encoder):
            said = encoder.read(each.answers.label[0])
            for row in numpy.flatnonzero(each.cases.claims & ~RIGHT[said, each.cases.label]).tolist():
                case = msgspec.json.decode(each.lines[row], type=Case)
                name = f"{suite}/{case.id}" if len(record.suites) > 1 else case.id
                cases.append(msgspec.structs.replace(case, id=name))
                answers[name] = LABELS[said[row]]
    if not cases:
        raise UserError(f"{chosen[0]} got nothing wrong in {record.id}: there are no errors to sort.")
    return Drawable(cases, record.label_space, answers)


BY_CORPUS = LabelOptions()


def drawn_from(
    source: str | Path,
    layout: LayoutName,
    *,
    model: str | None = None,
    labels: LabelOptions = BY_CORPUS,
    reading: Mapping[str, Any] | None = None,
) -> Drawable:
    """The cases of a suite's folder or a corpus, or what a model of a run got wrong if its errors are to be sorted."""
    folder = local(source)
    if layout == "errors":
        if (folder / "manifest.json").is_file() or not folder.is_dir():
            raise UserError(
                f"{source} is not a run: --layout errors draws from what a model got wrong in a run.\n"
                "  Make a run with `assay run`, and name its folder."
            )
        return wrong_answers(folder, model)
    if (folder / "manifest.json").is_file():
        manifest = (suite := Suite.open(folder)).manifest
        return Drawable(suite, labels.resize(manifest.source.label_space))
    options = reading or {}
    space = LabelSpace.of([], names=own_names(options.get("labels") or {}))
    return Drawable(map(pair_as_case, read(source, **options)), labels.resize(space))


INSTEAD = "Draw with --storage jsonl instead."  # hint about a text that a spreadsheet can't hold


def own_order(drawn: Iterable[SampledCase], name: str, seed: int) -> list[SampledCase]:
    return sorted(drawn, key=lambda each: rng_for(seed, transform=f"annotate {name}", pair=each.id).random())


def sheet(ordered: Sequence[SampledCase], storage: SheetStorage, said: Mapping[str, Answers] | None = None) -> bytes:
    """An annotator's file, with labels only if a model's errors are to be sorted; `said` holds the answers so far."""
    layout = ordered[0].asked
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
    layout = next(iter(drawn.values())).asked
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
