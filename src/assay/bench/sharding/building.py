"""A shard of a build: its share of the parts of a suite."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from assay.bench.build.make import PartSummary
from assay.bench.build.problems import Problems
from assay.bench.build.suite import PARTS, look_at_language, planned_work
from assay.bench.sharding.shard import Filled, Shard, make_shard
from assay.bench.shards import Crew, pair_batches, parts
from assay.bench.stages import Stage, quiet
from assay.core.case import Recipe
from assay.core.protocols import Corpus


def build_shard(
    corpus: Corpus, recipes: Sequence[Recipe], out: Path, *, crew: Crew, shard: Shard, stage: Stage = quiet
) -> Path:
    """Make a shard of the suite that would be built in `out`, and return its folder.

    The shard reads the whole corpus, because only that shows where its batches begin; it works on its own batches only.
    """
    work, _ = planned_work(recipes)

    def fill(folder: Path) -> Filled:
        progress = stage(f"Building shard {shard.index} of {shard.count}", None)
        known_work, pairs = look_at_language(work, corpus.as_pairs(Problems(recipes)))
        batches = pair_batches(pairs, crew.batch)
        for part in parts(known_work, batches, folder=folder / PARTS, crew=crew, owns=shard.owns):
            progress(msgspec.json.decode(part.partition(b"\n")[0], type=PartSummary).pairs)
        return Filled()

    return make_shard(out, shard, fill)
