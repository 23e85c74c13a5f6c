"""Training: corpora, vectors, preset, seeds, and a folder that says how the system was made."""

import hashlib
import platform
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import chdir, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy

from assay.core import registry
from assay.core.errors import MissingExtraError, UserError
from assay.core.pair import Pair
from assay.core.serialise import from_json, to_json
from assay.evaluate.seeds import band
from assay.models.systems.system_card import LOG, MAKING
from assay.storage.files import DIGESTS_FILE, Kind, digest, files_in, folder_aside, write_digests, write_whole
from assay.storage.folders import scratch
from assay.storage.remote import local
from assay.training.bias_model import BiasFacts, ShallowBias, guidance_for, refuse_unusable, weigh_by_bias
from assay.training.data_map import refuse_no_map, seed_folder, write_map
from assay.training.events import lines_to
from assay.training.hyperparameters import Hyperparameters
from assay.training.presets import choose, presets
from assay.training.training_corpus import (
    PairCounts,
    PairSource,
    TrainingPairs,
    TrainSpec,
    count_pairs,
    read_pairs,
    read_vectors,
    write_corpus,
)
from assay.version import __version__

if TYPE_CHECKING:
    from assay.models.systems.system import System
    from assay.training.events import Timed
    from assay.training.loop import LabelledPairs, TrainingExtras


SNAPSHOT = "snapshot"


class TrainingProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """Provenance of a trained system; stored next to its weights."""

    schema: int = 1
    spec: TrainSpec
    seed: int  # the seed of weights, batches and dropout, and of sampling and swapping
    data: PairCounts
    digests: dict[str, str]  # SHA-256 of the files that it was trained on
    accuracy: float  # the best accuracy on the development pairs, which these weights gave
    epochs: int
    stopped: str  # reason for ending before the last epoch, if any
    parameters: int  # trained parameters, without word vectors
    versions: dict[str, str]
    bias: BiasFacts | None = None  # performance of the biased model by itself
    files: tuple[str, ...] = ()  # the other files that training wrote


TRAINED = Kind(
    "a trained system", lambda folder: (MAKING, *from_json(folder / MAKING, TrainingProvenance, newest=1).files)
)

OnEvent = Callable[[int, Any], None]  # called with every event of a seed's training


class TrainSettings(NamedTuple):
    """Settings of a training that do not decide its weights."""

    suites: Sequence[Path] = ()  # suites that are answered after each epoch
    overwrite: bool = False
    corpus_out: Path | None = None  # folder for the pairs as training sees them; of several seeds, one folder for each
    threads: int | None = None  # threads that PyTorch may use; by default one per core
    data_map: bool = False  # store how each training pair was learned
    progress: OnEvent = lambda _seed, _event: None
    tell: Callable[[str], None] = lambda _: None


PLAIN = TrainSettings()


def train_system(
    spec: TrainSpec,
    out: Path,
    settings: TrainSettings = PLAIN,
    *,
    seeds: Sequence[int] = (0,),
    executor: Executor | None = None,
) -> list[TrainingProvenance]:
    """Train a system once per seed. The folder of a single seed is `out` itself; several seeds get folders inside it.

    Several seeds are trained by the workers of your executor, if there is one, which must reach the same files under
    the same paths; they report no progress.
    """
    if len(set(seeds)) != len(seeds):
        raise UserError("A seed is given more than once.")
    _refuse_unknown_system(spec)
    refuse_unusable(spec, spec.label_space.labels, seeds=seeds)
    refuse_no_map(spec.keep, spec.repeat_forgotten, spec.map_from, seeds=seeds)
    if executor and len(seeds) > 1 and not settings.corpus_out:
        # Workers get what can be pickled: neither `progress` nor `tell`.
        how = {name: getattr(settings, name) for name in ("suites", "overwrite", "threads", "data_map")}
        for done in [executor.submit(_train_there, Path.cwd(), spec, out, how, seed) for seed in seeds]:
            done.result()
        settings = settings._replace(overwrite=False)  # what follows finds every seed finished, and sums up
    made = []
    pairs = TrainingPairs(spec)
    dev = read_pairs(spec.dev)
    for seed in seeds:
        own = "" if len(seeds) == 1 else f"seed-{seed}"
        folder, parts = out / own, pairs.parts(seed)
        if settings.corpus_out:
            write_corpus(spec, parts, settings.corpus_out / own, seed=seed, overwrite=settings.overwrite)
        if len(seeds) > 1 and not settings.overwrite and (folder / MAKING).is_file():
            before = from_json(folder / MAKING, TrainingProvenance, newest=1)
            if before.spec == spec:
                made.append(before)  # several seeds continue with the first that is not done
                continue
        # With a key, work that was started with other settings is never continued.
        key = hashlib.sha256(msgspec.json.encode([__version__, spec, seed])).hexdigest()[:8]
        aside_at = folder.with_name(f".{folder.name}.{key}.partial")
        _report_others(folder, aside_at, settings.tell)
        over = TRAINED if settings.overwrite else None
        with (
            _use_threads(settings.threads),
            folder_aside(folder, aside=aside_at, over=over, resumes=True) as aside,
        ):
            made.append(_train_one(spec, parts, dev, aside, settings, seed=seed))
    if len(seeds) > 1:
        summary = {"seeds": list(seeds), "accuracy": band([each.accuracy for each in made])}
        write_whole(out / "summary.json", to_json(summary))
    return made


def _train_there(folder: Path, spec: TrainSpec, out: Path, how: dict[str, Any], seed: int) -> None:
    """Train one of several seeds, unless that is done; runs in a worker, in the working directory of the command."""
    with chdir(folder):
        own = out / f"seed-{seed}"
        if (
            how["overwrite"]
            or not (own / MAKING).is_file()
            or from_json(own / MAKING, TrainingProvenance, newest=1).spec != spec
        ):
            train_system(spec, own, TrainSettings(**how), seeds=(seed,))


def time_training(spec: TrainSpec, *, seed: int, threads: int) -> "Timed | None":
    """The time of an epoch, from the first steps of a discarded training run; None if it has just one step."""
    _refuse_unknown_system(spec)
    parts, dev = TrainingPairs(spec).parts(seed), read_pairs(spec.dev)
    with scratch() as folder, _use_threads(threads):
        ready = _prepare(spec, parts, dev, folder, PLAIN, seed=seed)
        from assay.training.loop import train

        extras = ready.extras._replace(trial=True)
        return train(ready.system, ready.data, ready.dev, ready.plan, seed=seed, folder=folder, extras=extras).timing


class _Prepared(NamedTuple):
    system: "System"
    data: "LabelledPairs"
    dev: "LabelledPairs"
    plan: Hyperparameters
    extras: "TrainingExtras"
    bias: BiasFacts | None


def _prepare(
    spec: TrainSpec,
    parts: Sequence[PairSource],
    dev: Sequence[Pair],
    folder: Path,
    settings: TrainSettings,
    *,
    seed: int,
) -> _Prepared:
    """Choose settings, run a biased model and a teacher if there are any, and build the system."""
    from assay.training import system_builder
    from assay.training.debias_losses import Distillation, Penalty, objective_for
    from assay.training.loop import Dynamics, Objective, TrainingExtras, label_pairs, right_answers

    kind = registry.systems.get(spec.system)
    setting = presets(spec.system.partition("/")[0]).setting(spec.preset)
    chosen = choose(setting, kind.Config, spec.switches, regularise=bool(spec.regularise), debias=bool(spec.debias))
    pairs = [pair for part in parts for pair in part.pairs]
    labels, vectors = spec.label_space.labels, partial(read_vectors, spec.vectors)
    right = right_answers([pair.label for pair in pairs], labels)
    shallow = ShallowBias(
        lambda: system_builder.shallow_learner(kind, chosen, pairs, dev, vectors=vectors, labels=labels, seed=seed),
        [spec.system, chosen, spec.dev, _digests([], spec.vectors), seed],
    )
    guidance = guidance_for(spec, parts, labels, right, seed=seed, shallow=shallow, tell=settings.tell)
    system = system_builder.build_system(
        kind,
        chosen,
        texts=[text for pair in pairs for text in (pair.premise, pair.hypothesis)],
        vectors=vectors,
        labels=labels,
        seed=seed,
        foresee=lambda size: system_builder.foresee_memory(size, chosen.plan, settings.tell),
    )
    shares = numpy.array([part.share * part.passes.get(pair.id, 1) for part in parts for pair in part.pairs])
    if spec.debias == "draw" and chosen.debias and guidance.bias is not None:
        shares = weigh_by_bias(guidance.bias, right, shares, focus=chosen.debias.focus)
    data = label_pairs(system, pairs)._replace(shares=shares)
    system_builder.foresee_batch(system, data.pairs, chosen.plan, seed=seed, tell=settings.tell)
    objective: Objective | None = None
    if guidance.teacher is not None and not spec.debias:
        objective = Distillation(guidance.teacher)
    elif spec.debias and chosen.debias:
        objective = objective_for(spec.debias, chosen.debias, system, bias=guidance.bias, teacher=guidance.teacher)
    extras = TrainingExtras(
        watch=lines_to(folder / LOG, lambda event: settings.progress(seed, event)),
        after_each_epoch=system_builder.answers_to(settings.suites, system, folder),
        objective=objective,
        dynamics=Dynamics(len(pairs), chosen.plan.epochs) if settings.data_map else None,
        penalty=Penalty(system, pairs, chosen.logic, seed=seed) if chosen.logic else None,
    )
    return _Prepared(system, data, label_pairs(system, dev), chosen.plan, extras, guidance.facts)


def _train_one(
    spec: TrainSpec,
    parts: Sequence[PairSource],
    dev: Sequence[Pair],
    folder: Path,
    settings: TrainSettings,
    *,
    seed: int,
) -> TrainingProvenance:
    ready = _prepare(spec, parts, dev, folder, settings, seed=seed)
    import torch

    from assay.models.systems.system import WEIGHTS, save_system
    from assay.training.loop import train
    from assay.training.training_state import TrainingStore

    outcome = train(ready.system, ready.data, ready.dev, ready.plan, seed=seed, folder=folder, extras=ready.extras)
    save_system(ready.system, spec.system, folder)
    if ready.extras.dynamics:
        write_map(ready.extras.dynamics.map(), parts, folder)
    teacher = [str(seed_folder(spec.teacher, seed) / WEIGHTS)] if spec.teacher else []
    files_read = [*(each.source for each in (*spec.sources, spec.dev)), *filter(None, [spec.bias]), *teacher]
    files = [name for name in files_in(folder) if not name.startswith(SNAPSHOT)]
    write_digests(folder, [name for name in files if name != LOG])
    weights = [weight for name, weight in ready.system.named_parameters() if not name.startswith("embedding.")]
    made = TrainingProvenance(
        spec=spec,
        seed=seed,
        data=count_pairs(parts),
        digests=_digests(files_read, spec.vectors),
        accuracy=outcome.best,
        epochs=outcome.epochs,
        stopped=outcome.stopped,
        parameters=sum(weight.numel() for weight in weights),
        versions={
            "assay": __version__,
            "python": platform.python_version(),
            "numpy": numpy.__version__,
            "torch": str(torch.__version__),
        },
        bias=ready.bias,
        files=(*files, DIGESTS_FILE),
    )
    write_whole(folder / MAKING, to_json(made))
    TrainingStore(folder / SNAPSHOT).remove()
    return made


def _refuse_unknown_system(spec: TrainSpec) -> None:
    """Stop at once if there is no such system, or it can't be loaded."""
    try:
        registry.systems.get(spec.system)
    except UserError as error:
        if isinstance(error.__cause__, ImportError):
            raise MissingExtraError("torch", needed_for="Training") from error
        raise


@contextmanager
def _use_threads(count: int | None) -> Iterator[None]:
    if count is None:
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _report_others(folder: Path, own: Path, tell: Callable[[str], None]) -> None:
    """Say which interrupted training runs into this folder are not continued."""
    for other in sorted(folder.parent.glob(f".{folder.name}.*.partial")):
        if other != own:
            tell(
                f"{other} holds an interrupted training run that used other settings or another version of Assay. "
                "It is left there, but this training run starts from the beginning."
            )


def _digests(sources: Sequence[str], vectors: str | None) -> dict[str, str]:
    paths = [local(source) for source in (*sources, vectors or "")]
    return {"/".join(path.parts[-2:]): digest(path) for path in paths if path.is_file()}  # two may share a name
