"""Training as one call, with the options of `assay train`."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from assay.core.errors import UserError
from assay.core.option_fields import SET, OptionInfo, takes_options
from assay.run.run_options import WORK, ReadOptions

if TYPE_CHECKING:
    from assay.core.run_record import CorpusReading
    from assay.training.train_system import OnEvent, TrainingProvenance
    from assay.training.training_corpus import TrainSpec

DATA = "Training data"
LOSS = "Loss"
TRIAL = "A trial on bundled pairs: it shows that training works, not how good the system is."


class TrainOptions(ReadOptions, frozen=True, kw_only=True):
    system: str
    """The name of the system, which is an argument of the command."""
    sources: Annotated[
        str | Sequence[str],
        OptionInfo(
            "Training pairs; may be repeated. `@0.15` takes about that fraction.",
            "--from",
            metavar="CORPUS[@SHARE]",
            many=True,
        ),
    ] = ()
    dev: Annotated[
        str | None, OptionInfo("Pairs for selecting the best weights; never trained on.", metavar="CORPUS")
    ] = None
    out: Annotated[str | Path | None, OptionInfo("The system's folder, which must not exist yet.", path="out")] = None
    preset: Annotated[
        Literal["paper", "allennlp", "laptop", "tiny"], OptionInfo("Model sizes and training schedule.")
    ] = "laptop"
    vectors: Annotated[
        str | None,
        OptionInfo("Word vectors in GloVe's text format, for the systems that need them.", metavar="FILE"),
    ] = None
    seeds: Annotated[
        tuple[int, ...],
        OptionInfo(
            "Seed to train with, and to draw and swap training pairs with; may be repeated.", "--seed", many=True
        ),
    ] = (0,)
    two_way: Annotated[bool, OptionInfo("Merge neutral and contradiction into non-entailment.")] = False
    overwrite: Annotated[bool, OptionInfo("Replace the folder, if Assay made all of it.")] = False
    swap: Annotated[
        float,
        OptionInfo(
            "Swap the texts of this percentage of neutral and contradiction pairs.",
            group=DATA,
            metavar="PERCENT",
            at_least=0,
            at_most=100,
        ),
    ] = 0.0
    augment: Annotated[
        tuple[str, ...],
        OptionInfo("Add the cases of a suite; may be repeated.", group=DATA, metavar="SUITE", many=True),
    ] = ()
    withhold: Annotated[
        Mapping[str, str] | None,
        OptionInfo(
            "Leave out the cases of these groups: subcase=cn_adverb+ce_adverb.",
            group=DATA,
            metavar="GROUP=VALUE+VALUE,...",
        ),
    ] = None
    apart_from: Annotated[
        tuple[str, ...],
        OptionInfo(
            "Leave out added cases that share a premise, edited words or a template with this suite; may be repeated.",
            group=DATA,
            metavar="SUITE",
            many=True,
        ),
    ] = ()
    regularise: Annotated[
        Literal["logic"] | None,
        OptionInfo(
            "Add a penalty to the loss if answers to a pair and its swap break rules of logic; `--set` sets weights.",
            group=LOSS,
        ),
    ] = None
    debias: Annotated[
        str | None,
        OptionInfo(
            "Keep the system from learning what a biased model knows: reweight, poe (product of experts), mixin "
            "(learned mixin), confreg (confidence regularisation), focal or draw.",
            group=LOSS,
            metavar="METHOD",
        ),
    ] = None
    bias: Annotated[
        str | None,
        OptionInfo(
            "The biased model: one that sees only the hypothesis, one that counts shared words, the system itself "
            "trained on 2,000 pairs, or a file of probabilities by pair id.",
            group=LOSS,
            metavar="hypothesis|overlap|shallow|FILE",
        ),
    ] = None
    suites: Annotated[
        tuple[str | Path, ...],
        OptionInfo(
            "Store answers to this suite after each epoch; may be repeated.",
            "--suite",
            group=WORK,
            many=True,
            path="folder",
        ),
    ] = ()
    engine: Annotated[
        str,
        OptionInfo(
            "Where several seeds are trained at the same time: processes of this machine, a Dask cluster that is "
            "started for this command, or a running cluster by the address of its scheduler.",
            group=WORK,
            metavar="local|dask|ADDRESS",
        ),
    ] = "local"
    switches: Annotated[
        Mapping[str, str] | None,
        OptionInfo(
            "Values to change in the preset, such as hidden=100,epochs=3, or one of redraw, teacher, apart_by, "
            "data_map, map_from, keep, repeat_forgotten, corpus_out and threads, which "
            "docs/how-to/train.md explains.",
            "--set",
            metavar="SWITCH=VALUE,...",
        ),
    ] = None
    redraw: Annotated[bool, OptionInfo("Draw the pairs of `--from CORPUS@SHARE` again for each epoch.", SET)] = False
    teacher: Annotated[
        str | None,
        OptionInfo(
            "The folder of a trained system whose probabilities are learned: beside the gold labels, or with "
            "`--debias confreg` smoothed by the bias.",
            SET,
        ),
    ] = None
    apart_by: Annotated[
        tuple[Literal["premises", "words", "templates"], ...],
        OptionInfo("What added cases must not share with `--apart-from`, joined by `+`.", SET),
    ] = ("premises", "words", "templates")
    data_map: Annotated[
        bool, OptionInfo("Store how each training pair was learned; `assay study data-map DIR` shows it.", SET)
    ] = False
    map_from: Annotated[
        str | None, OptionInfo("A system trained with `--set data_map=yes`, whose map chooses training pairs.", SET)
    ] = None
    keep: Annotated[
        str | None,
        OptionInfo("Train on part of the pairs, chosen by the map: ambiguous:0.33, hard:0.33 or easy:0.33.", SET),
    ] = None
    repeat_forgotten: Annotated[
        int,
        OptionInfo("Extra passes in each epoch over pairs that the map shows as forgotten.", SET, at_least=0),
    ] = 0
    corpus_out: Annotated[
        str | Path | None,
        OptionInfo("Folder for the training pairs with a manifest, to look at or to train on elsewhere.", SET),
    ] = None
    threads: Annotated[
        int | None,
        OptionInfo(
            "Threads that PyTorch may use, by default one per core. With another number, the last digits of weights "
            "may differ.",
            SET,
            at_least=1,
        ),
    ] = None

    @property
    def corpora(self) -> tuple[str, ...]:
        return (self.sources,) if isinstance(self.sources, str) else tuple(map(str, self.sources))


def fill_trial(options: TrainOptions) -> TrainOptions:
    """The options, with bundled data in a trial; a missing option is an error."""
    from assay.core import registry
    from assay.corpora.reader import BUNDLED

    system = registry.systems.resolve(options.system)
    if options.preset == "tiny":
        options = msgspec.structs.replace(
            options,
            sources=options.corpora or (BUNDLED,),
            dev=options.dev or BUNDLED,
            vectors=options.vectors or BUNDLED,
            out=options.out or Path(f"{system.partition('/')[0]}-tiny"),
        )
    needed = (("--from", options.corpora), ("--dev", options.dev), ("--out", options.out))
    if missing := [option for option, given in needed if not given]:
        raise UserError(
            f"Missing {', '.join(missing)}. For a trial without any of them: assay train {options.system} --preset tiny"
        )
    return msgspec.structs.replace(options, system=system)


@takes_options(TrainOptions, "system", "sources")
def train(
    options: TrainOptions,
    *,
    tell: Callable[[str], None] = lambda _: None,
    progress: "OnEvent" = lambda _seed, _event: None,
) -> "list[TrainingProvenance]":
    """Train one of the papers' systems on your own pairs, once per seed, with the options of `assay train`.

    `assay.run(models="trained:FOLDER")` tests the result. `tell` is called with messages, `progress` with the seed and
    every event of its training.
    """
    from assay.run.workers.engines import engine as engine_of
    from assay.run.workers.pool import default_workers
    from assay.training.train_system import TrainSettings, train_system

    if options.preset == "tiny" and not (options.corpora and options.dev):
        tell(TRIAL)
    options = fill_trial(options)
    seeds, corpus_out = options.seeds, options.corpus_out
    if options.engine != "local" and (len(seeds) == 1 or corpus_out):
        raise UserError("--engine needs two or more seeds, and can't be combined with corpus_out.")
    spec = _spec_of(options)
    settings = TrainSettings(
        suites=tuple(map(Path, options.suites)),
        overwrite=options.overwrite,
        corpus_out=_place(corpus_out) if corpus_out else None,
        threads=options.threads,
        data_map=options.data_map,
        tell=tell,
        progress=progress,
    )
    hangs = 0  # nobody knows how long a training takes
    with engine_of(options.engine, min(len(seeds), default_workers()), hangs=hangs) as executor:
        return train_system(spec, _place(options.out or ""), settings, seeds=seeds, executor=executor)


def _place(out: str | Path) -> Path:
    from assay.storage.remote import stand_in

    return Path(stand_in(out))


def _spec_of(options: TrainOptions) -> "TrainSpec":
    from assay.training.training_corpus import TrainSpec

    if options.apart_from and not options.augment:
        raise UserError("--apart-from is about added cases: name their suite with --augment.")
    shares = [_share(source) for source in options.corpora]
    if options.redraw and all(rate == 1 for _, rate in shares):
        raise UserError("--set redraw=yes needs a corpus of which only a fraction is used: --from CORPUS@SHARE.")
    reading = options.given_reading()
    same: dict[str, Any] = {
        name: getattr(options, name)
        for name in TrainSpec.__struct_fields__
        if name in TrainOptions.__struct_fields__ and name not in CONVERTED
    }
    return TrainSpec(
        **same,
        switches=dict(options.switches or {}),
        sources=tuple(
            msgspec.structs.replace(_reading_of(corpus, reading), sample=msgspec.UNSET) for corpus, _ in shares
        ),
        rates=tuple(rate for _, rate in shares),
        dev=_reading_of(options.dev or "", {**reading, "limit": None, "sample": None}),
        swap=options.swap / 100,
        withhold={group: tuple(values.split("+")) for group, values in (options.withhold or {}).items()},
    )


CONVERTED = ("switches", "sources", "dev", "swap", "withhold")  # options that a specification holds in another form


def _reading_of(corpus: str, reading: Mapping[str, Any]) -> "CorpusReading":
    from assay.corpora.reader import read

    found: CorpusReading = read(corpus, **reading).reading
    return found


def _share(source: str) -> tuple[str, float]:
    name, found, rate = source.rpartition("@")
    if not found:
        return source, 1.0
    try:
        share = float(rate)
    except ValueError:
        return source, 1.0  # an @ in a file's name
    if not 0 < share <= 1:
        raise UserError(f"--from {source}: a fraction must be above 0 and at most 1.")
    return name, share
