"""assay train."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from assay.cli import options, output

TRIAL = "A trial on bundled pairs: it shows that training works, not how good the system is."


@click.command("train")
@click.argument("system")
@click.option(
    "--from",
    "sources",
    multiple=True,
    metavar="CORPUS[@SHARE]",
    help="Training pairs; may be repeated. `@0.15` takes about that share of them.",
)
@click.option("--dev", metavar="CORPUS", help="Pairs that pick the best weights; never trained on.")
@click.option("--out", type=options.PathOrAddress(writes=True), help="The system's folder, which must not exist yet.")
@click.option(
    "--preset",
    type=click.Choice(["paper", "allennlp", "laptop", "tiny"]),
    default="laptop",
    show_default=True,
    help="Model sizes and training schedule.",
)
@click.option("--vectors", metavar="FILE", help="Word vectors in GloVe's text format, for the systems that need them.")
@click.option(
    "--seed",
    "seeds",
    type=int,
    multiple=True,
    default=(0,),
    show_default=True,
    help="Seed to train with, and to draw and swap training pairs with; may be repeated.",
)
@click.option("--two-way", is_flag=True, help="Merge neutral and contradiction into non-entailment.")
@click.option(
    "--swap",
    type=click.FloatRange(0, 100),
    default=0.0,
    metavar="PERCENT",
    help="Swap the texts of this percentage of neutral and contradiction pairs.",
)
@click.option("--redraw", is_flag=True, help="Draw the shares of `--from CORPUS@SHARE` again for each epoch.")
@click.option(
    "--regularise",
    type=click.Choice(["logic"]),
    help="Add a penalty to the loss if answers to a pair and its swap break rules of logic; `--set` sets weights.",
)
@click.option(
    "--debias",
    metavar="METHOD",
    help="Keep the system from learning what a biased model knows: reweight, poe (product of experts), mixin (learned "
    "mixin), confreg (confidence regularisation), focal or draw.",
)
@click.option(
    "--bias",
    metavar="hypothesis|overlap|shallow|FILE",
    help="The biased model: the hypothesis alone; how much of it is in the premise; the system itself trained on 2,000 "
    "pairs; or a file with probabilities by pair id.",
)
@click.option(
    "--teacher", metavar="DIR", help="A system trained in the ordinary way, for `--debias confreg`: its folder."
)
@click.option("--augment", multiple=True, metavar="SUITE", help="Add the cases of a suite; may be repeated.")
@click.option(
    "--withhold",
    type=click.UNPROCESSED,
    multiple=True,
    callback=options.mapping,
    metavar="GROUP=VALUE+VALUE,...",
    help="Leave out the cases of these groups: subcase=cn_adverb+ce_adverb.",
)
@click.option(
    "--apart-from",
    multiple=True,
    metavar="SUITE",
    help="Leave out added cases that share a premise, edited words or a template with this test; may be repeated.",
)
@click.option(
    "--apart-by",
    type=click.Choice(["premises", "words", "templates"]),
    multiple=True,
    default=("premises", "words", "templates"),
    show_default=True,
    help="What they must not share; may be repeated.",
)
@click.option(
    "--data-map",
    is_flag=True,
    help="Store how each training pair was learned; `assay study data-map DIR` shows it.",
)
@click.option("--map-from", metavar="DIR", help="A system trained with `--data-map`, to choose training pairs by.")
@click.option(
    "--keep",
    metavar="PART:SHARE",
    help="Train on a part of the pairs, by that map: ambiguous:0.33, hard:0.33 or easy:0.33.",
)
@click.option(
    "--repeat-forgotten",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Make N more passes in each epoch over pairs that were forgotten, by that map.",
)
@click.option(
    "--suite",
    "suites",
    multiple=True,
    type=options.PathOrAddress(exists=True, file_okay=False),
    help="Store answers to this suite after each epoch; may be repeated.",
)
@click.option(
    "--set",
    "switches",
    type=click.UNPROCESSED,
    multiple=True,
    callback=options.mapping,
    metavar="SWITCH=VALUE,...",
    help="Values to change in the preset: hidden=100,epochs=3.",
)
@click.option(
    "--corpus-out",
    type=options.PathOrAddress(writes=True),
    help="Folder for the training pairs with a manifest, to look at or to train on elsewhere.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    show_default="one per core",
    help="Threads that PyTorch may use. With another number, the last digits of weights may differ.",
)
@click.option("--tensorboard", is_flag=True, help="Also write curves for TensorBoard.")
@options.engine
@options.reading
@options.overwrite
@options.as_json
@options.config
@options.talk
def command(
    system: str,
    sources: tuple[str, ...],
    dev: str | None,
    out: Path | None,
    preset: Any,
    vectors: str | None,
    seeds: tuple[int, ...],
    two_way: bool,
    swap: float,
    redraw: bool,
    regularise: Any,
    debias: Any,
    bias: str | None,
    teacher: str | None,
    augment: tuple[str, ...],
    withhold: dict[str, str] | None,
    apart_from: tuple[str, ...],
    apart_by: tuple[Any, ...],
    data_map: bool,
    map_from: str | None,
    keep: str | None,
    repeat_forgotten: int,
    suites: tuple[Path, ...],
    switches: dict[str, str] | None,
    corpus_out: Path | None,
    threads: int | None,
    tensorboard: bool,
    engine: str,
    overwrite: bool,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Train one of the papers' systems on your own pairs.

    `assay list systems` lists the systems. Training says how much memory it needs before it starts, and
    after the first steps how long an epoch will take. If training is interrupted, repeat the same command to
    resume it; the weights come out the same. Test the trained system with `--model trained:DIR`.

    --from, --dev and --out are needed, and --vectors by all systems that read words. With `--preset tiny`, a trial,
    bundled pairs and vectors stand in for those that you leave out, and the folder is SYSTEM-tiny.
    """
    import msgspec

    from assay.core import registry
    from assay.corpora.reader import BUNDLED, read
    from assay.evaluate.seeds import band
    from assay.run.workers.engines import engine as engine_of
    from assay.run.workers.pool import default_workers
    from assay.training.train_system import TrainSettings, train_system
    from assay.training.training_corpus import TrainSpec

    name = registry.systems.resolve(system)
    if preset == "tiny":
        out = out or Path(f"{name.partition('/')[0]}-tiny")
        if not (sources and dev):
            output.note(TRIAL, silently=quiet)
        sources, dev, vectors = sources or (BUNDLED,), dev or BUNDLED, vectors or BUNDLED
    missing = [option for option, given in (("--from", sources), ("--dev", dev), ("--out", out)) if not given]
    if missing or dev is None or out is None:
        raise click.UsageError(
            f"Missing {', '.join(missing)}. For a trial without any of them: assay train {system} --preset tiny"
        )
    if apart_from and not augment:
        raise click.UsageError("--apart-from is about added cases: name their suite with --augment.")
    shares = [_share(source) for source in sources]
    if redraw and all(rate == 1 for _, rate in shares):
        raise click.UsageError("--redraw draws a share of a corpus again for each epoch: --from CORPUS@SHARE.")
    spec = TrainSpec(
        system=name,
        preset=preset,
        switches=switches or {},
        sources=tuple(
            msgspec.structs.replace(read(corpus, **reading).reading, sample=msgspec.UNSET) for corpus, _ in shares
        ),
        rates=tuple(rate for _, rate in shares),
        sample=reading["sample"],
        redraw=redraw,
        dev=read(dev, **{**reading, "limit": None, "sample": None}).reading,
        vectors=vectors,
        two_way=two_way,
        swap=swap / 100,
        augment=augment,
        withhold={group: tuple(values.split("+")) for group, values in (withhold or {}).items()},
        apart_from=apart_from,
        apart_by=apart_by,
        map_from=map_from,
        keep=keep,
        repeat_forgotten=repeat_forgotten,
        regularise=regularise,
        debias=debias,
        bias=bias,
        teacher=teacher,
    )
    if engine != "local" and (len(seeds) == 1 or corpus_out):
        raise click.UsageError("--engine is for several seeds, which it trains at the same time, without --corpus-out.")
    pool = engine_of(engine, min(len(seeds), default_workers()), hangs=0)  # nobody knows how long a training takes
    with pool as executor, output.stages(silently=quiet) as stage:
        settings = TrainSettings(
            suites=suites,
            overwrite=overwrite,
            tensorboard=tensorboard,
            corpus_out=corpus_out,
            threads=threads,
            data_map=data_map,
            tell=partial(output.note, silently=quiet),
            progress=_teller(stage, quiet=quiet),
        )
        made = train_system(spec, out, settings, seeds=seeds, executor=executor)
    if as_json:
        output.show_json(made)
        return
    if left_out := made[0].data.unlabelled:
        output.note(
            f"{left_out:,} cases of --augment, such as swapped pairs, claim no label and were left out.", silently=quiet
        )
    for what, count in made[0].data.apart.items():
        output.note(f"{count:,} cases of --augment were left out: they share {what} with --apart-from.", silently=quiet)
    for each in made:
        where = out if len(made) == 1 else out / f"seed-{each.seed}"
        early = f", stopped early: {each.stopped}" if each.stopped else ""
        share = f"{100 * each.accuracy:.1f}% of the development pairs"
        output.say(f"seed {each.seed}: {share} after {each.epochs} epochs{early}; {where}")
    if len(made) > 1:
        found = band([each.accuracy for each in made])
        output.say(
            f"{len(made)} seeds: mean {100 * found.mean:.1f}%, from {100 * found.low:.1f} to {100 * found.high:.1f}"
        )


def _share(source: str) -> tuple[str, float]:
    name, found, rate = source.rpartition("@")
    if not found:
        return source, 1.0
    try:
        share = float(rate)
    except ValueError:
        return source, 1.0  # an @ in a file's name
    if not 0 < share <= 1:
        raise click.UsageError(f"--from {source}: a share must be above 0 and at most 1.")
    return name, share


def _forecast(event: Any) -> str:
    """How long training will take."""
    whole = duration(event.epochs * event.seconds)
    every = "" if event.epochs == 1 else f"; {event.epochs} epochs take at most {whole}"
    speed = f"{event.pairs_per_second:,.0f} pairs per second"
    return f"An epoch of {event.pairs:,} pairs takes about {duration(event.seconds)} ({speed}){every}."


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(42), duration(95), duration(7300)
    ('42 seconds', '2 minutes', '2.0 hours')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _teller(stage: Any, *, quiet: bool) -> Any:
    """A progress bar if there is a terminal, and always one line per check."""
    from assay.training.events import DevelopmentChecked, Event, Timed

    bars: dict[int, Any] = {}

    def tell(seed: int, event: Event) -> None:
        if isinstance(event, DevelopmentChecked):
            best = ", the best so far" if event.is_best else ""
            output.note(
                f"epoch {event.epoch}: {100 * event.accuracy:.1f}% of the development pairs{best}", silently=quiet
            )
            return
        if isinstance(event, Timed):
            output.note(_forecast(event), silently=quiet)
            return
        if seed not in bars:
            bars[seed] = stage(f"Training, seed {seed}", event.steps)
            bars[seed](event.step)
        else:
            bars[seed](50)
        if event.step % 500 == 0:
            output.note(
                f"step {event.step:,} of {event.steps:,}: loss {event.loss:.3f}, {100 * event.accuracy:.1f}% right, "
                f"{event.pairs_per_second:,.0f} pairs per second",
                silently=quiet,
            )

    return tell
