"""The diagnosis of a run, from one pass over its suites and the stored answers."""

from collections.abc import Iterator, Sequence

import msgspec
import numpy

from assay.bench.judge.named_models import named_models
from assay.bench.judge.reading import labels_read
from assay.bench.judge.surface import Reader
from assay.bench.stored import Run, StoredRun, in_share, open_run, run_folder
from assay.core.case import ORIGINAL, Case
from assay.core.label import LabelNames, merged_names
from assay.core.results.diagnosis import Diagnosis
from assay.core.run import RunSpec
from assay.evaluate.count.columns import Encoder
from assay.evaluate.diagnose.evidence import Chunk, Evidence, put_together
from assay.evaluate.diagnose.profile import diagnosed

MOST_CASES = 50_000
"""The most cases that are looked at, so that memory does not grow with the run; more would say the same."""


class _Kind(msgspec.Struct, gc=False):
    family: str


def diagnose_run(run: StoredRun, spec: RunSpec, *, most: int = MOST_CASES) -> Diagnosis:
    """Why the models of a run fail, as far as its cases can show; of a large run, those of some source pairs."""
    total = sum(map(len, run.suites.values()))
    evidence = read_evidence(run, spec, most=most)
    if evidence is None:
        return Diagnosis(n=0, profiles=())
    names = LabelNames(merged_names(suite.manifest.names for suite in run.suites.values()))
    found = diagnosed(evidence, names)
    return found if total <= most else msgspec.structs.replace(found, drawn_from=total)


def read_evidence(run: StoredRun, spec: RunSpec, *, most: int = MOST_CASES) -> Evidence | None:
    """The cases of a run and the answers to them as columns; None if there are no cases."""
    manifests = {name: suite.manifest for name, suite in run.suites.items()}
    two_way = spec.two_way_suites(manifests)
    share = min(1, most / max(sum(map(len, run.suites.values())), 1))
    reader, decoder = Reader(_source_pairs(run, share)), msgspec.json.Decoder(Case)
    chunks = []
    for number, (name, manifest) in enumerate(manifests.items()):
        encoder = Encoder(two_way=name in two_way)
        for each in run.joined(name, encoder, share=share):
            reader.read([decoder.decode(line) for line in each.lines])
            label = labels_read(each, encoder, manifest, spec.collapse)
            judged = numpy.array([[not note for note in notes] for notes in each.answers.notes], dtype=bool)
            chunks.append(Chunk(number, each.cases, encoder.families, label, judged.reshape(label.shape)))
    models = [each.model for each in run.models]
    return put_together(chunks, reader.surface(), models=models, suites=[*manifests]) if chunks else None


def find_diagnosis(run: Run, *, models: Sequence[str] = ()) -> Diagnosis:
    """The diagnosis of a stored run, of some models or all; it is computed if the record has none."""
    record = open_run(run)
    found = record.diagnosis or diagnose_run(StoredRun.of(run_folder(run), record), record.spec)
    asked = named_models(record, models)
    return msgspec.structs.replace(
        found,
        profiles=tuple(each for each in found.profiles if each.model in asked),
        versus=tuple(each for each in found.versus if not models or {each.first, each.second} & {*asked}),
        only_right={model: n for model, n in found.only_right.items() if model in asked},
    )


def _source_pairs(run: StoredRun, share: float) -> Iterator[Case]:
    """The unchanged source pairs of all suites, or a share of them."""
    kind, decoder = msgspec.json.Decoder(_Kind), msgspec.json.Decoder(Case)
    for suite in run.suites.values():
        if ORIGINAL in suite.manifest.counts:
            pairs = (decoder.decode(line) for line in suite.lines() if kind.decode(line).family == ORIGINAL)
            yield from (case for case in pairs if share == 1 or in_share(case.root, share))
