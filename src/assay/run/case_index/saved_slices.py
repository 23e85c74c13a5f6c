"""Named slices: saved filters of cases, in one file next to the runs."""

import re
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy

from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.estimate import Estimate
from assay.core.serialise import from_json, to_json
from assay.evaluate.case_columns import CLAIMED
from assay.evaluate.slice_sums import ShareTally, estimate_of, label_slice, make_cells, slice_of, with_labels
from assay.run.case_index.case_filter import CaseFilter, FilteredCases
from assay.run.case_index.case_index import CaseIndex
from assay.run.case_index.index_builder import build_index
from assay.run.stored_run import Run, open_run, run_folder
from assay.storage.files import write_whole

FILE = "slices.json"  # the file of saved slices, in a folder of runs
NAME = re.compile(r"[\w][\w .,:+-]{0,59}")

DEPTH = 4  # number of folders above a run are searched for the file; a server finds runs as deep


class SliceFile(msgspec.Struct, frozen=True, kw_only=True):
    schema: int = 1
    slices: dict[str, CaseFilter] = {}


class Slices:
    """The slices that were saved in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._lock = threading.Lock()

    def all(self) -> dict[str, CaseFilter]:
        return from_json(self._path, SliceFile, newest=1).slices if self._path.is_file() else {}

    def get(self, name: str) -> CaseFilter:
        known = self.all()
        if name not in known:
            raise UnknownNameError(f"No slice {name!r} in {self._path}{did_you_mean(name, known)}")
        return known[name]

    def save(self, name: str, choice: CaseFilter) -> None:
        """Save a slice; one of the same name is replaced."""
        if not NAME.fullmatch(name):
            raise UserError("The name of a slice has letters, digits and blanks, at most 60.\n  Give it another name.")
        with self._lock:
            write_whole(self._path, to_json(SliceFile(slices={**self.all(), name: choice})))


def slices_near(run: Path) -> Slices:
    """The slices that were saved in the nearest folder above a run."""
    above = run.resolve().parents[:DEPTH]
    return Slices(next((folder for folder in above if (folder / FILE).is_file()), above[0]))


def slice_accuracies(run: Run, names: Sequence[str] | None = None) -> list[Estimate]:
    """The accuracy of every model on the slices that were saved next to a run, by suite and label.

    With `names`, it is an error if one of these slices is unknown or doesn't fit the run; otherwise it is left out.
    """
    saved = slices_near(run_folder(run))
    wanted = saved.all() if names is None else {name: saved.get(name) for name in names}
    if not wanted:
        return []
    record, folder = open_run(run), run_folder(run)
    index = CaseIndex(build_index(record), folder, record)
    found: list[Estimate] = []
    for name, choice in wanted.items():
        try:
            if not (own := [*_measure_slice(index, name, choice)]):
                raise UserError(
                    "none of its cases has a label to be right about.\n  `assay serve` shows what the slice contains."
                )
            found += own
        except UserError as error:
            if names is not None:
                raise UserError(f"The slice {name!r} doesn't fit the run {record.id}: {error}") from error
    return found


def _measure_slice(index: CaseIndex, name: str, choice: CaseFilter) -> Iterator[Estimate]:
    chosen = FilteredCases(index, choice)
    claimed = index.codes("expects") == CLAIMED
    rows = numpy.flatnonzero(claimed if chosen.mask is None else claimed & chosen.mask)
    if not len(rows):
        return
    label = index.codes("label", rows).astype(numpy.int64)
    entries = with_labels(index.codes("suite", rows).astype(numpy.int64), numpy.arange(len(rows)), label)
    right = numpy.stack([index.right(model)[rows] for model in index.described.models])  # (models, cases)
    counted = make_cells(entries.codes, *(each[entries.rows] for each in index.clusters(rows)))
    tally = ShareTally()
    tally.add(counted, right[:, entries.rows], entries.places[counted.met])
    for number, model in enumerate(index.described.models):
        for code, share in tally.shares(number).items():
            suite, of_label = slice_of(code)
            where = {"model": model, "suite": index.described.values["suite"][suite], "slice": name}
            yield estimate_of("accuracy", share, label_slice(where, of_label))
