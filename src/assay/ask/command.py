"""assay ask."""

from functools import partial
from typing import Any

import click

from assay.cli import options, output


@click.command(
    "ask",
    cls=options.AssayCommand,
    examples=(
        'assay ask "A man sleeps." "A man is awake."',
        'assay ask "Two dogs run." "Dogs run." --model assay:esim --stress',
    ),
)
@click.argument("premise")
@click.argument("hypothesis")
@click.option(
    "--model",
    "models",
    multiple=True,
    show_default="assay:minilm",
    shell_complete=options.complete("models"),
    help="A model to run; may be repeated.",
)
@click.option("--label", metavar="LABEL", help="The right answer, if you know it: entailment, neutral, contradiction.")
@click.option("--stress", is_flag=True, help="Also run the models on what each family builds from the pair.")
@click.option(
    "--family",
    "families",
    multiple=True,
    shell_complete=options.complete("transforms"),
    help="With this family of tests only; may be repeated.",
)
@click.option("--no-words", is_flag=True, help="Skip the words that carry the answer.")
@click.option(
    "--truncate",
    type=click.Choice(["premise", "error"]),
    default="error",
    show_default=True,
    help="If the premise is too long for a model: cut off its end, or stop.",
)
@options.windows
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
@options.seed
@options.as_json
@options.talk
def command(
    premise: str,
    hypothesis: str,
    models: tuple[str, ...],
    label: str | None,
    stress: bool,
    families: tuple[str, ...],
    no_words: bool,
    truncate: Any,
    windows: str,
    no_cache: bool,
    seed: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run models on one pair, and see which words and edits change their answers.

    It shows each model's answer with probabilities, then the words that carry it: the models run again without each
    word, and a word's weight is how far the probability of the answer falls. With --stress, it shows what each family
    of tests makes of the pair, and how the answers move. No run is stored.
    """
    from assay.ask.ask_pair import MODEL, ask
    from assay.ask.pair_summary import pair_summary

    if not models:
        output.note(f"No --model was given, so {MODEL} is used, which comes with Assay.", silently=quiet)
    found = ask(
        premise,
        hypothesis,
        models=models or MODEL,
        label=label,
        words=not no_words,
        stress=stress,
        families=families,
        truncate=truncate,
        windows=windows,
        cache=not no_cache,
        seed=seed,
        tell=partial(output.note, silently=quiet),
    )
    if as_json:
        output.show_json(found)
    else:
        output.show(pair_summary(found))
    for note in found.notes:
        output.note(note, silently=quiet)
