"""Studies and plans of mitigations as one call each, with the options of `assay study run` and `mitigate`."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from assay.core.errors import UserError
from assay.core.option_fields import SET, OptionInfo, takes_options
from assay.run.run_options import CORPUS, WORK, ReadOptions

if TYPE_CHECKING:
    from assay.run.workers.pool import Stage
    from assay.studies.mitigation.mitigations import MitigationProposal
    from assay.studies.plan.run_study import Ahead
    from assay.studies.plan.study_plan import StudyPlan
    from assay.studies.plan.study_record import StudyRecord


PAGE = "report.html"


class StudyOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of a study besides its plan."""

    plan: Any
    """A plan's name, file or content, which is an argument of the command."""
    data: Annotated[
        str | Path | None,
        OptionInfo(
            "Where the plan's corpora are, if the plan does not say. Without either, the bundled corpus is used, to "
            "see how a study works.",
            metavar="FOLDER",
            path="folder",
        ),
    ] = None
    out: Annotated[str | Path, OptionInfo("Folder of studies; they share their training runs.", default="studies")] = (
        "studies"
    )
    preset: Annotated[
        Literal["paper", "allennlp", "laptop", "tiny"] | None,
        OptionInfo("Model sizes and training schedule, in place of the plan's."),
    ] = None
    sample: Annotated[
        int | None,
        OptionInfo("At most N pairs of each corpus, for training, development and tests.", metavar="N", at_least=1),
    ] = None
    only: Annotated[
        tuple[str, ...] | Mapping[str, Sequence[str]],
        OptionInfo(
            "Only this system, condition or seed, such as system=esim. May be repeated.",
            metavar="NAME=VALUE",
            many=True,
        ),
    ] = ()
    dry_run: Annotated[bool, OptionInfo("Show how many training runs there are and how long they take, then stop.")] = (
        False
    )
    workers: Annotated[
        int | None,
        OptionInfo("Training runs at the same time.", metavar="N", default="one per core", at_least=1),
    ] = None
    engine: Annotated[
        str,
        OptionInfo(
            "Where systems are trained: processes of this machine, a Dask cluster of --workers processes that is "
            "started for this command, or a running cluster by the address of its scheduler.",
            group=WORK,
            metavar="local|dask|ADDRESS",
        ),
    ] = "local"


@takes_options(StudyOptions, "plan")
def study(
    options: StudyOptions,
    *,
    executor: Executor | None = None,
    foresee: "Callable[[StudyPlan, Ahead], None]" = lambda _plan, _ahead: None,
    stage: "Stage | None" = None,
    tell: Callable[[str], None] = lambda _: None,
) -> "StudyRecord | None":
    """Train the systems of a plan under its conditions, test them, and store a record and a page.

    `foresee` is called with the number of training runs and a forecast; a dry run ends there, without a record. Systems
    are trained by processes of this machine or by the workers of your executor, which must reach the same files.
    `record.to_text("md")` shows the tables.
    """
    from assay.storage.files import write_whole
    from assay.storage.remote import is_address
    from assay.studies.plan.plan_file import find_plan
    from assay.studies.plan.run_study import run_study
    from assay.studies.plan.study_page import study_text
    from assay.studies.plan.study_plan import StudyPlan

    if is_address(options.out):
        raise UserError(f"--out {options.out}: this must be a path on this machine, because it is written many times.")
    plan = options.plan if isinstance(options.plan, StudyPlan) else find_plan(str(options.plan))
    record = run_study(
        plan,
        msgspec.structs.replace(options, data=options.data or plan.data or None),
        executor=executor,
        foresee=lambda ahead: foresee(plan, ahead),
        stage=stage,
        tell=tell,
    )
    if record is not None:
        write_whole(Path(options.out) / record.id / PAGE, study_text(record, "html").encode())
    return record


class MitigateOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The model of a run to write mitigations for, and the pairs to train and test on."""

    run: Any
    """A stored run, which is an argument of the command."""
    model: Annotated[
        str | None,
        OptionInfo(
            "The model to train against its shortcuts; by default, the first that follows one.", metavar="MODEL"
        ),
    ] = None
    system: Annotated[
        str | None,
        OptionInfo(
            "The system to train. By default the model's own if Assay trained it, bert from the weights of an hf: "
            "classifier with named labels, or decomposable-attention.",
            metavar="SYSTEM",
        ),
    ] = None
    data: Annotated[
        str | Path | None,
        OptionInfo(
            "Folder of the corpora. Without it, the bundled corpus is used, for a trial.",
            metavar="FOLDER",
            path="folder",
        ),
    ] = None
    train: Annotated[
        tuple[str, ...],
        OptionInfo("Training pairs, relative to --data; may be repeated.", "--from", metavar="FILE", many=True),
    ] = ()
    dev: Annotated[str, OptionInfo("Pairs for selecting the best weights.", metavar="FILE")] = ""
    test: Annotated[str, OptionInfo("Real pairs to build the test suites from.", metavar="FILE")] = ""
    vectors: Annotated[str, OptionInfo("Word vectors in GloVe's text format.", metavar="FILE")] = ""
    hard: Annotated[
        str,
        OptionInfo("test pairs that their hypotheses do not give away, such as SNLI's hard test set.", SET),
    ] = ""
    withheld: Annotated[
        tuple[str, ...],
        OptionInfo("test sets that no mitigation is trained for, joined by +.", SET),
    ] = ()


@takes_options(MitigateOptions, "run")
def mitigate(options: MitigateOptions) -> "MitigationProposal | str":
    """A plan of mitigations for a model of a run, from its diagnosis; in words why there is none, if so.

    `study(proposal.plan())` runs it, and `proposal.text` is its file, with comments that say why each is there.
    """
    from assay.studies.mitigation.propose_mitigations import propose_mitigations

    return propose_mitigations(options)


SEED = 1111  # the seed of SentEval


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
