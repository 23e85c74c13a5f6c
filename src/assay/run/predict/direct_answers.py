"""A model's answers to a few cases, as in a run, but without storing one."""

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.core.case import Answer, Case, Prediction
from assay.core.manifest import Manifest, Source
from assay.core.protocols import Adapter, Learner, Model
from assay.corpora.reader import BUNDLED, read
from assay.run.measure import AS_IT_IS, pair_as_case
from assay.run.predict.model_names import folder_name, settings_of
from assay.run.predict.predict_options import PredictOptions
from assay.run.predict.predict_suites import run_model
from assay.run.workers.pool import worker_pool
from assay.storage.files import write_whole
from assay.storage.folders import scratch
from assay.storage.suite import Suite

ASKED = "asked"  # name of the suite and of the family for such pairs
FITTED = "it was fitted on the bundled corpus, because it learns from pairs with labels"

CUT = "the premise was too long for it, so the end was cut off"


class Replies(NamedTuple):
    """A model's answers, in order."""

    answers: list[Answer]
    notes: tuple[str, ...]


def predict_cases(
    name: str, given: Model | Learner | Adapter | None, cases: Sequence[Case], how: PredictOptions
) -> Replies:
    """A model's answers to cases. A model that must learn first learns from the bundled corpus."""
    made = settings_of(name) if given is None else given
    with scratch() as home, worker_pool(1) as pool:
        suites = {ASKED: suite_of(cases, home / ASKED)}
        if isinstance(made, Learner):
            suites[BUNDLED] = suite_of(map(pair_as_case, read(BUNDLED)), home / BUNDLED)
        out = home / "answers" / folder_name(name)
        told = run_model(name, suites, out, pool=pool, progress=lambda _: None, how=how, given=given)
        decode = msgspec.json.Decoder(Prediction).decode
        said = [decode(line) for line in (out / f"{ASKED}.jsonl").read_bytes().splitlines()]
    answers = [
        Answer(label=each.label, probabilities=each.probabilities, truncated=each.truncated, note=each.note)
        for each in said
    ]
    fitted = f"{name}: {FITTED}." if isinstance(made, Learner) else ""
    cut = f"{name}: {CUT}." if any(each.truncated for each in answers) else ""
    return Replies(answers, (*told.notes, *filter(None, (fitted, cut))))


def suite_of(cases: Iterable[Case], folder: Path) -> Suite:
    """Cases as a suite that lives as long as its folder."""
    lines = [msgspec.json.encode(case) for case in cases]
    data = b"".join(line + b"\n" for line in lines)
    digest = hashlib.sha256(data).hexdigest()
    write_whole(folder / "cases.jsonl", data)
    source = Source(name=folder.name, format="", digest="", rows=0, pairs=0, labels={}, skipped={})
    manifest = Manifest(
        source=source,
        recipes=(AS_IT_IS,),
        seed=AS_IT_IS.seed,
        storage="jsonl",
        cases=len(lines),
        counts={},
        skips={},
        digest=digest,
        file_digest=digest,
        versions={},
    )
    return Suite(folder, manifest)
