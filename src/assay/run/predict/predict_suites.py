"""Running a model: suites in, one file of predictions per suite out, in the order of the suites."""

import hashlib
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from assay.core.case import ORIGINAL
from assay.core.label import Label
from assay.core.label_space import TWO_LABELS
from assay.core.protocols import Adapter, Cost, Endpoint, Foreseeing, Learner, Model, SentenceModel, TextModel, offers
from assay.core.registry import split_alias
from assay.core.run_record import AnswerFileEntry, ModelAnswers
from assay.evaluate.support.threshold_metrics import FEWEST
from assay.run.build.case_selection import without
from assay.run.predict import answer_gathering
from assay.run.predict.answer_gathering import (
    AT_ONCE,
    ENOUGH,
    CaseTexts,
    DirectionCheck,
    Gathering,
    by_family,
    call_model,
    foretold,
    refuse,
)
from assay.run.predict.case_answers import answers_by_case, fit_model
from assay.run.predict.model_names import keep_open, windows_of
from assay.run.predict.predict_options import PredictOptions
from assay.run.predict.windows import WindowedCases, WindowedGathering, cost
from assay.run.workers.pool import FarExecutor, Progress, WorkerPool, in_batches
from assay.storage import answer_cache
from assay.storage.answer_cache import ROWS, BatchShare, writing_rows
from assay.storage.files import file_aside
from assay.storage.suite import Suite


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
        own = windows_of(name) if given is None else None
        windows = None if isinstance(model, Foreseeing) else own or how.windows
        if windows:
            how.tell(cost(name, windows, (case.premise for case in _Cases(suites))))
        gathering = _gathering(name, model, folder, how, _far(pool) if given is None else None)
        if gathering is None:
            resumes = any(folder.glob("*.parts/*"))
            started = time.monotonic()
            ready = fit_model(model, suites, windows)
            key = f"{identity} {windows or ''}"
            answers = answers_by_case(name, ready, suites, folder, pool=pool, key=key)
            files = {each: _write(folder / f"{each}.jsonl", answers(each), progress) for each in suites}
            pace = None if resumes else _pace(time.monotonic() - started, sum(each.n for each in files.values()))
            notes = tuple(getattr(model, "notes", ()))
            return ModelAnswers(model=name, files=files, identity=identity, notes=notes, seconds_per_pair=pace)
        gathering = WindowedGathering(gathering, windows) if windows else gathering
        with gathering.store:
            started = time.monotonic()
            direction = _check_direction(name, model, gathering, suites)
            recalled, files = _predict(name, gathering, suites, folder, progress, how)
            pace = _cached_pace(gathering, time.monotonic() - started)
            if damaged := len(gathering.store.damaged):
                how.tell(
                    f"{name}: {damaged:,} cached answers in {gathering.store.path} were damaged and computed again."
                )
            notes = (*_notes(name, model, gathering.store), *recalled.notes(name), *filter(None, [direction]))
        if recalled.cut and how.truncate == "error":  # kept by a run that allowed truncation
            refuse(name, recalled.cut)
        return ModelAnswers(
            model=name,
            files=files,
            identity=gathering.model.identity,
            truncated=len(recalled.cut),
            notes=notes,
            seconds_per_pair=pace,
        )


LEAST = 200
"""A hypothesis of fewer words fits into 512 tokens, so no model is loaded to find that out."""


def drop_oversized(
    suites: Mapping[str, Suite],
    models: Sequence[str],
    given: Mapping[str, Model | Learner | Adapter],
    names: Mapping[str, str],
) -> Iterator[tuple[str, Suite, str]]:
    """Each suite with its name, without what a model can't take, and what a user should know about that."""
    asked = {name: [case for case in suite.decoded(CaseTexts) if _is_long(case)] for name, suite in suites.items()}
    reasons: dict[str, str] = {}
    for model in models if any(asked.values()) else ():
        with keep_open(model, given.get(model), names) as ready:
            if offers(ready, TextModel):
                cases = [case for some in asked.values() for case in some if case.id not in reasons]
                why = f"its hypothesis is longer than {model} takes"
                reasons |= {case.id: why for case in _refused(model, ready, cases)}
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


def _refused(name: str, model: TextModel, cases: Sequence[CaseTexts]) -> Iterator[CaseTexts]:
    for chunk in in_batches(cases, 256):
        ready = call_model(name, partial(model.ready, [case.texts for case in chunk]))
        yield from (case for case, each in zip(chunk, ready, strict=True) if not each.fits)


FEWEST_TIMED = 20
"""With fewer pairs, opening the model takes most of the time."""


def _pace(seconds: float, pairs: int) -> float | None:
    return round(seconds / pairs, 6) if pairs >= FEWEST_TIMED else None


def _cached_pace(gathering: Gathering, seconds: float) -> float | None:
    """The time per pair when the model first ran on enough pairs; it is cached with the answers."""
    store = gathering.store
    key = answer_gathering.key_of("seconds per pair", "", "")  # three texts, so that it can't be the key of a pair
    added = store.added // 2 if offers(gathering.model, SentenceModel) else store.added
    if pace := _pace(seconds, added):
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
        windows = None if isinstance(model, Foreseeing) else windows_of(name) or how.windows
        gathering = _gathering(name, model, folder, how, _far(pool))
        if gathering is None:
            ready = fit_model(model, suites, windows)
            answers = answers_by_case(name, ready, suites, folder, pool=pool, key=f" {windows or ''}", owns=owns)
            for each in suites:
                for data in answers(each):
                    progress(data.count(b"\n"))
            return None
        gathering = WindowedGathering(gathering, windows) if windows else gathering
        with gathering.store, file_aside(folder / ROWS, overwrite=True, over_any=True) as write:
            copy = writing_rows(gathering.store, write)
            gathering.gather(_Cases(suites), progress, BatchShare(owns, copy))
            if keys := _note_keys(name, model):
                _notes(name, model, gathering.store)
                copy(keys)
        return gathering.model.identity


def cost_of(
    name: str,
    suites: Mapping[str, Suite],
    folder: Path,
    *,
    how: PredictOptions,
    given: Model | Learner | Adapter | None = None,
) -> Cost:
    """The cost of a model's answers that are not cached yet; nothing is sent."""
    from assay.run.predict.endpoint_calls import EndpointStrategy

    with keep_open(name, given, how.names) as model:
        if not offers(model, Endpoint):
            return Cost(0, f"{name} is not an endpoint: it costs nothing but time.")
        windows = (windows_of(name) if given is None else None) or how.windows
        with _store(model, folder, how) as kept:
            cases = WindowedCases(_Cases(suites), windows) if windows else _Cases(suites)
            return EndpointStrategy(name, model, kept, how).cost(cases)


class _Unmodified(CaseTexts, frozen=True, gc=False):
    """A case with its label."""

    label: Label | None = None


def _check_direction(name: str, model: Model, gathering: Gathering, suites: Mapping[str, Suite]) -> str:
    """Ask about labelled, unmodified pairs first, and stop if support scores are clearly the wrong way round.

    Returns a note about the scores; empty if there is nothing to say.
    """
    check = DirectionCheck(name, model)
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
    gathering.gather(cases, lambda _: None)
    gathering.store.forget_met()
    for case, answer in zip(cases, gathering.recall([case.texts for case in cases]), strict=True):
        assert case.label is not None
        check.add(case.label, case.premise, answer)
    return check.conclude()


def _predict(
    name: str, gathering: Gathering, suites: Mapping[str, Suite], folder: Path, progress: Progress, how: PredictOptions
) -> tuple["_Recalled", dict[str, AnswerFileEntry]]:
    """Ask for the answers that are not cached, then write all of them."""
    cases = _Cases(suites)
    if gathering.is_complete(cases):
        progress(sum(map(len, suites.values())))
    else:
        if how.truncate == "premise" and (said := foretold(name, gathering.too_long(cases))):
            how.tell(said)
        gathering.gather(cases, progress)
    try:
        return _write_recalled(gathering, suites, folder)
    except answer_cache.AnswersLostError:  # the file was damaged while it was in use
        gathering.store.begin_anew()
        gathering.gather(cases, lambda _: None)
        return _write_recalled(gathering, suites, folder)


def _write_recalled(
    gathering: Gathering, suites: Mapping[str, Suite], folder: Path
) -> tuple["_Recalled", dict[str, AnswerFileEntry]]:
    recalled = _Recalled(gathering)
    files = {name: _write(folder / f"{name}.jsonl", recalled.lines(suite)) for name, suite in suites.items()}
    return recalled, files


def _notes(name: str, model: Model, kept: answer_cache.AnswerCache) -> tuple[str, ...]:
    """Notes about the model itself; they is cached if finding it out needs the model."""
    keys = _note_keys(name, model)
    if not keys:
        return tuple(getattr(model, "notes", ()))
    if not kept.known(keys):
        kept.put([(key, msgspec.msgpack.encode(getattr(model, "notes", ()))) for key in keys])
    return msgspec.msgpack.decode(kept.recall(keys)[0], type=tuple[str, ...])


def _note_keys(name: str, model: Model) -> list[bytes]:
    """The key under which the notes of a model are cached; none if they need no model."""
    if not offers(model, TextModel) and not offers(model, Endpoint):
        return []
    return [answer_gathering.key_of("notes", name, "")]  # three texts, so that it can't be the key of a pair


def _gathering(name: str, model: Model, folder: Path, how: PredictOptions, far: WorkerPool | None) -> Gathering | None:
    """The strategy for a model that only sees texts, here or on workers; None for one that looks at whole cases."""
    from assay.run.predict.endpoint_calls import EndpointStrategy
    from assay.run.predict.sentence_vectors import SentenceStrategy
    from assay.run.predict.text_pairs import PairStrategy, RemotePairStrategy

    if offers(model, SentenceModel):
        return SentenceStrategy(name, model, _store(model, folder, how), truncate=how.truncate)
    if offers(model, TextModel):
        store = _store(model, folder, how)
        return RemotePairStrategy(name, model, store, how, far) if far else PairStrategy(name, model, store, how)
    return EndpointStrategy(name, model, _store(model, folder, how), how) if offers(model, Endpoint) else None


def _far(pool: WorkerPool) -> WorkerPool | None:
    """The pool, if its workers are far away: on this machine, a model itself uses all cores."""
    return pool if isinstance(pool.executor, FarExecutor) else None


def _store(model: TextModel | SentenceModel | Endpoint, folder: Path, how: PredictOptions) -> answer_cache.AnswerCache:
    return answer_cache.AnswerCache(
        answer_cache.cached_answers_path(model.identity, folder, cache=how.cache), tell=how.tell
    )


class _Cases:
    """The cases of all suites, as a model sees them."""

    def __init__(self, suites: Mapping[str, Suite]) -> None:
        self.suites = suites

    def __iter__(self) -> Iterator[CaseTexts]:
        for suite in self.suites.values():
            yield from suite.decoded(CaseTexts)


class _Recalled:
    """Cached answers as JSON lines, with what users should know about them."""

    def __init__(self, gathering: Gathering) -> None:
        self.gathering = gathering
        self.cases = 0
        self.cut: list[CaseTexts] = []
        """The cases that had their premise cut off, without their texts."""
        self.read_from: Counter[str] = Counter()
        """Cases by what their labels were read from."""
        self.fallbacks: Counter[str] = Counter()
        """Cases that the model could not judge, by reason."""

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
            answers = self.gathering.recall([case.texts for case in cases])
            cut = (case for case, answer in zip(cases, answers, strict=True) if answer.truncated)
            self.cut += [CaseTexts(case.id, "", "", case.family) for case in cut]
            self.cases += len(cases)
            self.read_from.update(answer.read_from for answer in answers if answer.read_from)
            self.fallbacks.update(answer.note for answer in answers if answer.note)
            yield b"".join(encode(answer.to(case.id)) + b"\n" for case, answer in zip(cases, answers, strict=True))


def _write(out: Path, pieces: Iterator[bytes], progress: Progress = lambda _: None) -> AnswerFileEntry:
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
