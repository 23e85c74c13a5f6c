"""Files that Assay wrote, and somebody may have changed since: runs, suites, shards, samples, people's answers."""

import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import assay
from assay.annotate.sample import draw_sample, read_sample, read_sheet
from assay.core.serialise import to_json
from assay.run.stored_run import open_run
from assay.run.workers.shard import ShardCard, read_card
from assay.storage.suite import Suite
from assay.stress.logic.from_corpus.projection import read_pair
from assay.studies.plan.joint_records import open_study
from assay.training.training_corpus import read_vectors

CARD = ShardCard(words=("build", "negation"), place="suite", index=1, count=2, files={"000001-ab.part": "0" * 64})
STUDY = b'{"schema": 1, "seal": "", "created": "", "plan": {"name": "x"}, "cells": [], "missing": []}'


class Stored(NamedTuple):
    """Files of each kind, as commands write them."""

    record: bytes
    manifest: bytes
    cases: bytes
    key: bytes
    sheet: bytes


@cache
def stored() -> Stored:
    """A small suite, a run on it, and a sample of it."""
    with tempfile.TemporaryDirectory(prefix="assay-fuzz-") as place:
        folder = Path(place)
        suite = assay.build("negation", assay.read("bundled", limit=9), out=folder / "suite")
        record = assay.run(suites=[suite.folder], models=["assay:overlap"], out=folder / "runs")
        draw_sample(suite, folder / "sample", annotators=["ann"], size=4, layout="label")
        return Stored(
            to_json(record),
            *((folder / name).read_bytes() for name in ("suite/manifest.json", "suite/cases.jsonl")),
            *((folder / "sample" / name).read_bytes() for name in ("key.jsonl", "ann.csv")),
        )


def _put(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    return path


def run(data: bytes, folder: Path) -> None:
    open_run(_put(folder, "run/record.json", data).parent)


def study(data: bytes, folder: Path) -> None:
    open_study(_put(folder, "study.json", data))


def manifest(data: bytes, folder: Path) -> None:
    _put(folder, "suite/cases.jsonl", stored().cases)
    list(Suite.open(_put(folder, "suite/manifest.json", data).parent).lines())


def cases(data: bytes, folder: Path) -> None:
    _put(folder, "suite/manifest.json", stored().manifest)
    list(Suite.open(_put(folder, "suite/cases.jsonl", data).parent))


def card(data: bytes, folder: Path) -> None:
    read_card(_put(folder, "1-of-2/shard.json", data).parent)


def key(data: bytes, folder: Path) -> None:
    read_sample(_put(folder, "sample/key.jsonl", data).parent)


def sheet(data: bytes, folder: Path) -> None:
    drawn = read_sample(_put(folder, "sample/key.jsonl", stored().key).parent)
    read_sheet(_put(folder, "sample/ann.csv", data), drawn)


def vectors(data: bytes, folder: Path) -> None:
    read_vectors.__wrapped__(str(_put(folder, "vectors.txt", data)))


def sentences(data: bytes, _: Path) -> None:
    """Two sentences of any kind, read as logic reads them."""
    both = data.decode("utf-8", "replace").partition("\t")
    read_pair(both[0], both[2])


def cards() -> list[bytes]:
    return [to_json(CARD)]
