"""The options of the experiments that have a command of their own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from assay.core.option_fields import SET, OptionInfo
from assay.run.run_options import CORPUS, ReadOptions

SEED = 1111
"""The seed of SentEval."""


class SupportOptions(ReadOptions, frozen=True, kw_only=True):
    """Which pairs are counted, and which of them are written."""

    source: Annotated[str, OptionInfo(CORPUS, "--from", metavar="CORPUS")] = "bundled"
    out: Annotated[
        Path | None,
        OptionInfo(
            "Write the pairs as JSON lines, or as columns premise, hypothesis, label (.tsv, .txt).",
            metavar="FILE",
            path="out",
        ),
    ] = None
    overwrite: Annotated[bool, OptionInfo("Replace the file.")] = False
    workers: Annotated[int, OptionInfo("Number of processes.", metavar="N", default="one per core", at_least=1)] = 1
    heuristic: Annotated[
        Literal["lexical_overlap", "subsequence", "constituent"] | None,
        OptionInfo("write only pairs of lexical_overlap, subsequence or constituent.", SET),
    ] = None
    definition: Annotated[
        Literal["released", "tokens"] | None,
        OptionInfo("write only pairs found by the definition released or tokens.", SET),
    ] = None
    side: Annotated[
        Literal["support", "contradict"] | None,
        OptionInfo("write only pairs that support or contradict.", SET),
    ] = None


class TransferOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Which encoders are measured on transfer tasks, and how."""

    models: Annotated[
        tuple[str, ...],
        OptionInfo(
            "An encoder: assay:cbow, trained:DIR, hf:NAME, onnx:DIR. May be repeated; several seeds of one system are "
            "reported as a mean and range.",
            "--model",
            metavar="MODEL",
            many=True,
        ),
    ] = ()
    data: Annotated[
        str | Path | None,
        OptionInfo(
            "The tasks' files: MR.jsonl, TREC.train.jsonl, SICK_train.txt and so on, or folders transfer and sick.",
            metavar="FOLDER",
            path="folder",
        ),
    ] = None
    seed: Annotated[int, OptionInfo("Seed of the classifiers.")] = SEED
    switches: Annotated[
        Mapping[str, str] | None,
        OptionInfo(
            "tasks=A+B: only these tasks. pooling=mean|cls|max: how a transformer's token vectors become one. Other "
            "switches change SentEval's classifier settings (docs/reference/transfer.md).",
            "--set",
            metavar="SWITCH=VALUE,...",
        ),
    ] = None
    cache: Annotated[bool, OptionInfo("Do not read or write the cache.", "--no-cache")] = True
    tasks: Annotated[tuple[str, ...], OptionInfo("Only these tasks.", SET)] = ()
    pooling: Annotated[Literal["mean", "cls", "max"] | None, OptionInfo("How tokens become one vector.", SET)] = None
