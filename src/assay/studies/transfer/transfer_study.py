"""Frozen encoders on SentEval's transfer tasks (Wang et al. 2019, Table 3)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import ModelError, UserError
from assay.core.estimate import Estimate
from assay.evaluate.seeds import band, split_seed
from assay.models.text_encoders import Pooling, TextEncoder, open_encoder
from assay.reports.published.published_results import PublishedFigure, figures, paper
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetColumn, SheetRow
from assay.run.predict import answer_gathering
from assay.run.predict.model_names import model_name, seeds_of, settings_of
from assay.run.predict.sentence_vectors import VectorStrategy
from assay.run.workers.pool import Stage, quiet
from assay.storage.answer_cache import AnswerCache, cached_answers_path
from assay.storage.folders import scratch
from assay.studies.transfer.transfer_classifiers import (
    SEED,
    SENTEVAL,
    Classified,
    Classifier,
    Examples,
    Protocol,
    Rated,
    RelatednessScores,
    count_steps,
)
from assay.studies.transfer.transfer_metrics import accuracy, correlations, f1
from assay.studies.transfer.transfer_tasks import (
    LoadedTask,
    TaskData,
    TransferTask,
    find_tasks,
    load_task,
    refuse_missing_files,
)

EDITION = "transfer/v2"
"""Version of the measurement; a change that changes numbers gets a new one, so that cached results are not reused."""

Vectors = NDArray[numpy.float32]


class EncoderScore(msgspec.Struct, frozen=True, kw_only=True):
    """An encoder on a task."""

    model: str
    task: str
    dimensions: int
    """Of the encoder's vectors."""
    truncated: int
    """Distinct texts that were too long for the encoder."""
    validation: float
    """The accuracy, or for SICK-R the correlation, on validation rows."""
    chosen: tuple[float, ...]
    """The inverse penalties that were chosen, one per outer fold."""
    estimates: tuple[Estimate, ...]
    """Metrics on the test rows."""


class TransferStudy(msgspec.Struct, frozen=True, kw_only=True):
    """Encoders by tasks."""

    seed: int
    """The seed of the classifiers."""
    protocol: Protocol
    """Their settings."""
    tasks: tuple[TaskData, ...]
    notes: dict[str, tuple[str, ...]]
    """Notes about each encoder."""
    measured: tuple[EncoderScore, ...]
    """By encoder, then task."""
    bands: tuple[Estimate, ...]
    """Over the seeds of a system: mean, lowest and highest; the slice says how many `seeds`."""

    @property
    def estimates(self) -> list[Estimate]:
        """Every number."""
        return [each for measured in self.measured for each in measured.estimates]


class TransferOptions(NamedTuple):
    """Options of a transfer study."""

    tasks: Sequence[str] = ()
    """The tasks; all nine if none are named."""
    seed: int = SEED
    pooling: Pooling | None = None
    """For transformers; by default what their folder says, or the mean."""
    protocol: Protocol = SENTEVAL
    cache: bool = True


DEFAULTS = TransferOptions()


def study_transfer(
    models: Sequence[str], data: str | Path, options: TransferOptions = DEFAULTS, *, stage: Stage = quiet
) -> TransferStudy:
    """Measure encoders on the tasks whose files are in a folder.

    Vectors and finished tasks are cached with the other answers of a model, so an interrupted study continues.
    """
    names = list(dict.fromkeys(seed_name for name in models for seed_name in seeds_of(model_name(name))))
    if not names:
        raise UserError("Name at least one model, as in --model assay:cbow.")
    wanted = find_tasks(options.tasks)
    refuse_missing_files(wanted, Path(data))
    opened = {name: open_encoder(name, settings_of(name), pooling=options.pooling) for name in names}
    loaded = _load_tasks(wanted, Path(data), stage)
    measured = []
    for name, encoder in opened.items():
        with _open_cache(encoder, cache=options.cache) as cache:
            measuring = _Measuring(name, encoder, cache, options, stage)
            measured += [measuring.of(task) for task in loaded]
    return TransferStudy(
        seed=options.seed,
        protocol=options.protocol,
        tasks=tuple(task.data for task in loaded),
        notes={name: tuple(getattr(encoder, "notes", ())) for name, encoder in opened.items()},
        measured=tuple(measured),
        bands=tuple(_band_seeds(measured)),
    )


def _load_tasks(tasks: Sequence[TransferTask], folder: Path, stage: Stage) -> list[LoadedTask]:
    progress = stage("Reading tasks", len(tasks))
    found = []
    for task in tasks:
        found.append(load_task(task, folder))
        progress(1)
    return found


@contextmanager
def _open_cache(encoder: TextEncoder, *, cache: bool) -> Iterator[AnswerCache]:
    """The cache of an encoder; a temporary one if it is not known what decides its vectors."""
    if cache and encoder.identity:
        with AnswerCache(cached_answers_path(encoder.identity, Path(), cache=True)) as found:
            yield found
        return
    with scratch() as folder, AnswerCache(folder / "answers.sqlite") as found:
        yield found


class _Encoded(NamedTuple):
    """A task as vectors."""

    parts: list[Vectors]
    """For each part, (rows, features)."""
    dimensions: int
    """Of a text's vector."""
    truncated: int
    """Distinct texts that were cut off."""


class _Measuring:
    """One encoder, task by task."""

    def __init__(
        self, name: str, encoder: TextEncoder, cache: AnswerCache, options: TransferOptions, stage: Stage
    ) -> None:
        self.name = name
        self.cache = cache
        self.options = options
        self.stage = stage
        self.vectors = VectorStrategy(name, encoder, cache, truncate="premise")

    def of(self, task: LoadedTask) -> EncoderScore:
        """A task's numbers, from the cache if they are there."""
        own = [task.task.name, task.data.digest, self.options.seed, self.options.protocol]
        # Three texts, so that it can't be the key of a text or a pair.
        key = answer_gathering.key_of("study", EDITION, msgspec.json.encode(own).decode())
        if found := self.cache.get([key]):
            return _rename_model(self.name, msgspec.json.decode(found[key], type=EncoderScore))
        measured = self._measured(task)
        self.cache.put([(key, msgspec.json.encode(measured))])
        return measured

    def _measured(self, task: LoadedTask) -> EncoderScore:
        encoded = self._encoded(task)
        how = self.options.protocol
        progress = self.stage(f"{self.name}, {task.task.name}: training", count_steps(how)[task.task.way])
        classifier = Classifier(seed=self.options.seed, how=how, step=progress)
        if task.task.way == "relatedness":
            train, validation, test = (Rated(rows, task.scores(n)) for n, rows in enumerate(encoded.parts))
            related = classifier.relate(train, validation, test)
            return self._record(task, encoded, related, correlations(related.predicted, test.scores, task.clusters))
        ways: Mapping[str, Callable[..., Classified]] = {
            "nested folds": classifier.nested_folds,
            "folds": classifier.folds,
            "split": classifier.split,
        }
        found = ways[task.task.way](*(Examples(rows, task.targets(n)) for n, rows in enumerate(encoded.parts)))
        gold = task.targets(-1)
        figures = [accuracy(found.predicted, gold, task.clusters)]
        if task.task.name == "MRPC":
            figures.append(f1(found.predicted, gold, task.clusters))
        return self._record(task, encoded, found, figures)

    def _encoded(self, task: LoadedTask) -> _Encoded:
        self.cache.forget_met()
        self.vectors.gather(task.rows, self.stage(f"{self.name}, {task.task.name}: encoding", len(task.rows)))
        texts = list(dict.fromkeys(text for row in task.rows for text in row.texts))
        vectors = dict(zip(texts, self.vectors.vectors(texts), strict=True))
        sizes = sorted({len(each.values) for each in vectors.values()})
        if len(sizes) > 1:
            raise ModelError(
                f"{self.name} gave vectors of {sizes[0]} and of {sizes[-1]} dimensions; all must have the same number."
            )
        sides = [
            [
                numpy.stack([vectors[text].values for text in side])
                for side in zip(*(r.texts for r in part), strict=True)
            ]
            for part in task.parts
        ]
        cut = sum(each.truncated for each in vectors.values())
        return _Encoded([_pair_features(each) for each in sides], sizes[0], cut)

    def _record(
        self,
        task: LoadedTask,
        encoded: _Encoded,
        found: Classified | RelatednessScores,
        figures: Sequence[Estimate],
    ) -> EncoderScore:
        where = {"model": self.name, "task": task.task.name}
        return EncoderScore(
            **where,
            dimensions=encoded.dimensions,
            truncated=encoded.truncated,
            validation=found.validation,
            chosen=found.chosen,
            estimates=tuple(msgspec.structs.replace(each, slice=where) for each in figures),
        )


def _rename_model(name: str, cached: EncoderScore) -> EncoderScore:
    """A cached result of the same encoder, which may have had another name."""
    renamed = (msgspec.structs.replace(each, slice={**each.slice, "model": name}) for each in cached.estimates)
    return msgspec.structs.replace(cached, model=name, estimates=tuple(renamed))


def _pair_features(sides: Sequence[Vectors]) -> Vectors:
    """A text's own vector; of two texts, the distances and the products of their values."""
    if len(sides) == 1:
        return sides[0]
    one, two = sides
    return numpy.hstack([abs(one - two), one * two])


def _band_seeds(measured: Sequence[EncoderScore]) -> Iterator[Estimate]:
    """The numbers of each system over its seeds."""
    found: defaultdict[tuple[str, str, str], list[Estimate]] = defaultdict(list)
    for each in (figure for one in measured for figure in one.estimates):
        system, seed = split_seed(each.slice["model"])
        if seed is not None and each.value is not None:
            found[system, each.slice["task"], each.name].append(each)
    for (system, task, name), seeds in found.items():
        if len(seeds) > 1:
            over = band([each.value for each in seeds if each.value is not None])
            where = {"model": system, "task": task, "seeds": str(over.n)}
            yield Estimate(name=name, value=over.mean, low=over.low, high=over.high, n=seeds[0].n, slice=where)


PAPER, TABLE, UNSWAPPED = "wang2019", "3", "0 %"

MEASURES = {"accuracy": "", "f1": "F1", "pearson": "Pearson", "spearman": "Spearman"}
"""Suffixes of task names in the table."""

CORRELATIONS = ("pearson", "spearman")


def published_transfer(row: str = UNSWAPPED) -> dict[tuple[str, str], PublishedFigure]:
    """The published numbers of InferSent by task and measure, for a fraction of swapped training pairs.

    >>> published_transfer()["SICK-R", "pearson"].printed, published_transfer()["MRPC", "f1"].printed
    ('0.859', '82.45')
    """
    found = {}
    for each in figures():
        if (each.paper, each.table, each.row) == (PAPER, TABLE, row):
            task, _, said = each.column.partition(" ")
            found[task, said.lower() or ("pearson" if task == "SICK-R" else "accuracy")] = each
    return found


def transfer_parts(found: TransferStudy) -> list[Part]:
    """Metrics by task and encoder."""
    rows = found.estimates
    seeds = {each.slice["model"]: each.slice["seeds"] for each in found.bands}
    shown = [*found.bands, *(each for each in rows if each.slice["model"].rpartition("@")[0] not in seeds)]
    by_place = {(e.slice["model"], e.slice["task"], e.name): e for e in shown}
    models = list(dict.fromkeys(each.slice["model"] for each in shown))
    places = list(dict.fromkeys((each.slice["task"], each.name, each.n) for each in rows))
    published = published_transfer()
    theirs = paper(PAPER)
    columns = (
        SheetColumn("task"),
        SheetColumn("n", is_number=True, is_detail=True),
        *(SheetColumn(model, is_number=True, model=model) for model in models),
        SheetColumn("InferSent, published", is_number=True),
    )
    lines = []
    for task, name, n in places:
        ours = [_metric_cell(by_place.get((model, task, name))) for model in models]
        lines.append(
            SheetRow(
                "",
                (
                    SheetCell(_metric_name(task, name)),
                    SheetCell(f"{n:,}"),
                    *ours,
                    _published_cell(published, task, name),
                ),
            )
        )
    notes = [
        "Accuracy in %, F1 in %, or a correlation, with its 95% interval; n: rows that were tested.",
        *(f"{system}: mean over {n} seeds, with the lowest and the highest." for system, n in seeds.items()),
        f"Published: {theirs.authors} ({theirs.year}), Table {TABLE}, {UNSWAPPED} swapped. What its encoder was "
        "trained on is not stated; it has 4,096 dimensions if the original settings were used.",
    ]
    return [*_describe_encoders(found), Sheet("transfer", "Transfer tasks", "", columns, tuple(lines)), *notes]


def _describe_encoders(found: TransferStudy) -> list[str]:
    """A line for each encoder."""
    lines = []
    for model, notes in found.notes.items():
        own = [each for each in found.measured if each.model == model]
        cut = sum(each.truncated for each in own)
        told = [f"{own[0].dimensions:,} dimensions", *notes, *([f"{cut:,} texts were cut off"] if cut else [])]
        lines.append(f"{model}: {'; '.join(told)}.")
    return lines


def _metric_name(task: str, measure: str) -> str:
    return f"{task} {MEASURES[measure]}".strip()


def _metric_cell(estimate: Estimate | None) -> SheetCell:
    if estimate is None or estimate.value is None:
        return SheetCell("-")
    scale, digits = (1, 3) if estimate.name in CORRELATIONS else (100, 1)
    text = f"{scale * estimate.value:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return SheetCell(text, estimate.value)
    return SheetCell(f"{text} ({scale * estimate.low:.{digits}f}-{scale * estimate.high:.{digits}f})", estimate.value)


def _published_cell(published: Mapping[tuple[str, str], PublishedFigure], task: str, measure: str) -> SheetCell:
    figure = published.get((task, measure))
    return SheetCell("-") if figure is None else SheetCell(figure.printed, figure.value)
