"""Frozen encoders on SentEval's transfer tasks (Wang et al. 2019, Table 3)."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.errors import ModelError, UserError
from assay.core.estimate import Estimate
from assay.core.option_fields import takes_options
from assay.evaluate.seeds import band, split_seed
from assay.models.text_encoders import TextEncoder, open_encoder
from assay.reports.published.published_results import PublishedFigure, figures, paper
from assay.reports.tables.sheet import Part, Sheet, SheetCell, SheetColumn, sheet_row
from assay.run.predict.answer_strategies import VectorStrategy, key_of
from assay.run.predict.model_names import model_name, seeds_of, settings_of
from assay.run.predict.predict_options import PredictOptions
from assay.run.workers.pool import Stage, quiet
from assay.storage.answer_cache import AnswerCache, cached_answers_path
from assay.storage.folders import scratch
from assay.studies.plans import TransferOptions
from assay.studies.transfer.transfer_classifiers import (
    Classifier,
    Examples,
    Predicted,
    Protocol,
    accuracy,
    correlations,
    count_steps,
    f1,
    protocol_with,
)
from assay.studies.transfer.transfer_tasks import (
    LoadedTask,
    TaskData,
    TaskRow,
    find_files,
    find_tasks,
    load_task,
)

EDITION = "transfer/v2"
"""Version of the measurement; a change that changes numbers gets a new one, so that cached results are not reused."""

Vectors = NDArray[numpy.float32]


class EncoderScore(msgspec.Struct, frozen=True, kw_only=True):
    model: str
    task: str
    dimensions: int
    truncated: int  # distinct texts that were too long for the encoder
    validation: float  # the accuracy, or for SICK-R the correlation, on validation rows
    chosen: tuple[float, ...]  # the inverse penalties that were chosen, one per outer fold
    estimates: tuple[Estimate, ...]


class TransferStudy(msgspec.Struct, frozen=True, kw_only=True):
    seed: int
    protocol: Protocol
    tasks: tuple[TaskData, ...]
    notes: dict[str, tuple[str, ...]]
    measured: tuple[EncoderScore, ...]  # by encoder, then task
    bands: tuple[Estimate, ...]  # over the seeds of a system: mean, lowest and highest; the slice says how many `seeds`

    @property
    def estimates(self) -> list[Estimate]:
        return [each for measured in self.measured for each in measured.estimates]


@takes_options(TransferOptions, "models", "data")
def study_transfer(options: TransferOptions, *, stage: Stage = quiet) -> TransferStudy:
    """Measure encoders on the tasks whose files are in a folder.

    Vectors and finished tasks are cached with the other answers of a model, so an interrupted study continues.
    """
    names = list(dict.fromkeys(seed_name for name in options.models for seed_name in seeds_of(model_name(name))))
    if not names or options.data is None:
        raise UserError("Name at least one model, as in --model assay:cbow, and the folder of the tasks' files.")
    protocol, folder = protocol_with(options.switches or {}), Path(options.data)
    wanted = find_tasks(options.tasks)
    for task in wanted:
        find_files(task, folder)  # before anything is encoded
    opened = {name: open_encoder(name, settings_of(name), pooling=options.pooling) for name in names}
    progress = stage("Reading tasks", len(wanted))
    loaded = []
    for task in wanted:
        loaded.append(load_task(task, folder))
        progress(1)
    measured = []
    for name, encoder in opened.items():
        with _open_cache(encoder, cache=options.cache) as cache:
            measuring = _Measuring(name, encoder, cache, protocol, options.seed, stage)
            measured += [measuring.measure_task(task) for task in loaded]
    return TransferStudy(
        seed=options.seed,
        protocol=protocol,
        tasks=tuple(task.data for task in loaded),
        notes={name: tuple(getattr(encoder, "notes", ())) for name, encoder in opened.items()},
        measured=tuple(measured),
        bands=tuple(_band_seeds(measured)),
    )


@contextmanager
def _open_cache(encoder: TextEncoder, *, cache: bool) -> Iterator[AnswerCache]:
    """The cache of an encoder; a temporary one if it is not known what decides its vectors."""
    if cache and encoder.identity:
        with AnswerCache(cached_answers_path(encoder.identity, Path(), cache=True)) as found:
            yield found
        return
    with scratch() as folder, AnswerCache(folder / "answers.sqlite") as found:
        yield found


class _Measuring:
    def __init__(
        self, name: str, encoder: TextEncoder, cache: AnswerCache, protocol: Protocol, seed: int, stage: Stage
    ) -> None:
        self.name = name
        self.cache = cache
        self.protocol = protocol
        self.seed = seed
        self.stage = stage
        self.vectors = VectorStrategy(name, encoder, cache, PredictOptions(truncate="premise"))

    def measure_task(self, task: LoadedTask) -> EncoderScore:
        """A task's numbers, from the cache if they are there."""
        # Three texts, so that it can't be the key of a text or a pair.
        key = key_of(
            "study", EDITION, msgspec.json.encode([task.task.name, task.data.digest, self.seed, self.protocol]).decode()
        )
        where = {"model": self.name, "task": task.task.name}  # a cached encoder may have had another name
        if found := self.cache.get([key]):
            cached = msgspec.json.decode(found[key], type=EncoderScore)
            renamed = (msgspec.structs.replace(each, slice=where) for each in cached.estimates)
            return msgspec.structs.replace(cached, model=self.name, estimates=tuple(renamed))
        vectors = self._encode_texts(task)
        classified, figures = self._classify(task, [_pair_features(part, vectors) for part in task.parts])
        measured = EncoderScore(
            **where,
            dimensions=len(next(iter(vectors.values())).values),
            truncated=sum(each.truncated for each in vectors.values()),
            validation=classified.validation,
            chosen=classified.chosen,
            estimates=tuple(msgspec.structs.replace(each, slice=where) for each in figures),
        )
        self.cache.put([(key, msgspec.json.encode(measured))])
        return measured

    def _encode_texts(self, task: LoadedTask) -> dict[str, Any]:
        self.cache.forget_met()
        self.vectors.gather(task.rows, self.stage(f"{self.name}, {task.task.name}: encoding", len(task.rows)))
        texts = list(dict.fromkeys(text for row in task.rows for text in row.texts))
        vectors = dict(zip(texts, self.vectors.vectors(texts), strict=True))
        sizes = sorted({len(each.values) for each in vectors.values()})
        if len(sizes) > 1:
            raise ModelError(
                f"{self.name} gave vectors of {sizes[0]} and of {sizes[-1]} dimensions; all must have the same number."
            )
        return vectors

    def _classify(self, task: LoadedTask, parts: Sequence[Vectors]) -> tuple[Predicted, list[Estimate]]:
        """Train on the vectors of a task by its protocol, and measure the predictions."""
        way = task.task.way
        progress = self.stage(f"{self.name}, {task.task.name}: training", count_steps(self.protocol)[way])
        classifier = Classifier(seed=self.seed, how=self.protocol, step=progress)
        if way == "relatedness":
            train, validation, test = (Examples(rows, task.scores(n)) for n, rows in enumerate(parts))
            related = classifier.relate(train, validation, test)
            return related, correlations(related.predicted, test.targets, task.clusters)
        classify: Callable[..., Predicted] = getattr(classifier, way.replace(" ", "_"))
        found = classify(*(Examples(rows, task.targets(n)) for n, rows in enumerate(parts)))
        metrics = (accuracy, f1) if task.task.name == "MRPC" else (accuracy,)
        return found, [metric(found.predicted, task.targets(-1), task.clusters) for metric in metrics]


def _pair_features(rows: Sequence[TaskRow], vectors: Mapping[str, Any]) -> Vectors:
    """(rows, features): a text's own vector; of two texts, the distances and the products of their values."""
    one, *others = (
        numpy.stack([vectors[text].values for text in side]) for side in zip(*(row.texts for row in rows), strict=True)
    )
    return numpy.hstack([abs(one - others[0]), one * others[0]]) if others else one


def _band_seeds(measured: Sequence[EncoderScore]) -> Iterator[Estimate]:
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
    rows_shown = []
    for task, name, n in places:
        ours = [_metric_cell(by_place.get((model, task, name))) for model in models]
        figure = published.get((task, name))
        last = SheetCell(figure.printed, figure.value) if figure else "-"
        rows_shown.append(sheet_row("", f"{task} {MEASURES[name]}".strip(), f"{n:,}", *ours, last))
    notes = [
        "Accuracy in %, F1 in %, or a correlation, with its 95% interval; n: rows that were tested.",
        *(f"{system}: mean over {n} seeds, with the lowest and the highest." for system, n in seeds.items()),
        f"Published: {theirs.authors} ({theirs.year}), Table {TABLE}, {UNSWAPPED} swapped. What its encoder was "
        "trained on is not stated; it has 4,096 dimensions if the original settings were used.",
    ]
    encoders = []
    for model, told in found.notes.items():
        own = [each for each in found.measured if each.model == model]
        cut = sum(each.truncated for each in own)
        facts = [f"{own[0].dimensions:,} dimensions", *told, *([f"{cut:,} texts were cut off"] if cut else [])]
        encoders.append(f"{model}: {'; '.join(facts)}.")
    return [*encoders, Sheet("transfer", "Transfer tasks", "", columns, tuple(rows_shown)), *notes]


def _metric_cell(estimate: Estimate | None) -> SheetCell:
    if estimate is None or estimate.value is None:
        return SheetCell("-")
    scale, digits = (1, 3) if estimate.name in CORRELATIONS else (100, 1)
    text = f"{scale * estimate.value:.{digits}f}"
    if estimate.low is None or estimate.high is None:
        return SheetCell(text, estimate.value)
    return SheetCell(f"{text} ({scale * estimate.low:.{digits}f}-{scale * estimate.high:.{digits}f})", estimate.value)
