"""assay ask."""

import click

from assay.ask.ask_pair import MODEL, AskOptions, ask
from assay.cli import options as shared
from assay.cli import output


@click.command(
    "ask",
    cls=shared.AssayCommand,
    examples=(
        'assay ask "A man sleeps." "A man is awake."',
        'assay ask "Two dogs run." "Dogs run." --model assay:esim --stress',
    ),
)
@click.argument("premise")
@click.argument("hypothesis")
@shared.fields(AskOptions)
@shared.as_json
@shared.talk
def command(options: AskOptions) -> None:
    """Run models on one pair, and see which words and edits change their answers.

    It shows each model's answer with probabilities, then the words that carry it: the models run again without each
    word, and a word's weight is how far the probability of the answer falls. With --stress, it shows what each family
    of tests builds from the pair, and how the answers change. No run is stored.
    """
    from assay.ask.pair_summary import pair_summary

    if not options.models:
        output.note(f"No --model was given, so {MODEL} is used, which comes with Assay.")
    found = ask(options=options, tell=output.note)
    output.show_result(found, lambda: pair_summary(found))
    for note in found.notes:
        output.note(note)
