"""What a judge leans on, as four sentences and two tables."""

from collections.abc import Iterator

from assay.core.results.estimate import Estimate
from assay.core.results.leaning import Leaning
from assay.evaluate.analyses.leaning import AS_ASKED, BLANK
from assay.reports.numbers import ends, interval, percent
from assay.reports.tables.sheet import Cell, Part, Row, Sheet, around, numbers, share, texts
from assay.reports.words import short_name

VARIANTS_NOTE = (
    "In per cent. Unclear: replies without a label, which count as the label that the option `unclear` names. Last "
    "columns: how often each label is the answer."
)
EFFECTS_NOTE = (
    "In per cent of the pairs; the prompt spread in points. Order effect: the answer is not the same in all orders of "
    "the labels. Name effect: the answer changes when two labels exchange their names; keeps the name: of the answers "
    "with these names, those that keep the name and change the meaning. Same in all wordings and self-agreement: the "
    "same answer to the question in other words, and to the same question asked twice. What self-agreement lacks is "
    "noise, and is in the other figures too; by chance alone, the best wording is above the worst."
)
EFFECTS = {
    "order-effect": "order effect",
    "name-effect": "name effect",
    "keeps-name": "keeps the name",
    "prompt-spread": "prompt spread",
    "prompt-agreement": "same in all wordings",
    "self-agreement": "self-agreement",
}


def leaning_parts(found: Leaning) -> list[Part]:
    """Everything that a command shows of a study of a judge."""
    calls = len(found.variants) * found.pairs
    return [
        *leaning_lines(found),
        "",
        f"{found.pairs:,} pairs of {found.source} with {found.premises:,} premises, each asked in "
        f"{len(found.variants)} ways: {calls:,} questions.",
        *(f"note: {note}" for note in found.notes),
        *(f"Not measured: {what}, because {why}." for what, why in found.not_measured.items()),
        *(part for sheet in leaning_sheets(found) for part in ("", sheet)),
    ]


def leaning_lines(found: Leaning) -> Iterator[str]:
    """What a reader should take away."""
    name = short_name(found.model)
    chance = 1 / len(found.labels)
    prior = max((_figure(found, "answer", variant=BLANK, label=label) for label in found.labels), key=_value)
    yield (
        f"Label prior: without a premise, {name} says {prior.slice['label']} in {_said(prior)} of the cases; "
        f"each label would have {percent(chance)} % if it had no favourite."
    )
    if order := found.find("order-effect"):
        places = [_figure(found, "place", place=str(place + 1)) for place in range(len(found.labels))]
        favourite = max(places, key=_value)
        yield (
            f"Order effect: {_said(order)} of the answers are not the same in all orders of the labels; "
            f"label {favourite.slice['place']} of the list is chosen in {_said(favourite)}."
        )
    if spread := found.find("prompt-spread"):
        yield (
            f"Prompt spread: {percent(spread.value)} points of accuracy ({ends(spread.low, spread.high)}) between "
            f"the best and the worst of three wordings; {_said(_figure(found, 'prompt-agreement'))} of the answers "
            "are the same in all."
        )
    same = _said(_figure(found, "self-agreement"))
    yield f"Self-agreement: asked twice, it gives the same answer in {same}. The rest is noise, above too."
    unclear = _figure(found, "unclear", variant=AS_ASKED)
    yield f"Unclear replies: {_said(unclear)}, after each was asked for again in stricter words."


def leaning_sheets(found: Leaning) -> list[Sheet]:
    """The tables of a study of a judge."""
    return [variants_sheet(found), effects_sheet(found)]


def variants_sheet(found: Leaning) -> Sheet:
    """Accuracy and answers in each variant of the question."""
    rows = []
    for variant, about in found.variants.items():
        accuracy = _figure(found, "accuracy", variant=variant)
        labels = [share(_figure(found, "answer", variant=variant, label=label)) for label in found.labels]
        unclear = share(_figure(found, "unclear", variant=variant))
        rows.append(Row("", (Cell(variant), share(accuracy), around(accuracy), unclear, *labels, Cell(about))))
    columns = (*texts("variant"), *numbers("accuracy", "95 %", "unclear", *found.labels), *texts("what it changes"))
    return Sheet("variants", "The same pairs, asked in other ways", VARIANTS_NOTE, columns, tuple(rows))


def effects_sheet(found: Leaning) -> Sheet:
    """What follows from comparing the variants."""
    named = [(EFFECTS[each.name], each) for each in found.estimates if each.name in EFFECTS]
    named += [(f"label {each.slice['place']} of the list", each) for each in found.estimates if each.name == "place"]
    rows = tuple(Row("", (Cell(name), share(each), around(each), Cell(f"{each.n:,}"))) for name, each in named)
    return Sheet(
        "effects", "What the judge leans on", EFFECTS_NOTE, (*texts(""), *numbers("share", "95 %", "of")), rows
    )


def _figure(found: Leaning, name: str, **where: str) -> Estimate:
    return found.find(name, **where) or Estimate(name=name, value=None, n=0, slice=where)


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _said(estimate: Estimate) -> str:
    return f"{percent(estimate.value)} % ({interval(estimate)})" if estimate.value is not None else "no"
