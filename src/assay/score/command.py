"""assay score."""

from pathlib import Path

import click
import msgspec

from assay.cli import options as shared
from assay.cli import output
from assay.run.run_options import ReadOptions
from assay.score.scoring import ScoreOptions


@click.command(
    "score",
    cls=shared.AssayCommand,
    examples=("assay score bundled answers.jsonl", "assay score my-suite answers.csv --missing wrong"),
)
@click.argument("source", metavar="SUITE|CORPUS")
@click.argument("predictions", required=False, type=shared.PathOrAddress())
@shared.fields(ReadOptions, "reading")
@shared.fields(ScoreOptions)
@click.option(
    "--judged-by",
    type=shared.RunFolder(),
    metavar="RUN",
    help="Correct the rate of a judge's verdicts on unlabelled texts for the errors that the judge made in this run.",
)
@click.option("--model", metavar="NAME", help="With --judged-by: the judge, if the run has several models.")
@shared.as_json
@shared.config
@shared.talk
def command(options: ScoreOptions, reading: ReadOptions, judged_by: Path | None, model: str | None) -> None:
    """Score a file of answers against a suite or a corpus, by id or by texts.

    PREDICTIONS is JSON lines, csv or tsv with an id (`id` or `pairID`) and a label (`prediction`, `predicted_label`,
    `label` or, as in HANS, `gold_label`). Without ids, answers are matched by their two texts, in order where texts
    repeat. It may also have `probabilities` by label, one column per label, or a list of `predicted_scores` by label
    number. If it has both a label and probabilities, the label must be the most probable one. Instead of a label, it
    may have a support score from 0 to 1 (`score`); a column `label` next to it is not read. Without PREDICTIONS, the
    first file holds gold labels and predictions: `label` and `predicted_label`, as in eval_predictions.jsonl, `label`
    and `score`, or `gold_label`, `prediction` and `source`, which names the test, as for the stress tests' evaluator.
    --labels applies to both files.

    With --judged-by RUN, the file holds the verdicts of a judge on texts without labels, and RUN is the same judge on
    claims with labels: the rate of supported texts is corrected for the judge's errors, with an interval.

    If a case is an unchanged source pair, the id of the pair works too, as in the released answers to HANS.
    """
    from assay.corpora.reader import read
    from assay.reports.published.comparable_results import with_published
    from assay.run.api import is_suite
    from assay.score.score_summary import score_summary
    from assay.score.scoring import score

    source, predictions = options.source, options.predictions
    if judged_by is not None:
        from assay.score.judged_rate import judged_rate

        if predictions is not None:
            raise click.UsageError("--judged-by takes one file, which holds the verdicts.")
        share = judged_rate(source, judged_by, model=model, labels=reading.labels, threshold=options.threshold)
        output.show_result(share, lambda: share.sentence)
        return
    as_it_is = predictions is None or is_suite(source)
    strange = [name for name in reading.given_reading() if name != "labels"]
    if as_it_is and strange:
        raise click.UsageError(
            f"--{strange[0].replace('_', '-')} applies to a corpus, but {source} is not read as one."
            + ("" if predictions else f" To read it as both corpus and answers, give it twice: {source} {source}.")
        )
    corpus = source if as_it_is else read(source, **reading.given_reading())
    found = score(options=msgspec.structs.replace(options, source=corpus, labels=reading.labels))
    if output.wants_json():
        output.show_json(with_published(found))
    else:
        output.show(score_summary(found))
    for text in found.notes:
        output.note(f"{predictions or source}: {text}")
    if found.missing:
        what = "counted as wrong" if options.missing == "wrong" else "left out"
        output.note(f"{found.missing:,} of {found.cases:,} cases had no answer and were {what}.")
    if found.unknown:
        output.note(f"{found.unknown:,} answers belong to no case here.")
