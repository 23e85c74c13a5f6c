"""Running a model: suites in, one file of predictions per suite out, in the order of the suites."""

import hashlib
import pickle
import shutil
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import msgspec

from assay.core.case import ORIGINAL, Case
from assay.core.errors import AssayError
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Adapter, Cost, Endpoint, Foreseeing, Learner, Model, SentenceModel, TextModel, offers
from assay.core.registry import split_alias
from assay.core.run_record import AnswerFileEntry, ModelAnswers
from assay.evaluate.support.threshold_metrics import FEWEST
from assay.run.build.case_selection import without
from assay.run.predict.answer_checks import (
    ENOUGH,
    CaseTexts,
    DirectionCheck,
    answer_cases,
    by_family,
    call_model,
    foretold,
    refuse,
)
from assay.run.predict.answer_strategies import (
    AT_ONCE,
    AnswerStrategy,
    EndpointStrategy,
    PairStrategy,
    SentenceStrategy,
    key_of,
)
from assay.run.predict.model_names import keep_open, windows_of
from assay.run.predict.predict_options import PredictOptions
from assay.run.predict.windows import WindowedModel, Windows
from assay.run.workers.pool import (
    FarExecutor,
    InlineExecutor,
    Progress,
    Work,
    WorkerPool,
    every,
    in_batches,
    pack_batches,
    parts,
)
from assay.storage import answer_cache
from assay.storage.answer_cache import ROWS, writing_rows
from assay.storage.files import file_aside, write_whole
from assay.storage.suite import Suite
from assay.version import __version__


def run_model(
    name: str,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    pool: WorkerPool,
    progress: Progress,
    how: PredictOptions = PredictOptions(),  # noqa: B008 - it is immutable
    given: Model | Learner | Adapter | None = None,
) -> ModelAnswers:
    """Have a model answer every case of the suites; its folder gets one file of predictions per suite.

    The model is opened by its name, unless it is given.
    """
    with keep_open(name, given, how.names) as model:
        identity = "" if given is None else str(getattr(model, "identity", ""))
        if given is not None and not identity:
            # What an interrupted run left may be the answers of another object with the same name.
            shutil.rmtree(folder, ignore_errors=True)
        how = _for_model(name, model, given, how)
        if how.windows:
            how.tell(_cost_of_windows(name, how.windows, _Cases(suites)))
        strategy = choose_strategy(name, model, folder, how, pool if given is None else None)
        if strategy is not None:
            return _run_by_text(strategy, suites, folder, progress)
        resumes = any(folder.glob("*.parts/*"))
        started = time.monotonic()
        ready = fit_model(model, suites, how.windows)
        answers = answers_by_case(name, ready, suites, folder, pool=pool, key=f"{identity} {how.windows or ''}")
        files = {each: _write_answers(folder / f"{each}.jsonl", answers(each), progress) for each in suites}
        pace = (
            None if resumes else _seconds_per_pair(time.monotonic() - started, sum(each.n for each in files.values()))
        )
        notes = tuple(getattr(model, "notes", ()))
        return ModelAnswers(model=name, files=files, identity=identity, notes=notes, seconds_per_pair=pace)


def _run_by_text(
    strategy: AnswerStrategy, suites: Mapping[str, Suite], folder: Path, progress: Progress
) -> ModelAnswers:
    """Run a model that only sees texts on what is not cached, then write all answers."""
    name, how, store, cases = strategy.name, strategy.how, strategy.store, _Cases(suites)
    with store:
        started = time.monotonic()
        direction = _check_direction(strategy, suites)
        if strategy.is_complete(cases):
            progress(sum(map(len, suites.values())))
        else:
            if how.truncate == "premise" and (said := foretold(name, strategy.too_long(cases))):
                how.tell(said)
            strategy.gather(cases, progress)
        try:
            recalled, files = _write_recalled(strategy, suites, folder)
        except answer_cache.AnswersLostError:  # the file was damaged while it was in use
            store.begin_anew()
            strategy.gather(cases, lambda _: None)
            recalled, files = _write_recalled(strategy, suites, folder)
        pace = _cached_seconds_per_pair(strategy, time.monotonic() - started)
        if damaged := len(store.damaged):
            how.tell(f"{name}: {damaged:,} cached answers in {store.path} were damaged and computed again.")
        notes = (*_read_notes(strategy), *recalled.notes(name), *filter(None, [direction]))
    if recalled.cut and how.truncate == "error":  # cached by a run that allowed truncation
        refuse(name, recalled.cut)
    return ModelAnswers(
        model=name,
        files=files,
        identity=strategy.model.identity,
        truncated=len(recalled.cut),
        notes=notes,
        seconds_per_pair=pace,
    )


def _for_model(name: str, model: Model, given: object, how: PredictOptions) -> PredictOptions:
    """The options with the windows of this model: its own, or those of the run."""
    own = windows_of(name) if given is None else None
    return how._replace(windows=None if isinstance(model, Foreseeing) else own or how.windows)


def _cost_of_windows(name: str, windows: Windows, asked: Iterable[CaseTexts]) -> str:
    """The cost of splitting premises into windows, in words."""
    cases = questions = 0
    for case in asked:
        cases += 1
        questions += len(windows.split(case.premise))
    times = questions / cases if cases else 1
    return (
        f"{name}: {cases:,} cases are split into {questions:,} windows of up to {windows.words:,} words, "
        f"{times:.1f} times as many predictions."
    )


LEAST = 200  # a hypothesis of fewer words fits into 512 tokens, so no model is loaded to find that out


def drop_oversized(
    suites: Mapping[str, Suite],
    models: Sequence[str],
    given: Mapping[str, Model | Learner | Adapter],
    names: Mapping[str, str],
) -> Iterator[tuple[str, Suite, str]]:
    """Each suite, without the cases that a model can't take, and a note for the user about these."""
    asked = {name: [case for case in suite.decoded(CaseTexts) if _is_long(case)] for name, suite in suites.items()}
    reasons: dict[str, str] = {}
    for model in models if any(asked.values()) else ():
        with keep_open(model, given.get(model), names) as ready:
            if offers(ready, TextModel):
                cases = [case for some in asked.values() for case in some if case.id not in reasons]
                why = f"its hypothesis is longer than {model} takes"
                for chunk in in_batches(cases, 256):
                    prepared = call_model(model, partial(ready.ready, [case.texts for case in chunk]))
                    reasons |= {case.id: why for case, each in zip(chunk, prepared, strict=True) if not each.fits}
    for name, suite in suites.items():
        gone = [case for case in asked[name] if case.id in reasons]
        said = (
            f"{len(gone):,} cases are left out{by_family(gone)} for every model: {reasons[gone[0].id]}, and only "
            "premises are ever cut."
            if gone
            else ""
        )
        yield name, without(suite, {case.id: reasons[case.id] for case in gone}) if gone else suite, said


def _is_long(case: CaseTexts) -> bool:
    return len(case.hypothesis) > LEAST and len(case.hypothesis.split(None, LEAST)) > LEAST


FEWEST_TIMED = 20  # with fewer pairs, opening the model takes most of the time


def _seconds_per_pair(seconds: float, pairs: int) -> float | None:
    return round(seconds / pairs, 6) if pairs >= FEWEST_TIMED else None


def _cached_seconds_per_pair(strategy: AnswerStrategy, seconds: float) -> float | None:
    """The time per pair when the model first ran on enough pairs; it is cached with the answers."""
    store = strategy.store
    key = key_of("seconds per pair", "", "")  # three texts, so that it can't be the key of a pair
    added = store.added // 2 if isinstance(strategy, SentenceStrategy) else store.added
    if pace := _seconds_per_pair(seconds, added):
        store.put([(key, msgspec.msgpack.encode(pace))])
    stored = store.get([key]).get(key)
    return msgspec.msgpack.decode(stored, type=float) if stored else None


def predict_shard(
    name: str,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    pool: WorkerPool,
    progress: Progress,
    owns: Callable[[int], bool],
    how: PredictOptions,
) -> str | None:
    """Have a model answer the batches that a shard owns. Its folder gets their parts, or one file of answers by text.

    Returns the identity of a model whose answers are cached by text; None for one that looks at whole cases.
    """
    with keep_open(name, None, how.names) as model:
        how = _for_model(name, model, None, how)
        strategy = choose_strategy(name, model, folder, how, pool)
        if strategy is None:
            ready = fit_model(model, suites, how.windows)
            answers = answers_by_case(name, ready, suites, folder, pool=pool, key=f" {how.windows or ''}", owns=owns)
            for each in suites:
                for data in answers(each):
                    progress(data.count(b"\n"))
            return None
        with strategy.store, file_aside(folder / ROWS, overwrite=True, over_any=True) as write:
            copy = writing_rows(strategy.store, write)
            strategy.gather(_Cases(suites), progress, owns=owns, done=copy)
            if key := _note_key(strategy):
                _read_notes(strategy)
                copy([key])
        return str(strategy.model.identity)


def cost_of(
    name: str,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    how: PredictOptions,
    given: Model | Learner | Adapter | None = None,
) -> Cost:
    """The cost of a model's answers that are not cached yet; nothing is sent."""
    with keep_open(name, given, how.names) as model:
        if not offers(model, Endpoint):
            return Cost(0, f"{name} is not an endpoint: it costs nothing but time.")
        strategy = choose_strategy(name, model, folder, _for_model(name, model, given, how))
        assert isinstance(strategy, EndpointStrategy)
        with strategy.store:
            return strategy.cost(_Cases(suites))


class _Unmodified(CaseTexts, frozen=True, gc=False):
    label: Label | None = None


def _check_direction(strategy: AnswerStrategy, suites: Mapping[str, Suite]) -> str:
    """Ask about labelled, unmodified pairs first, and stop if support scores are clearly the wrong way round.

    Returns a note about the scores; empty if there is nothing to say.
    """
    check = DirectionCheck(strategy.name, strategy.model)
    if not check.is_needed:
        return ""
    by_label: dict[Label, list[_Unmodified]] = {Label.ENTAILMENT: [], Label.NON_ENTAILMENT: []}
    for suite in suites.values():
        for case in suite.decoded(_Unmodified) if ORIGINAL in suite.manifest.counts else ():
            if case.family == ORIGINAL and case.label and len(by_label[TWO_LABELS.read(case.label)]) < ENOUGH:
                by_label[TWO_LABELS.read(case.label)].append(case)
    if min(map(len, by_label.values())) < FEWEST:
        return ""
    cases = [case for some in by_label.values() for case in some]
    strategy.gather(cases, lambda _: None)
    strategy.store.forget_met()
    for case, answer in zip(cases, strategy.recall([case.texts for case in cases]), strict=True):
        assert case.label is not None
        check.add(case.label, case.premise, answer)
    return check.conclude()


def _write_recalled(
    strategy: AnswerStrategy, suites: Mapping[str, Suite], folder: Path
) -> tuple["_Recalled", dict[str, AnswerFileEntry]]:
    recalled = _Recalled(strategy)
    files = {name: _write_answers(folder / f"{name}.jsonl", recalled.lines(suite)) for name, suite in suites.items()}
    return recalled, files


def _read_notes(strategy: AnswerStrategy) -> tuple[str, ...]:
    """Notes about the model itself; they are cached if finding them out needs the model."""
    store, key = strategy.store, _note_key(strategy)
    if key is None:
        return tuple(getattr(strategy.model, "notes", ()))
    if not store.known([key]):
        store.put([(key, msgspec.msgpack.encode(getattr(strategy.model, "notes", ())))])
    return msgspec.msgpack.decode(store.recall([key])[0], type=tuple[str, ...])


def _note_key(strategy: AnswerStrategy) -> bytes | None:
    """The key under which the notes of a model are cached; None if they need no model."""
    if isinstance(strategy, SentenceStrategy):
        return None
    return key_of("notes", strategy.name, "")  # three texts, so that it can't be the key of a pair


def choose_strategy(
    name: str, model: Model, folder: Path, how: PredictOptions, pool: WorkerPool | None = None
) -> AnswerStrategy | None:
    """The strategy for a model that only sees texts; None for one that looks at whole cases.

    Only remote workers run it: on this machine, the model itself uses all cores.
    """
    kinds: dict[Any, type[AnswerStrategy]] = {
        SentenceModel: SentenceStrategy,
        TextModel: PairStrategy,
        Endpoint: EndpointStrategy,
    }
    kind = next((kind for protocol, kind in kinds.items() if offers(model, protocol)), None)
    if kind is None:
        return None
    identity = str(getattr(model, "identity", ""))
    store = answer_cache.AnswerCache(answer_cache.cached_answers_path(identity, folder, cache=how.cache), tell=how.tell)
    strategy = kind(name, model, store, how)
    if isinstance(strategy, PairStrategy) and pool and isinstance(pool.executor, FarExecutor):
        strategy.pool = pool
    return strategy


class _Cases:
    """The cases of all suites, as a model sees them."""

    def __init__(self, suites: Mapping[str, Suite]) -> None:
        self.suites = suites

    def __iter__(self) -> Iterator[CaseTexts]:
        for suite in self.suites.values():
            yield from suite.decoded(CaseTexts)


class _Recalled:
    """Cached answers as JSON lines, with notes for users."""

    def __init__(self, strategy: AnswerStrategy) -> None:
        self.strategy = strategy
        self.cases = 0
        self.cut: list[CaseTexts] = []  # the cases that had their premise cut off, without their texts
        self.read_from: Counter[str] = Counter()  # cases by what their labels were read from
        self.fallbacks: Counter[str] = Counter()  # cases that the model could not judge, by reason

    def notes(self, name: str) -> Iterator[str]:
        """Notes about these answers, whichever run they come from."""
        name = split_alias(name).alias or name
        if self.read_from:
            ways = [f"{way} ({cases:,} cases)" for way, cases in sorted(self.read_from.items())]
            yield f"{name}: labels were read from {', '.join(ways)}."
        for reason, cases in sorted(self.fallbacks.items()):
            yield f"{name}: {cases:,} of {self.cases:,} answers are fallbacks: {reason}."

    def lines(self, suite: Suite) -> Iterator[bytes]:
        encode = msgspec.json.Encoder(order="deterministic").encode
        for cases in in_batches(suite.decoded(CaseTexts), AT_ONCE):
            answers = self.strategy.recall([case.texts for case in cases])
            cut = (case for case, answer in zip(cases, answers, strict=True) if answer.truncated)
            self.cut += [CaseTexts(case.id, "", "", case.family) for case in cut]
            self.cases += len(cases)
            self.read_from.update(answer.read_from for answer in answers if answer.read_from)
            self.fallbacks.update(answer.note for answer in answers if answer.note)
            yield b"".join(encode(answer.to(case.id)) + b"\n" for case, answer in zip(cases, answers, strict=True))


def _write_answers(out: Path, pieces: Iterator[bytes], progress: Progress = lambda _: None) -> AnswerFileEntry:
    """The pieces, in order, as one file."""
    hashed = hashlib.sha256()
    n = 0
    with file_aside(out, overwrite=True, over_any=True) as write:
        for data in pieces:
            hashed.update(data)
            write(data)
            done = data.count(b"\n")
            n += done
            progress(done)
    return AnswerFileEntry(file=out.relative_to(out.parents[2]).as_posix(), digest=hashed.hexdigest(), n=n)


def fit_model(model: Model, suites: Mapping[str, Suite], windows: Windows | None = None) -> Model:
    """The model, fitted on the suites' original pairs if it is trainable, and shown all cases if it looks ahead."""
    if isinstance(model, Foreseeing):
        model.foresee(case for suite in suites.values() for case in suite)
    if isinstance(model, Learner):
        model = model.fit(case for suite in suites.values() for case in suite if case.family == "original")
    return WindowedModel(model, windows) if windows else model


def answers_by_case(
    name: str,
    model: Model,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    pool: WorkerPool,
    key: str = "",
    owns: Callable[[int], bool] = every,
) -> Callable[[str], Iterator[bytes]]:
    """The answers of a fitted model to a suite, by name, as JSON lines, in pieces and in order.

    The `key` names what else determines the answers. A shard has only some of the batches.
    """
    pool, asked_one = _send_model(name, model, folder.absolute(), pool)
    # What a model learned comes from all suites, so a change in one makes all its answers stale.
    asked = " ".join(suite.manifest.digest for suite in suites.values())
    work = Work(answer_batch, (name, asked_one), key=f"{__version__} {name} {key} {asked}")

    def answers(suite: str) -> Iterator[bytes]:
        batches = (b"\n".join(batch) for batch in pack_batches(suites[suite].lines(), pool.batch))
        yield from parts(work, batches, folder=folder / f"{suite}.parts", pool=pool, owns=owns)

    return answers


def _send_model(name: str, model: Model, folder: Path, pool: WorkerPool) -> tuple[WorkerPool, Model | Path]:
    """The pool, and the model: the object itself in this process, or the file that workers read it from.

    A worker reads the model once from a file that is named by its content: it is too large to send with every batch.
    """
    if isinstance(pool.executor, InlineExecutor):
        return pool, model
    try:
        frozen = pickle.dumps(model)
        stored = folder / "model.parts" / f"{hashlib.sha256(frozen).hexdigest()}.model"
        write_whole(stored, frozen)
        with suppress(BrokenExecutor):  # which is reported when the work begins
            pool.executor.submit(_can_read, stored).result()
    except AssayError:
        raise
    except Exception as error:  # noqa: BLE001 - a user's object may fail to pickle in any way
        warnings.warn(
            f"{name} can't be sent to workers ({type(error).__name__}: {error}), so it runs in this process.",
            RuntimeWarning,
            stacklevel=2,
        )
        return WorkerPool(InlineExecutor(), 1, pool.batch), model
    return pool, stored


def answer_batch(batch: bytes, name: str, model: Model | Path) -> bytes:
    """The answers of a model, given or stored, to cases as JSON lines; runs in a worker."""
    decode = msgspec.json.Decoder(Case).decode
    asked = _read_model(model) if isinstance(model, Path) else model
    answers = answer_cases([decode(line) for line in batch.split(b"\n")], name, asked)
    encode = msgspec.json.Encoder(order="deterministic").encode
    return b"".join(encode(answer) + b"\n" for answer in answers)


def _can_read(path: Path) -> bool:
    return _read_model(path) is not None  # the model itself is not sent back


@lru_cache(maxsize=1)
def _read_model(path: Path) -> Any:
    return pickle.loads(path.read_bytes())  # noqa: S301 - written by this run
