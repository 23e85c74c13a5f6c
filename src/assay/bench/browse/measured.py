"""The accuracy of models on named slices, counted with the index of the run."""

from collections.abc import Iterator, Sequence

import numpy

from assay.bench.browse.build import build_index
from assay.bench.browse.choice import Choice, Chosen
from assay.bench.browse.index import CaseIndex
from assay.bench.browse.slices import slices_near
from assay.bench.stored import Run, open_run, run_folder
from assay.core.errors import UserError
from assay.core.results.estimate import Estimate
from assay.evaluate.count.cells import cells, named, slice_of, with_labels
from assay.evaluate.count.columns import CLAIMED
from assay.evaluate.count.tallies import ShareTally


def slice_accuracies(run: Run, names: Sequence[str] | None = None) -> list[Estimate]:
    """The accuracy of every model on the slices that were saved beside a run, by suite and label.

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
            found += _some_accuracies(index, name, choice)
        except UserError as error:
            if names is not None:
                raise UserError(f"The slice {name!r} doesn't fit the run {record.id}: {error}") from error
    return found


def _some_accuracies(index: CaseIndex, name: str, choice: Choice) -> list[Estimate]:
    if found := [*_accuracies(index, name, choice)]:
        return found
    raise UserError("none of its cases has a label to be right about.\n  `assay serve` shows what the slice contains.")


def _accuracies(index: CaseIndex, name: str, choice: Choice) -> Iterator[Estimate]:
    chosen = Chosen(index, choice)
    claimed = index.codes("expects") == CLAIMED
    rows = numpy.flatnonzero(claimed if chosen.mask is None else claimed & chosen.mask)
    if not len(rows):
        return
    label = index.codes("label", rows).astype(numpy.int64)
    entries = with_labels(index.codes("suite", rows).astype(numpy.int64), numpy.arange(len(rows)), label)
    right = numpy.stack([index.right(model)[rows] for model in index.described.models])  # (models, cases)
    counted = cells(entries.codes, *(each[entries.rows] for each in index.clusters(rows)))
    tally = ShareTally(len(index.described.models))
    tally.add(counted, right[:, entries.rows], entries.places[counted.met])
    for number, model in enumerate(index.described.models):
        for code, share in tally.shares(number).items():
            suite, of_label = slice_of(code)
            where = {"model": model, "suite": index.described.values["suite"][suite], "slice": name}
            low, high = share.interval or (None, None)
            yield Estimate(
                name="accuracy", value=share.value, low=low, high=high, n=share.n, slice=named(where, of_label)
            )
