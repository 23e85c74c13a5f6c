"""assay train."""

from pathlib import Path
from typing import Any

import click

from assay.cli import options as shared
from assay.cli import output
from assay.training.train import TrainOptions

EXAMPLES = (
    "assay train cbow --preset tiny",
    "assay train esim --from snli_train.jsonl --dev snli_dev.jsonl --vectors glove.txt --out esim",
)


@click.command("train", cls=shared.AssayCommand, examples=EXAMPLES)
@click.argument("system")
@shared.fields(TrainOptions)
@shared.as_json
@shared.config
@shared.talk
def command(options: TrainOptions) -> None:
    """Train one of the papers' systems on your own pairs.

    `assay list systems` lists the systems. Before it starts, training reports how much memory it needs;
    after the first steps, how long an epoch will take. If training is interrupted, repeat the same command to
    resume it; the weights come out the same. Test the trained system with `--model trained:DIR`.

    --from, --dev and --out are required; systems that read words also need --vectors. `--preset tiny` is for a trial:
    bundled pairs and vectors replace the ones that you leave out, and the folder is SYSTEM-tiny.
    """
    from assay.evaluate.seeds import band
    from assay.training.train import fill_trial, train

    out = Path(fill_trial(options).out or "")
    improving: set[int] = set()
    with output.stages() as stage:
        made = train(options=options, tell=output.note, progress=_teller(stage, improving))
    if output.wants_json():
        output.show_json(made)
        return
    if left_out := made[0].data.unlabelled:
        output.note(f"{left_out:,} cases of --augment, such as swapped pairs, have no label and were skipped.")
    for what, count in made[0].data.apart.items():
        output.note(f"{count:,} cases of --augment were skipped: they share {what} with --apart-from.")
    for each in made:
        where = out if len(made) == 1 else out / f"seed-{each.seed}"
        early = f", stopped early: {each.stopped}" if each.stopped else ""
        share = f"{100 * each.accuracy:.1f}% of the development pairs"
        output.say(f"seed {each.seed}: {share} after {each.epochs} epochs{early}; {where}")
    if rising := [each for each in made if each.seed in improving and not each.stopped]:
        output.note(f"The last epoch was the best: more may help, as with --set epochs={2 * rising[0].epochs}.")
    if len(made) > 1:
        found = band([each.accuracy for each in made])
        output.say(
            f"{len(made)} seeds: mean {100 * found.mean:.1f}%, from {100 * found.low:.1f} to {100 * found.high:.1f}"
        )


def duration(seconds: float) -> str:
    """A time for people.

    >>> duration(42), duration(95), duration(7300)
    ('42 seconds', '2 minutes', '2.0 hours')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} seconds"
    return f"{seconds / 60:.0f} minutes" if seconds < 5400 else f"{seconds / 3600:.1f} hours"


def _teller(stage: Any, improving: set[int]) -> Any:
    """A progress bar if there is a terminal, and always one line per check; `improving` gets seeds still improving."""
    from assay.training.events import DevelopmentChecked, Event, Timed

    bars: dict[int, Any] = {}

    def tell(seed: int, event: Event) -> None:
        if isinstance(event, DevelopmentChecked):
            (improving.add if event.is_best else improving.discard)(seed)
            best = ", the best so far" if event.is_best else ""
            output.note(f"epoch {event.epoch}: {100 * event.accuracy:.1f}% of the development pairs{best}")
            return
        if isinstance(event, Timed):
            every = f"; {event.epochs} epochs take at most {duration(event.epochs * event.seconds)}"
            output.note(
                f"An epoch of {event.pairs:,} pairs takes about {duration(event.seconds)} "
                f"({event.pairs_per_second:,.0f} pairs per second){'' if event.epochs == 1 else every}."
            )
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
            )

    return tell
