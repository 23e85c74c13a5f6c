"""assay study judge."""

from functools import partial
from typing import Any

import click

from assay.app.cli import options, talk


@click.command("judge")
@click.option(
    "--model",
    required=True,
    shell_complete=options.complete("models"),
    help="The judge: openai:MODEL@URL, with the options of its name.",
)
@options.source
@click.option("--dry-run", is_flag=True, help="Say what asking would cost, without asking.")
@click.option("--budget", type=click.FloatRange(min=0), metavar="AMOUNT", help="Stop before it costs more than this.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep cached answers.")
@options.reading
@options.as_json
@options.config
@options.talk
def judge(
    model: str,
    source: str,
    dry_run: bool,
    budget: float | None,
    no_cache: bool,
    as_json: bool,
    quiet: bool,
    **reading: Any,
) -> None:
    """Find out what a language model that judges pairs leans on besides the texts.

    It is asked about the same pairs in ways that should not matter: without a premise, with the labels listed in other
    orders, with two label names exchanged, in three wordings, and twice. The tables show its label prior, the order
    effect, the prompt spread and its self-agreement; intervals count pairs with the same premise together. Every pair
    takes about eight calls: try `--sample 50` and `--dry-run` first.
    """
    from assay.bench.api import read
    from assay.bench.studies.judge import judge_cost, study_judge
    from assay.reports.tables.analyses.leaning import leaning_parts
    from assay.reports.write.terminal.tables import shown

    corpus = read(source, **reading)
    if dry_run:
        cost = judge_cost(model, corpus)
        if as_json:
            talk.show_json(cost)
        else:
            talk.show(cost.text)
        return
    tell = partial(talk.note, silently=quiet)
    with talk.stages(silently=quiet) as stage:
        found = study_judge(model, corpus, budget=budget, cache=not no_cache, stage=stage, tell=tell)
    if as_json:
        talk.show_json(found)
    else:
        talk.show(shown(leaning_parts(found)))
