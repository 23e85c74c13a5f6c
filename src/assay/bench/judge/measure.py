"""Every figure of a run, from one pass over its suites and the stored answers."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from assay.bench.stored import read_answers
from assay.core.errors import BadInputError
from assay.core.estimate import Estimate
from assay.core.run import ModelAnswers
from assay.core.suite import Suite
from assay.evaluate.band import bands
from assay.evaluate.board import Board
from assay.evaluate.collapse import Collapse


def measure_run(
    suites: Mapping[str, Suite], answers: Sequence[ModelAnswers], folder: Path, *, collapse: Collapse = "argmax"
) -> list[Estimate]:
    """Every figure of a run in a folder."""
    found: list[Estimate] = []
    for name, suite in suites.items():
        files = {each.model: folder / each.files[name].file for each in answers}
        found += measure(suite, files, name=name, collapse=collapse)
    return found + bands(found)


def measure(suite: Suite, answers: Mapping[str, Path], *, name: str, collapse: Collapse = "argmax") -> list[Estimate]:
    """Every model's figures, from one pass over the suite and the stored answers."""
    boards = [Board(model=model, suite=name, collapse=collapse) for model in answers]
    streams = [read_answers(path) for path in answers.values()]
    rows: Iterator[tuple[Any, ...]] = zip_longest(suite, *streams)
    for case, *predictions in rows:
        for board, prediction in zip(boards, predictions, strict=True):
            if case is None or prediction is None:
                raise BadInputError("has not as many answers as the suite has cases", where=board.model)
            if prediction.id != case.id:
                raise BadInputError(f"answers {prediction.id!r} where the suite asks {case.id!r}", where=board.model)
            board.add(case, prediction)
    return [estimate for board in boards for estimate in board.estimates()]
