"""A shard of a verification: the labels of its share of a suite's cases."""

from pathlib import Path

from assay.bench.build.suite import PARTS
from assay.bench.sharding.gather import gather_parts
from assay.bench.sharding.shard import Filled, Shard, finished_shards, make_shard
from assay.bench.shards import BATCH, Crew, part_folder
from assay.bench.verify import Verified, examine, proven
from assay.core.suite import Suite


def place_of(suite: Path) -> Path:
    """What the shards of a suite's verification are named after."""
    return suite.with_name(f"{suite.name}.verify")


def verify_shard(folder: Path, *, crew: Crew, shard: Shard) -> Path:
    """Prove the labels of a shard's batches; everything else is checked when the shards are merged."""
    suite = Suite.open(folder)

    def fill(place: Path) -> Filled:
        for _ in proven(suite, folder=place / PARTS, crew=crew, owns=shard.owns):
            pass
        return Filled({"suite": suite.manifest.digest})

    return make_shard(place_of(folder), shard, fill)


def examine_merged(folder: Path, shards: Path, *, batch: int = BATCH) -> Verified:
    """Check a suite whose labels were proven in shards."""
    with part_folder(None) as proofs:
        crew = Crew(gather_parts(finished_shards(shards), proofs), 1, batch)
        return examine(folder, crew=crew, proofs=proofs)
