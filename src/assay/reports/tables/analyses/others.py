"""Tables of what Wang et al. (2019) and McCoy et al. (2019) analyse, and of what predicts failure elsewhere."""

import msgspec

from assay.core.analysis import Analysis
from assay.reports.published.figures import table
from assay.reports.tables.analyses.grid import (
    PUBLISHED,
    WHICH,
    called,
    cases,
    decimal,
    grid,
    has_published,
    named,
    number,
    plain,
    published,
)
from assay.reports.tables.sheet import Part, Sheet


def swap(found: Analysis) -> list[Part]:
    """Accuracies by share of swapped pairs, and the two deviations."""
    accuracy = grid(
        named(found, "accuracy", "swapped"),
        ("model", "suite", "family"),
        name="accuracy",
        title="Accuracy by percentage of swapped training pairs",
        note="Per cent.",
        across="swapped",
        show=plain,
        after={"cases": cases},
    )
    deviations = grid(
        [called(each, each.name) for name in ("deviation", "deviation as printed") for each in named(found, name)],
        ("model", "suite", "family"),
        name="deviation",
        title="How far swapping moves a system",
        note="The sum of squared distances from 1 of accuracy over accuracy without swapping, with 95 % intervals: "
        "over all percentages, as in the text of Wang et al. (2019), and without 25, as they print it.",
        across=WHICH,
        show=decimal,
    )
    return [accuracy, deviations]


def epochs(found: Analysis) -> list[Part]:
    """Accuracy and agreement by epoch, the most frequent errors that two systems share, and what they are."""
    made: list[Part] = [
        grid(
            named(found, "accuracy", "epoch"),
            ("epoch",),
            name="accuracy",
            title="Accuracy after each epoch",
            note=f"Per cent of the cases ({found.settings['family']}), with 95 % intervals.",
        )
    ]
    if agreement := named(found, "agreement", "epoch"):
        made.append(
            grid(
                agreement,
                ("epoch",),
                name="agreement",
                title="Same answers as after the epoch before",
                note="Per cent of the cases, with 95 % intervals.",
            )
        )
    kinds = grid(
        named(found, "direction", "label", "answer"),
        ("label", "answer"),
        name="kinds",
        title=f"Kinds of errors among the {found.settings['most']} most frequent",
        note="Per cent of the cases that a system gets wrong after most epochs, by its most frequent wrong answer.",
    )
    shared = _common(found)
    return [*made, kinds, *([shared] if shared.rows else []), *found.notes]


def subcases(found: Analysis) -> list[Part]:
    """Accuracy by heuristic, subcase and template, for each label; then support."""
    made: list[Part] = []
    for name, title in (("heuristic", "Heuristics"), ("subcase", "Subcases"), ("template", "Templates")):
        own = named(found, "accuracy", name, "label")
        if own:
            sheet = grid(
                own,
                ("suite", "label", name),
                name=f"{name}s",
                title=f"{title}, entailed and not",
                note="Accuracy in per cent, with 95 % intervals.",
                after={"cases": cases, PUBLISHED: published(found, "accuracy", as_family="heuristics")},
            )
            made.append(has_published(sheet))
    return [*made, *_support(found)]


def _support(found: Analysis) -> list[Part]:
    own = [called(each, each.name) for name in ("support", "contradict") for each in named(found, name, "definition")]
    if not own:
        return []
    printed = {row.name.replace(" ", "_"): row.values for row in table("mccoy2019", "section 2").rows}
    said = ", ".join(f"{name.replace('_', ' ')} {values[0]} and {values[1]}" for name, values in printed.items())
    return [
        grid(
            own,
            ("definition", "heuristic"),
            name="support",
            title=f"Pairs of {found.settings['train']} that support and contradict a heuristic",
            note=f"In McCoy et al. (2019), for all of MultiNLI's training pairs: {said}.",
            across=WHICH,
            show=number,
        )
    ]


def prediction(found: Analysis) -> list[Part]:
    """Correlations of each family with each target."""
    own = [called(each, each.name) for name in ("correlation", "partial") for each in named(found, name, "target")]
    return [
        grid(
            own,
            ("target", "suite", "family"),
            name="prediction",
            title="Does accuracy on a test go with accuracy elsewhere?",
            note="Correlation over models of the accuracy on a test and on a target. Fisher's 95 % intervals count "
            "systems, not seeds. Partial: given the accuracy on the test's source pairs, so what the test adds to it.",
            across=WHICH,
            show=decimal,
            after={"systems": cases},
        ),
        *found.notes,
    ]


def _common(found: Analysis) -> Sheet:
    """How many frequent errors each two systems share."""
    own = [
        msgspec.structs.replace(
            each, slice={"systems": f"{each.slice['model']} and {each.slice['other']}", WHICH: name}
        )
        for name in ("common", "over ties", "by chance")
        for each in named(found, name)
    ]
    return grid(
        own,
        ("systems",),
        name="common",
        title="Most frequent errors that two systems share",
        note=f"Of {found.settings['most']} cases each; of cases that are wrong equally often, some are drawn. "
        "Over ties: the mean over all such draws. By chance: how many two independent draws of cases would share.",
        across=WHICH,
        show=number,
    )
