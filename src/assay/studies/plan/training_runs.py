"""The training runs of a study, each with a digest of system, data, settings and seed, so that studies share them."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from assay.core import registry
from assay.core.manifest import Sampling
from assay.core.run_record import CorpusReading
from assay.run.build.suite_builder import subcases_of
from assay.storage.suite import slug
from assay.stress.heuristics.grammar import load_grammar
from assay.studies.plan.plan_options import LEARNED_FROM, chosen_for, training_spec
from assay.studies.plan.study_data import StudyData, StudySuite, suite_for
from assay.studies.plan.study_plan import AugmentPlan, StudyPlan, TrainingPlan
from assay.training.presets import ChosenPreset
from assay.training.training_corpus import TrainSpec
from assay.version import __version__


class TrainingRun(msgspec.Struct, frozen=True, kw_only=True):
    """A training with its run, or a ready model with its run."""

    system: str  # name of the system in the study, or the model
    condition: str  # empty for a ready model
    seed: int
    digest: str
    folder: str
    pairs: int = 0
    spec: TrainSpec | None = None  # none for a ready model
    added: StudySuite | None = None
    identity: dict[str, Any] = {}  # contents of the digest
    is_mapped: bool = False  # true if its training stores a data map, by which another training run chooses its pairs
    needs: str = ""  # the digest of the training run that must be trained before; empty if there is none

    @property
    def name(self) -> str:
        return f"{self.system}, {self.condition}, seed {self.seed}" if self.spec else self.system

    @property
    def model(self) -> str:
        return f"trained:{self.trained}" if self.spec else self.system

    @property
    def trained(self) -> Path:
        return Path(self.folder) / "trained"

    @property
    def log(self) -> Path:
        return Path(self.folder) / "log.txt"


class Draw(NamedTuple):
    """Numbers of training pairs by source."""

    own: tuple[int | None, ...]  # pairs from each corpus; None means all
    added: int


def divide_pairs(
    sizes: Sequence[int], sample: int | None, share: float = 0.0, *, each: int | None = None, more: int | None = None
) -> Draw:
    """The pairs of a training run. With a sample, added pairs replace a fraction of it, so its size stays.

    Each corpus gives as many as the others; one that is too small gives all it has, and the others give the rest.

    >>> divide_pairs([1000, 100], 400), divide_pairs([1000], 400, 0.1)
    (Draw(own=(300, 100), added=0), Draw(own=(360,), added=40))

    Without one, all pairs are taken, or at most so many of `each` corpus, and what is added comes on top. So do `more`
    pairs, always.

    >>> divide_pairs([900], None, 0.1), divide_pairs([1000, 100], None, each=400, more=50)
    (Draw(own=(None,), added=100), Draw(own=(400, None), added=50))
    """
    if sample is None:
        own = tuple(None if each is None or each >= size else each for size in sizes)
        total = sum(size if n is None else n for size, n in zip(sizes, own, strict=True))
        return Draw(own, round(total * share / (1 - share)) if more is None else more)
    whole = min(sample, sum(sizes))
    added = round(whole * share)
    left, parts = whole - added, dict[int, int]()
    for number, place in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        parts[place] = min(sizes[place], left // (len(sizes) - number))
        left -= parts[place]
    return Draw(tuple(parts[place] for place in range(len(sizes))), added if more is None else more)


def list_trainings(plan: StudyPlan, data: StudyData, out: Path, asked: dict[str, StudySuite]) -> list[TrainingRun]:
    """All training runs: seed by seed, so that a study that is stopped has whole conditions; ready models first."""
    ready = [_ready_run(model, out) for model in plan.models]
    after_epochs = [asked[name].key for name in plan.epochs]
    mapped = {(each.name, each.more["map_from"]) for each in plan.trainings if each.more.get("map_from")}
    trained = [
        _training_run(each, seed, data, out, after_epochs, is_mapped=(each.name, each.condition) in mapped)
        for seed in plan.seeds
        for each in plan.trainings
    ]
    by_place = {(training.system, training.condition, training.seed): training for training in trained}
    return [*ready, *(_add_needed(training, by_place, out) for training in trained)]


def _add_needed(training: TrainingRun, trainings: Mapping[tuple[str, str, int], TrainingRun], out: Path) -> TrainingRun:
    """The training run with the one that it learns from, if its options name a condition."""
    for option in (each.replace("-", "_") for each in LEARNED_FROM):
        other = trainings.get((training.system, getattr(training.spec, option) or "", training.seed))
        if other is not None and training.spec is not None:
            identity = {**training.identity, "more": {**training.identity["more"], option: other.digest}}
            digest = digest_of(identity)
            training = msgspec.structs.replace(
                training,
                spec=msgspec.structs.replace(training.spec, **{option: str(other.trained)}),
                identity=identity,
                digest=digest,
                folder=_run_folder(out, training.spec.system, training.seed, digest),
                needs=other.digest,
            )
    return training


def _ready_run(model: str, out: Path) -> TrainingRun:
    identity = {"model": model, **({"assay": __version__} if model.startswith("assay:") else {})}
    digest = digest_of(identity)
    folder = out / "cells" / f"{slug(model.replace(':', '-').replace('/', '-'))}-{digest}"
    return TrainingRun(system=model, condition="", seed=0, digest=digest, folder=str(folder), identity=identity)


def _training_run(
    plan: TrainingPlan, seed: int, data: StudyData, out: Path, after_epochs: Sequence[str], *, is_mapped: bool
) -> TrainingRun:
    sizes, augment = [data.training_size(name) for name in plan.sources], plan.augment
    share, more_pairs = (augment.share, augment.pairs) if augment else (0.0, None)
    draw = divide_pairs(sizes, plan.sample, share, each=plan.each, more=more_pairs)
    added = (
        _added_suite(plan.augment, draw.added, plan.withhold, data, seed=seed) if plan.augment and draw.added else None
    )
    limits = [n if n is not None else data.sample(name) for name, n in zip(plan.sources, draw.own, strict=True)]
    sources = [
        _corpus_reading(data.source(name), n, data.draw_seed(name, seed))
        for name, n in zip(plan.sources, limits, strict=True)
    ]
    dev = _corpus_reading(data.source(plan.dev), plan.dev_sample, 0)
    spec = training_spec(
        plan,
        sources=[each for each, n in zip(sources, limits, strict=True) if n != 0],
        dev=dev,
        vectors=data.vectors,
        augment=[str(added.folder(out))] if added else (),
    )
    more = {
        "redraw": plan.redraw,
        "swap": plan.swap or None,
        "augment": added.key if added else None,
        "withhold": plan.withhold or None,
        "more": plan.more or None,
        "epochs": list(after_epochs) or None,
        "data-map": is_mapped or None,
    }
    identity = {
        "system": plan.system,
        "settings": _changed_settings(chosen_for(plan)),
        "sources": [
            [data.digest(name), n, *([] if data.sample(name) is None else ["drawn once"])]
            for name, n in zip(plan.sources, limits, strict=True)
        ],
        "dev": [data.digest(plan.dev), plan.dev_sample],
        "vectors": data.vectors_digest if hasattr(registry.systems.get(plan.system), "Reader") else None,
        "seed": seed,
        **{name: value for name, value in more.items() if value is not None},
    }
    digest = digest_of(identity)
    own = sum(size if n is None else n for size, n in zip(sizes, limits, strict=True))
    return TrainingRun(
        system=plan.name,
        condition=plan.condition,
        seed=seed,
        digest=digest,
        folder=_run_folder(out, plan.system, seed, digest),
        pairs=draw.added + (own if plan.redraw is None else round(plan.redraw * own)),
        spec=spec,
        added=added,
        identity=identity,
        is_mapped=is_mapped,
    )


def _run_folder(out: Path, system: str, seed: int, digest: str) -> str:
    return str(out / "cells" / f"{system.partition('/')[0]}-{seed}-{digest}")


def _corpus_reading(source: str, n: int | None, seed: int) -> CorpusReading:
    return CorpusReading(source=source, sample=msgspec.UNSET if n is None else Sampling(n=n, seed=seed))


def _added_suite(
    augment: AugmentPlan, count: int, withhold: dict[str, tuple[str, ...]], data: StudyData, *, seed: int
) -> StudySuite:
    """The suite that a training run adds: copies of its own pairs, or generated pairs without withheld subcases."""
    plan = augment.suite
    if plan.source:
        own = msgspec.structs.replace(plan, sample=min(count, data.sample(plan.source) or count))
        return suite_for("added", own, data, seed=data.draw_seed(plan.source, seed))
    heuristics = withhold.get("heuristic", ())
    withheld = {
        *withhold.get("subcase", ()),
        *(each.name for each in load_grammar("").subcases if each.heuristic in heuristics),
    }
    kept = [each for each in subcases_of(plan.families[0]) if each not in withheld]
    own = msgspec.structs.replace(plan, per_subcase=max(1, round(count / len(kept))))
    return suite_for("added", own, data, seed=seed, split="training", subcases=kept)


def _changed_settings(chosen: ChosenPreset) -> dict[str, Any]:
    """Settings that differ from the defaults, so that a new setting with a default keeps old digests.

    They are those of the system and of its training, and those of rules and debiasing if there are some.
    """
    settings = [each for each in (chosen.config, chosen.plan, chosen.logic, chosen.debias) if each is not None]
    return {
        field.name: msgspec.to_builtins(getattr(setting, field.name))
        for setting in settings
        for field in msgspec.structs.fields(setting)
        if field.required or getattr(setting, field.name) != field.default
    }


def digest_of(identity: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(identity, order="deterministic")).hexdigest()[:16]
