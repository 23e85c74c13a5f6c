"""Drawing cases for annotators: one file per person, and the sample that their answers are compared with."""

from collections.abc import Iterable, Sequence
from heapq import nlargest
from pathlib import Path
from typing import Literal

import msgspec

from assay.bench.annotation.questions import COLUMNS, QUESTIONS, Drawn
from assay.bench.export.rows import comma_separated, json_line
from assay.core.case import Case
from assay.core.chance import rng_for
from assay.core.errors import BadInputError, OutputExistsError, UserError, did_you_mean
from assay.core.files import write_whole
from assay.core.tables import csv_line, guarded

SAMPLE = "sample.jsonl"
"""The file of what was drawn, in the folder of the annotators' files; annotators must not see it."""

Layout = Literal["csv", "jsonl"]

INSTEAD = "Draw with --layout jsonl instead."
"""What to do about a text that a spreadsheet can't hold."""


class Sampled(msgspec.Struct, frozen=True, kw_only=True):
    """What was drawn, and for whom."""

    cases: int
    """Drawn cases."""
    strata: dict[str, int]
    """Drawn cases by stratum."""
    written: tuple[str, ...]
    """Files that are new."""
    kept: tuple[str, ...]
    """Annotators' files that already existed and were left alone."""


def draw_sample(
    cases: Iterable[Case],
    folder: Path,
    *,
    annotators: Sequence[str],
    size: int,
    by: Sequence[str] = ("family", "label"),
    seed: int = 0,
    layout: Layout = "csv",
) -> Sampled:
    """Draw cases as evenly as possible over the strata, and write one file per annotator, each in its own order.

    An existing annotator's file is never touched: with the same sample, only the missing files are written.
    """
    _check_names(annotators)
    strata = _strata(cases, by, size, seed)
    drawn = [each for stratum in strata.values() for each in stratum]
    lines = b"".join(msgspec.json.encode(each, order="deterministic") + b"\n" for each in drawn)
    sample = folder / SAMPLE
    if sample.exists() and sample.read_bytes() != lines:
        raise OutputExistsError(
            f"{folder} already holds another sample, and perhaps answers to it.\n"
            "  Choose another folder, or use the same source, options and seed to add to this sample."
        )
    kept = tuple(path.name for name in annotators for path in _files(folder, name))
    new = {} if sample.exists() else {SAMPLE: lines}
    new |= {f"{name}.{layout}": _sheet(drawn, layout, name, seed) for name in annotators if not _files(folder, name)}
    for file, content in new.items():
        write_whole(folder / file, content)
    return Sampled(
        cases=len(drawn), strata={key: len(each) for key, each in strata.items()}, written=tuple(new), kept=kept
    )


def read_sample(folder: Path) -> dict[str, Drawn]:
    """The drawn cases of a folder, by id."""
    path = folder / SAMPLE
    if not path.is_file():
        raise BadInputError(
            f"not a sample: there is no {SAMPLE}", where=str(folder), hint="`assay annotate sample` draws one."
        )
    decode = msgspec.json.Decoder(Drawn).decode
    found: dict[str, Drawn] = {}
    for number, line in enumerate(path.read_bytes().splitlines(), 1):
        try:
            each = decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadInputError(f"not a drawn case: {error}", where=f"{path}:{number}") from error
        found[each.id] = each
    return found


def _strata(cases: Iterable[Case], by: Sequence[str], size: int, seed: int) -> dict[str, list[Drawn]]:
    """Cases by stratum in random order, as many of each as fill the sample evenly."""
    found: dict[str, list[tuple[float, Drawn]]] = {}
    known: dict[str, None] = {}
    for case in cases:
        group = {"family": case.family, **({"variant": case.variant} if case.variant else {}), **case.group}
        slices = {**group, "label": case.label.value}
        known.update(dict.fromkeys(slices))
        chance = rng_for(seed, transform="annotate", pair=case.id).random()
        drawn = Drawn(id=case.id, premise=case.premise, hypothesis=case.hypothesis, label=case.label, group=group)
        stratum = found.setdefault(", ".join(slices.get(name, "-") for name in by), [])
        stratum.append((chance, drawn))
        if len(stratum) >= 4 * size + 64:  # no stratum needs to give more than the sample
            stratum[:] = nlargest(size, stratum, key=_chance)
    for name in by:
        if known and name not in known:
            raise UserError(f"No case has a {name!r}{did_you_mean(name, known)} There are {', '.join(known)}.")
    if not found:
        raise UserError("There are no cases to draw from.")
    shares = _even({key: len(stratum) for key, stratum in found.items()}, size)
    return {
        key: [drawn for _, drawn in nlargest(shares[key], stratum, key=_chance)]
        for key, stratum in sorted(found.items())
    }


def _chance(each: tuple[float, Drawn]) -> tuple[float, str]:
    return each[0], each[1].id


def _even(there: dict[str, int], size: int) -> dict[str, int]:
    """How many to draw from each stratum: the same number, or all if a stratum has fewer.

    >>> _even({"a": 10, "b": 2, "c": 10}, 11)
    {'b': 2, 'a': 5, 'c': 4}
    """
    shares: dict[str, int] = {}
    for left, (key, n) in zip(range(len(there), 0, -1), sorted(there.items(), key=lambda each: each[1]), strict=True):
        wanted = -(-(size - sum(shares.values())) // left)
        shares[key] = min(n, wanted)
    return shares


def _sheet(drawn: Sequence[Drawn], layout: Layout, name: str, seed: int) -> bytes:
    """An annotator's file: texts and open questions, no label."""
    order = sorted(drawn, key=lambda each: rng_for(seed, transform=f"annotate {name}", pair=each.id).random())
    texts = [(each.id, each.premise, each.hypothesis) for each in order]
    open_questions = ("",) * len(QUESTIONS)
    if layout == "jsonl":
        rows = (dict(zip(COLUMNS, (*text, *open_questions), strict=True)) for text in texts)
        return "".join(json_line(row, name=row["id"]) for row in rows).encode()
    lines = (comma_separated((*map(guarded, text), *open_questions), name=text[0], instead=INSTEAD) for text in texts)
    return "".join([csv_line(COLUMNS), *lines]).encode()


def _files(folder: Path, name: str) -> list[Path]:
    return [path for ending in ("csv", "tsv", "jsonl") if (path := folder / f"{name}.{ending}").exists()]


def _check_names(annotators: Sequence[str]) -> None:
    for name in annotators:
        if not name or name == Path(SAMPLE).stem or Path(name).name != name or name.startswith("."):
            raise UserError(f"{name!r} can't be an annotator: their file gets this name, and {SAMPLE} is taken.")
        if annotators.count(name) > 1:
            raise UserError(f"The annotator {name!r} is given twice.")
        if same := [other for other in annotators if other != name and other.casefold() == name.casefold()]:
            raise UserError(f"The annotators {name!r} and {same[0]!r} would share a file on systems that ignore case.")
