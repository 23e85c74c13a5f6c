"""Data maps: how each training pair was learned, on disk, as a table and a chart, and to choose training pairs by."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UserError, check_known
from assay.core.label import Label
from assay.core.serialise import decode_lines
from assay.evaluate.case_columns import Bools, Floats
from assay.reports.charts.vegalite import COLOURS, Spec, chart_of
from assay.reports.tables.sheet import Part, plain_sheet
from assay.storage.files import write_whole

if TYPE_CHECKING:
    from assay.training.training_corpus import PairSource

Region = Literal["easy", "ambiguous", "hard"]


class DataMap(NamedTuple):
    """Training dynamics of each pair, (pairs,) each."""

    confidence: Floats  # the mean probability of the gold label, over the epochs that had the pair; NaN if none had it
    variability: Floats  # the standard deviation of that probability
    correctness: Floats  # the fraction of epochs in which the answer was right
    is_forgotten: Bools  # the answer was right and became wrong later, or was never right


def data_map(shares: Floats, hits: NDArray[numpy.int8]) -> DataMap:
    """From arrays (pairs, epochs): probabilities of the gold label, and answers: 1 right, 0 wrong, -1 not run.

    >>> found = data_map(numpy.array([[0.9, 0.5], [0.2, 0.4]]), numpy.array([[1, 0], [0, 1]], dtype=numpy.int8))
    >>> found.confidence.round(6).tolist(), found.variability.round(6).tolist()
    ([0.7, 0.3], [0.2, 0.1])
    >>> found.correctness.tolist(), found.is_forgotten.tolist()
    ([0.5, 0.5], [True, False])
    """
    asked = hits >= 0
    times = asked.sum(1)
    with numpy.errstate(invalid="ignore"):
        confidence = numpy.where(asked, shares, 0.0).sum(1) / times
        apart = numpy.where(asked, shares - confidence[:, None], 0.0)
        variability = numpy.sqrt((apart**2).sum(1) / times)
        correctness = (hits == 1).sum(1) / times
    was_right = numpy.zeros(len(hits), dtype=bool)
    lost = numpy.zeros(len(hits), dtype=bool)
    for now in hits.T:
        lost |= was_right & (now == 0)
        was_right = numpy.where(now >= 0, now == 1, was_right)
    never = (times > 0) & ~(hits == 1).any(1)
    return DataMap(confidence, variability, correctness, lost | never)


def choose_region(found: DataMap, region: Region, share: float) -> Bools:
    """(pairs,): the most ambiguous, hardest or easiest share of the pairs; pairs that no epoch had are left out.

    >>> some = numpy.array([0.9, 0.5, 0.1]), numpy.array([0.1, 0.4, 0.2])
    >>> found = DataMap(*some, correctness=some[0], is_forgotten=some[0] < 0)
    >>> [choose_region(found, region, 0.34).tolist() for region in ("easy", "ambiguous", "hard")]
    [[True, False, False], [False, True, False], [False, False, True]]
    """
    rank = {"easy": -found.confidence, "ambiguous": -found.variability, "hard": found.confidence}[region]
    order = numpy.argsort(rank, kind="stable")  # what is not a number comes last
    known = int((~numpy.isnan(rank)).sum())
    chosen = numpy.zeros(len(rank), dtype=bool)
    chosen[order[: min(known, round(share * len(rank)))]] = True
    return chosen


DATA_MAP = "data-map.jsonl"  # the file in a trained system's folder

REGIONS: tuple[Region, ...] = get_args(Region)


class Mapped(msgspec.Struct, frozen=True, kw_only=True):
    id: str  # the number of its source and its id, as `--set corpus_out` writes them
    label: Label
    confidence: float | None
    variability: float | None
    correctness: float | None
    forgotten: bool


def write_map(found: DataMap, parts: "Sequence[PairSource]", folder: Path) -> None:
    encode = msgspec.json.encode
    lines = (
        encode(
            Mapped(
                id=name,
                label=label,
                confidence=_round(found.confidence[row]),
                variability=_round(found.variability[row]),
                correctness=_round(found.correctness[row]),
                forgotten=bool(found.is_forgotten[row]),
            )
        )
        for row, (name, label) in enumerate(_name_pairs(parts))
    )
    write_whole(folder / DATA_MAP, b"".join(line + b"\n" for line in lines))


def read_map(folder: Path) -> list[Mapped]:
    path = folder / DATA_MAP
    if not path.is_file():
        raise BadInputError(
            f"no data map: there is no {DATA_MAP}",
            where=str(folder),
            hint="Train with --set data_map=yes to store one, and name that folder.",
        )
    return list(decode_lines(path.read_bytes().splitlines(), Mapped, path, "a line of a data map"))


def keep_from(text: str) -> tuple[Region, float]:
    """Read `ambiguous:0.33`: a part of the training pairs.

    >>> keep_from("hard:0.2")
    ('hard', 0.2)
    """
    region, _, share = text.partition(":")
    try:
        wanted = float(share)
    except ValueError:
        wanted = 0.0
    for known in REGIONS:
        if known == region and 0 < wanted <= 1:
            return known, wanted
    check_known(region, REGIONS, f"--set keep={text}: no part {region!r}")
    raise UserError(f"--set keep={text}: a fraction must be above 0 and at most 1, as in --set keep=ambiguous:0.33.")


def refuse_no_map(keep: str | None, repeat: int, folder: str | None, *, seeds: Sequence[int]) -> None:
    """Stop before any work if a part can't be chosen."""
    if keep:
        keep_from(keep)
    if folder is None:
        if keep or repeat:
            option = "--set keep" if keep else "--set repeat_forgotten"
            raise UserError(
                f"{option} needs the folder of a system trained with --set data_map=yes: --set map_from=DIR."
            )
        return
    if not keep and not repeat:
        raise UserError(
            "--set map_from needs --set keep=ambiguous:0.33 or --set repeat_forgotten=1, which choose from the map."
        )
    for seed in seeds:
        read_map(seed_folder(folder, seed))


def seed_folder(folder: str, seed: int) -> Path:
    """The folder of a system's seed: its own, if the system was trained with the same seeds."""
    own = Path(folder) / f"seed-{seed}"
    return own if own.is_dir() else Path(folder)


def choose_pairs(parts: "Sequence[PairSource]", folder: Path, *, keep: str | None, repeat: int) -> "list[PairSource]":
    """The pairs that a map chooses, and those that it calls forgotten with so many more passes in each epoch."""
    by_id = {row.id: row for row in read_map(folder)}
    names = [name for name, _ in _name_pairs(parts)]
    if missing := [name for name in names if name not in by_id]:
        raise BadInputError(
            f"the map lacks {len(missing):,} of {len(names):,} training pairs, such as {missing[0]!r}",
            where=str(folder / DATA_MAP),
            hint="Use the same --from, --sample, --augment and --seed as the training that made the map.",
        )
    rows = [by_id[name] for name in names]
    confidence, variability, correctness = (
        numpy.array([getattr(row, name) for row in rows], dtype=numpy.float64)  # None becomes not a number
        for name in ("confidence", "variability", "correctness")
    )
    is_forgotten = numpy.array([row.forgotten for row in rows], dtype=bool)
    found = DataMap(confidence, variability, correctness, is_forgotten)
    wanted = choose_region(found, *keep_from(keep)) if keep else numpy.ones(len(rows), dtype=bool)
    made, start = [], 0
    for part in parts:
        end = start + len(part.pairs)
        own = list(zip(part.pairs, wanted[start:end], found.is_forgotten[start:end], strict=True))
        made.append(
            part._replace(
                pairs=[pair for pair, is_kept, _ in own if is_kept],
                passes={pair.id: 1 + repeat for pair, is_kept, forgotten in own if is_kept and forgotten and repeat},
            )
        )
        start = end
    return made


def _name_pairs(parts: "Sequence[PairSource]") -> Iterator[tuple[str, Label]]:
    """Ids that no two sources share, with labels."""
    for number, part in enumerate(parts, 1):
        for pair in part.pairs:
            yield f"{number}/{pair.id}", pair.label


def _round(value: float) -> float | None:
    return None if numpy.isnan(value) else round(float(value), 6)


MOST_POINTS = 4_000  # pairs that are drawn; of more, every second, third and so on

ALL = "all"


class Learned(msgspec.Struct, frozen=True, kw_only=True):
    """Means over the pairs of one label."""

    pairs: int
    confidence: float
    variability: float
    correctness: float
    forgotten: int  # pairs that were right and became wrong later, or were never right


class MapStudy(msgspec.Struct, frozen=True, kw_only=True):
    folder: str
    labels: dict[str, Learned]  # numbers by label and in total
    points: list[Mapped]


def study_map(folder: Path) -> MapStudy:
    rows = [row for row in read_map(folder) if row.confidence is not None]
    if not rows:
        raise BadInputError("the data map is empty: no epoch was trained", where=str(folder))
    by_label: dict[str, list[Mapped]] = {ALL: rows}
    for row in rows:
        by_label.setdefault(row.label.value, []).append(row)
    return MapStudy(
        folder=folder.name,
        labels={
            name: Learned(
                pairs=len(some),
                confidence=fmean(row.confidence or 0.0 for row in some),
                variability=fmean(row.variability or 0.0 for row in some),
                correctness=fmean(row.correctness or 0.0 for row in some),
                forgotten=sum(row.forgotten for row in some),
            )
            for name, some in by_label.items()
        },
        points=rows[:: -(-len(rows) // MOST_POINTS)],
    )


def map_parts(found: MapStudy) -> list[Part]:
    rows = [
        {
            "label": name,
            "pairs": f"{each.pairs:,}",
            "confidence": f"{each.confidence:.3f}",
            "variability": f"{each.variability:.3f}",
            "correctness": f"{100 * each.correctness:.1f}%",
            "forgotten": f"{each.forgotten:,}",
        }
        for name, each in found.labels.items()
    ]
    return [
        f"How {found.folder} learned its training pairs",
        plain_sheet(rows, figures=["pairs", "confidence", "variability", "correctness", "forgotten"]),
        "Confidence: mean probability of the right answer, over the epochs. Variability: its standard deviation.",
        "Correctness: share of epochs with the right answer. Forgotten: right and wrong later, or never right.",
    ]


SIDE = 480


def map_chart(found: MapStudy) -> Spec:
    rows = [
        {name: getattr(point, name) for name in ("id", "label", "confidence", "variability", "correctness")}
        for point in found.points
    ]
    share = {"type": "quantitative", "scale": {"domain": [0, 1]}}
    encoding = {
        "x": {"field": "variability", "type": "quantitative", "title": "variability: ambiguous pairs are on the right"},
        "y": {"field": "confidence", **share, "title": "confidence: easy pairs are on top, hard ones below"},
        "color": {
            "field": "correctness",
            **share,
            "scale": {"domain": [0, 1], "range": [COLOURS[1], "#c9c4b8", COLOURS[0]]},
            "legend": {"title": "correctness", "orient": "right", "format": ".0%", "columns": 1},
        },
    }
    mark = {"type": "point", "size": 14, "filled": True, "opacity": 0.6}
    return chart_of(rows, step=SIDE, places=1) | {"height": SIDE, "mark": mark, "encoding": encoding}
