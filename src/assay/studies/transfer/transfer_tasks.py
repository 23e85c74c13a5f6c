"""The nine transfer tasks: their files, their rows in SentEval's order, and how each is split."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import BadInputError, UnknownNameError, did_you_mean
from assay.core.pair import LabelledText, Pair
from assay.corpora.reader import read

Way = Literal["nested folds", "folds", "split", "relatedness"]

FOLDERS = ("", "transfer", "sick")  # folders inside the given one in which files of a task are looked for

RELATEDNESS = "relatedness_score"


class TransferTask(NamedTuple):
    name: str
    about: str
    way: Way  # kind of split, which decides training and testing
    files: tuple[str, ...]  # its parts, by the names of their files without endings; the last one is tested


SICK = ("SICK_train", "SICK_trial", "SICK_test_annotated")

TASKS = (
    TransferTask("MR", "sentiment of film reviews", "nested folds", ("MR",)),
    TransferTask("CR", "sentiment of product reviews", "nested folds", ("CR",)),
    TransferTask("MPQA", "polarity of opinions", "nested folds", ("MPQA",)),
    TransferTask("SUBJ", "subjective or objective", "nested folds", ("SUBJ",)),
    TransferTask("SST", "sentiment of film reviews, two classes", "split", ("SST2.train", "SST2.dev", "SST2.test")),
    TransferTask("TREC", "kind of question", "folds", ("TREC.train", "TREC.test")),
    TransferTask("SICK-E", "entailment", "split", SICK),
    TransferTask("SICK-R", "relatedness", "relatedness", SICK),
    TransferTask("MRPC", "paraphrase or not", "folds", ("MRPC.train", "MRPC.test")),
)
"""In the order of Wang et al. (2019), Table 3, with SST after the other tasks of one text about opinions."""


class TaskRow(NamedTuple):
    id: str  # its part and its place
    texts: tuple[str, ...]
    target: str  # the class, or the score as it is written


class TaskData(msgspec.Struct, frozen=True, kw_only=True):
    task: str
    rows: dict[str, int]
    texts: int
    classes: tuple[str, ...]  # the classes; none for scores
    digest: str  # SHA-256 of the rows in their order


class LoadedTask:
    def __init__(self, task: TransferTask, parts: Sequence[Sequence[TaskRow]], files: Sequence[str]) -> None:
        self.task = task
        self.parts = parts
        self.rows = [row for part in parts for row in part]
        scored = task.way == "relatedness"
        self.classes = () if scored else tuple(sorted({row.target for row in parts[0]}))
        if not scored:
            _refuse_new_classes(task, parts, files, self.classes)
        written = msgspec.json.encode([list(part) for part in parts])
        self.data = TaskData(
            task=task.name,
            rows=dict(zip(files, map(len, parts), strict=True)),
            texts=len({text for row in self.rows for text in row.texts}),
            classes=self.classes,
            digest=hashlib.sha256(written).hexdigest(),
        )

    def targets(self, part: int) -> NDArray[numpy.int64]:
        """The classes of a part, as numbers."""
        return numpy.array([self.classes.index(row.target) for row in self.parts[part]], dtype=numpy.int64)

    def scores(self, part: int) -> NDArray[numpy.float64]:
        return numpy.array([float(row.target) for row in self.parts[part]])

    @property
    def clusters(self) -> list[str]:
        """The first text of each row that is tested: rows that share it are not independent."""
        return [row.texts[0] for row in self.parts[-1]]


def find_tasks(names: Sequence[str]) -> list[TransferTask]:
    """The tasks of these names, in their usual order; all of them if there are no names.

    >>> [task.name for task in find_tasks(["trec", "MR"])]
    ['MR', 'TREC']
    """
    known = {task.name.lower(): task for task in TASKS}
    for name in names:
        if name.lower() not in known:
            there = ", ".join(task.name for task in TASKS)
            guess = did_you_mean(name.upper(), [task.name for task in TASKS])
            raise UnknownNameError(f"No transfer task {name!r}{guess} Choose from {there}.")
    wanted = {name.lower() for name in names}
    return [task for key, task in known.items() if not wanted or key in wanted]


def load_task(task: TransferTask, folder: Path) -> LoadedTask:
    """A task's rows, each part sorted by length and class as SentEval does."""
    files = find_files(task, folder)
    parts = [
        sorted(
            (_read_row(task, record, file) for record in read(file).records()),
            key=lambda row: (*(len(text.split()) for text in row.texts), row.target),
        )
        for file in files
    ]
    return LoadedTask(task, parts, [file.name for file in files])


def find_files(task: TransferTask, folder: Path) -> list[Path]:
    """The files of a task; an error if one is not there."""
    return [_find_file(task, stem, folder) for stem in task.files]


def _find_file(task: TransferTask, stem: str, folder: Path) -> Path:
    if not folder.is_dir():
        raise BadInputError("not a folder", where=str(folder), hint="Give the folder with the tasks' files.")
    for inner in FOLDERS:
        for file in sorted((folder / inner).glob(f"{stem}.*")):
            if file.name.removeprefix(stem).split(".")[1] in ("jsonl", "json", "tsv", "txt", "csv", "parquet"):
                return file
    ending = "txt" if task.files is SICK else "jsonl"
    raise BadInputError(
        f"missing: {task.name} needs it",
        where=str(folder / f"{stem}.{ending}"),
        hint="It may be compressed, and in a folder transfer or sick. To measure other tasks only: --set tasks=NAME.",
    )


def _read_row(task: TransferTask, record: object, file: Path) -> TaskRow:
    if isinstance(record, LabelledText) and task.files is not SICK:
        texts = (record.text,) if record.text_b is None else (record.text, record.text_b)
        if len(texts) == (2 if task.name == "MRPC" else 1):
            return TaskRow(f"{file.name}:{record.id}", texts, record.label)
    if isinstance(record, Pair) and task.files is SICK:
        target = record.label.value
        if task.way == "relatedness":
            target = record.group.get(RELATEDNESS, "")
            if not _is_score(target):
                raise BadInputError(
                    f"{target!r} is not a relatedness score from 1 to 5", where=f"{file}, pair {record.id}"
                )
        return TaskRow(f"{file.name}:{record.id}", (record.premise, record.hypothesis), target)
    raise BadInputError(f"not a file of {task.name}", where=str(file), hint="See docs/reference/transfer.md.")


def _is_score(text: str) -> bool:
    try:
        return 1 <= float(text) <= 5
    except ValueError:
        return False


def _refuse_new_classes(
    task: TransferTask, parts: Sequence[Sequence[TaskRow]], files: Sequence[str], classes: Sequence[str]
) -> None:
    for part, file in zip(parts, files, strict=True):
        if strange := sorted({row.target for row in part} - {*classes}):
            raise BadInputError(f"{task.name} has no class {strange[0]!r} in its training rows", where=file)
    if len(classes) < 2:
        raise BadInputError(f"{task.name} needs at least two classes", where=files[0])
