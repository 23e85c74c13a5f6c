"""A shard of a build, of a run or of a verification."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec

from assay.core.case import Recipe
from assay.core.errors import UserError
from assay.core.protocols import Corpus
from assay.core.run_record import RunSpec
from assay.run.api import engine_of, planned_run
from assay.run.build.case_builder import PartSummary
from assay.run.build.suite_builder import PARTS, Problems, look_at_language, planned_work
from assay.run.build.suite_cache import places_of, suites_of
from assay.run.execute import InMemoryInputs, key_of, prepare_predictions
from assay.run.predict.model_names import folder_name
from assay.run.predict.predict_suites import predict_shard
from assay.run.run_options import RunOptions
from assay.run.verify_suite import Verified, examine, proven
from assay.run.workers.pool import BATCH, Stage, WorkerPool, pair_batches, part_folder, parts, quiet, worker_pool
from assay.run.workers.shard import FilledShard, Shard, finished_shards, gather_parts, make_shard
from assay.storage.remote import stand_in
from assay.storage.suite import Suite


def build_shard(
    corpus: Corpus, recipes: Sequence[Recipe], out: Path, *, pool: WorkerPool, shard: Shard, stage: Stage = quiet
) -> Path:
    """Make a shard of the suite that would be built in `out`, and return its folder.

    The shard reads the whole corpus, because only that shows where its batches begin; it works on its own batches only.
    """
    work, _ = planned_work(recipes)

    def fill(folder: Path) -> FilledShard:
        progress = stage(f"Building shard {shard.index} of {shard.count}", None)
        known_work, pairs = look_at_language(work, corpus.as_pairs(Problems(recipes)))
        batches = pair_batches(pairs, pool.batch)
        for part in parts(known_work, batches, folder=folder / PARTS, pool=pool, owns=shard.owns):
            progress(msgspec.json.decode(part.partition(b"\n")[0], type=PartSummary).pairs)
        return FilledShard()

    return make_shard(out, shard, fill)


OF_THE_RUN = ("kept.parts", "model.parts")
"""Folders that a model needs while it runs, and that a shard deletes."""


def ask_shard(
    options: RunOptions, shard: Shard, *, stage: Stage = quiet, tell: Callable[[str], None] = lambda _: None
) -> Path:
    """A shard of what `assay.run` would do with the same options; returns its folder."""
    with planned_run(options, tell) as (spec, inputs), engine_of(options, None) as executor:
        if inputs.corpus is not None or inputs.models:
            raise UserError("A shard is run by name: it can't have pairs or models that are objects.")
        return run_shard(spec, options, shard, pool=worker_pool(options.workers, executor), stage=stage, tell=tell)


def run_shard(
    spec: RunSpec,
    options: RunOptions,
    shard: Shard,
    *,
    pool: AbstractContextManager[WorkerPool],
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> Path:
    """Ask every model of a run its share of the questions, and return the shard's folder.

    Each shard needs all suites, because they decide which batches it owns. Suites that are built already, or cached,
    are not built again.
    """
    places, inputs = places_of(spec, cache=options.cache), InMemoryInputs()

    def fill(folder: Path) -> FilledShard:
        made = suites_of(spec, folder / "suites", places, corpus=None, pool=workers, stage=stage)
        suites, how = prepare_predictions(spec, made, options, inputs=inputs, tell=tell)
        identities = {}
        for name in spec.models:
            progress = stage(f"Running {name}, shard {shard.index} of {shard.count}", None)
            place = folder / "predictions" / folder_name(name)
            identity = predict_shard(name, suites, place, pool=workers, progress=progress, owns=shard.owns, how=how)
            if identity is not None:
                identities[name] = identity
        digests = {name: suite.manifest.digest for name, suite in suites.items()}
        for each in OF_THE_RUN:
            for place in folder.glob(f"predictions/*/{each}"):
                shutil.rmtree(place)
        shutil.rmtree(folder / "suites")  # they are made again, or found in the cache, when the shards are merged
        return FilledShard(digests, identities)

    with pool as workers:
        return make_shard(stand_in(options.out) / key_of(spec), shard, fill)


def place_of(suite: Path) -> Path:
    """The name that the shards of a suite's verification share."""
    return suite.with_name(f"{suite.name}.verify")


def verify_shard(folder: Path, *, pool: WorkerPool, shard: Shard) -> Path:
    """Prove the labels of a shard's batches; everything else is checked when the shards are merged."""
    suite = Suite.open(folder)

    def fill(place: Path) -> FilledShard:
        for _ in proven(suite, folder=place / PARTS, pool=pool, owns=shard.owns):
            pass
        return FilledShard({"suite": suite.manifest.digest})

    return make_shard(place_of(folder), shard, fill)


def examine_merged(folder: Path, shards: Path, *, batch: int = BATCH) -> Verified:
    """Check a suite whose labels were proven in shards."""
    with part_folder(None) as proofs:
        return examine(folder, pool=gather_parts(finished_shards(shards), proofs, batch=batch), proofs=proofs)
