"""The diagnosis as tables: shortcuts, effects of edits, correlates of errors, and errors that models share."""

from collections.abc import Callable, Mapping, Sequence
from math import exp

from assay.core.judgement import Effect, Moves, Profile
from assay.evaluate.diagnose.planting import Sensitivity
from assay.reports.formatting import point_ends, points
from assay.reports.tables.sheet import (
    Sheet,
    SheetCell,
    SheetColumn,
    count,
    numbers,
    p_cell,
    share_cell,
    sheet_row,
    texts,
)
from assay.reports.view import ReportView

NAMES = {
    "constant": "one answer",
    "overlap": "shared words",
    "subsequence": "a piece of the premise",
    "constituent": "a phrase of the premise",
    "few-shared": "few shared words",
    "negation": "a negation word",
    "number": "a number",
    "hypothesis": "the hypothesis alone",
    "premise": "the premise alone",
    "first-word": "the first word",
    "last-word": "the last word",
    "word-pair": "the changed words",
    "length": "length",
    "order": "either side",
    "replacement": "any replacement",
    "scope": "no scope of negation",
    "prior": "a preferred label",
    "unknown": "everything on the surface",
}

INITIALS = {"entailment": "E", "neutral": "N", "contradiction": "C", "non-entailment": "O", "none": "-"}
"""One letter for each answer, for narrow columns."""

CORRECTED = "p: corrected by Holm's method for each model."
WHAT_P_ASKS = (
    "One-sided and clustered by source pair: is the answer given more often than difficulty explains? The test weighs "
    "cases in another way than the interval, so they can disagree."
)


def shortcuts(view: ReportView) -> Sheet:
    """Shortcuts by model: how often it gives their answer where that is wrong, and where they don't give it."""
    rows = [
        sheet_row(
            profile.model,
            view.name(profile.model),
            NAMES[each.name],
            view.names(each.answer) if each.answer else "varies",
            share_cell(each.followed, marked=each.follows),
            share_cell(each.base),
            SheetCell(points(each.difference) if each.difference is not None else "", each.difference),
            point_ends(each.low, each.high),
            p_cell(each.p),
            _outcome(each),
            count(each.n),
        )
        for profile in _profiles(view)
        for each in profile.effects
    ]
    return Sheet(
        "shortcuts",
        "Shortcuts",
        "How often a model gives a shortcut's answer where that is wrong, and how often it gives the same answer "
        "where the shortcut does not, for the same right answers; in %. "
        f"A preferred label: how often it is given on unmodified pairs, and how often it would be right.{_drawn(view)}",
        (
            *texts("model", "shortcut", "answer"),
            *numbers("given", "otherwise", "difference"),
            SheetColumn("95% of it", True, is_detail=True),
            SheetColumn("p", True, is_detail=True, note=f"{CORRECTED} {WHAT_P_ASKS}"),
            *texts("result"),
            *numbers("cases"),
        ),
        tuple(rows),
        mark="a shortcut that the model follows",
    )


def moves(view: ReportView) -> Sheet:
    """The effect of edits on answers: from the answer to a source pair to the answer to its copy."""
    ways = [(one, other) for one in _answers(view) for other in _answers(view) if one != other]
    rows = [
        sheet_row(
            profile.model,
            view.name(profile.model),
            each.family,
            view.label(each.label, suite=each.suite),
            *(_moved(each, one, other) for one, other in ways),
            *_shifted(each),
            count(each.n),
        )
        for profile in _profiles(view)
        for each in profile.moves
    ]
    initials = ", ".join(f"{INITIALS[answer]}: {view.names(answer)}" for answer in _answers(view))
    return Sheet(
        "moves",
        "Where answers move",
        "Copies that keep the label of their source pair, in %: how many get another answer than the pair, "
        f"and which ({initials}); then how often the label is given before and after the edit.{_drawn(view)}",
        (
            *texts("model", "family", "label"),
            *numbers(*(f"{INITIALS[one]} to {INITIALS[other]}" for one, other in ways), "before", "after", "change"),
            SheetColumn("95% of it", True, is_detail=True),
            SheetColumn("p", True, is_detail=True, note=CORRECTED),
            *numbers("cases"),
        ),
        tuple(rows),
        mark="a right answer that is given less often, significantly",
    )


def errors(view: ReportView) -> Sheet:
    """Properties that correlate with errors: odds ratios of a logistic regression."""
    rows = [
        sheet_row(
            profile.model,
            view.name(profile.model),
            each.name,
            each.why_not or each.unit,
            SheetCell("-") if each.value is None else SheetCell(f"{exp(each.value):.2f}", exp(each.value), each.worse),
            "-" if each.low is None or each.high is None else f"{exp(each.low):.2f} to {exp(each.high):.2f}",
            p_cell(each.p),
            count(profile.regression.n),
        )
        for profile in _profiles(view)
        if profile.regression
        for each in profile.regression.coefficients[1:]
    ]
    return Sheet(
        "errors",
        "What goes with errors",
        "Odds ratios of being wrong, if everything else in the table is equal: 2 means twice the odds. "
        f"From a logistic regression with standard errors clustered by premise or word pair.{_drawn(view)}",
        (
            *texts("model", "property", "for"),
            *numbers("odds ratio", "95%"),
            SheetColumn("p", True, note=CORRECTED),
            *numbers("cases"),
        ),
        tuple(rows),
        mark="more errors, significantly",
    )


def versus(view: ReportView) -> Sheet:
    """Agreement of the errors of two models."""
    found = view.diagnosis
    rows = [
        sheet_row(
            each.first,
            view.name(each.first),
            view.name(each.second),
            SheetCell("-" if each.kappa is None else f"{each.kappa:.2f}", each.kappa),
            "-" if each.low is None or each.high is None else f"{each.low:.2f} to {each.high:.2f}",
            p_cell(each.p),
            *map(count, (each.both_wrong, each.only_first, each.only_second, each.n)),
        )
        for each in (found.versus if found else ())
    ]
    only_right = sorted(found.only_right.items(), key=lambda each: view.rank(each[0])) if found else []
    alone = ", ".join(f"{view.name(model)} {n:,}" for model, n in only_right)
    return Sheet(
        "versus",
        "Errors that models share",
        "Kappa: agreement about which cases are wrong, beyond chance; 0 is chance, 1 the same errors. "
        f"Cases that every model of the run gets wrong: {found.all_wrong if found else 0:,}. "
        f"Cases that one model alone gets right: {alone}.{_drawn(view)}",
        (
            *texts("model", "and"),
            *numbers("kappa", "95%"),
            SheetColumn("p", True, is_detail=True, note="p: corrected by Holm's method for all pairs of models."),
            *numbers("both wrong", "only first right", "only second right", "cases"),
        ),
        tuple(rows),
    )


def unknown_shortcuts(view: ReportView) -> Sheet:
    """Rules that a search found in models' answers, and what new cases say about them."""
    rows = [
        sheet_row(
            profile.model,
            view.name(profile.model),
            each.rule,
            view.names(each.answer),
            share_cell(each.followed),
            share_cell(each.base),
            share_cell(each.treated, marked=each.confirmed),
            share_cell(each.control),
            p_cell(each.new_p),
            "shortcut" if each.confirmed else f"goes with errors{f' ({each.why_not})' if each.why_not else ''}",
            count(each.n),
            count(each.new),
        )
        for profile in _profiles(view)
        for each in profile.searched or ()
    ]
    models = [view.name(profile.model) for profile in _profiles(view) if profile.searched == ()]
    return Sheet(
        "unknown-shortcuts",
        "Unknown shortcuts",
        "Rules found on half of the premises. Given: how often the answer is given where it is wrong, in "
        "cases of the other half with the feature, and in comparable cases without it; in %. New cases differ in "
        "the feature alone. Only rules that they confirm are called shortcuts."
        + (f" Nothing was found for {', '.join(models)}." if models else ""),
        (
            *texts("model", "rule", "answer"),
            *numbers("given", "otherwise", "new with", "new without"),
            SheetColumn("p", True, is_detail=True, note="p: of the new cases, corrected for all rules of the model."),
            *texts("result"),
            *numbers("cases", "new cases"),
        ),
        tuple(rows),
    )


DIAGNOSIS: Mapping[str, Callable[[ReportView], Sheet]] = {
    "shortcuts": shortcuts,
    "moves": moves,
    "errors": errors,
    "versus": versus,
    "unknown-shortcuts": unknown_shortcuts,
}
"""The tables of a diagnosis, by name. They are about all suites of a run together."""


def sensitivity_table(found: Sequence[Sensitivity]) -> Sheet:
    """The weakest reliance on each shortcut that the diagnosis of a run's cases would have noticed.

    >>> weak = Sensitivity(shortcut="negation", rule="a negation word", weakest=0.18, draws=100)
    >>> [cell.text for cell in sensitivity_table([weak]).rows[0].cells][::2]
    ['a negation word', '18% of the cases']
    """
    rows = []
    for each in found:
        noticed = "not detectable in this run" if each.weakest is None else f"{each.weakest:.0%} of the cases"
        rows.append(sheet_row("", NAMES[each.shortcut], each.rule, noticed))
    note = (
        "A model is noticed four times out of five if the shortcut decides at least this share of the cases in which "
        f"it gives an answer. Estimated with {found[0].draws} simulated models, which get 75% of the other cases right."
        if found
        else "The run has no cases with labels into which a shortcut could be planted."
    )
    columns = texts("shortcut", "rule", "noticed from")
    return Sheet("sensitivity", "What the diagnosis would have noticed", note, columns, tuple(rows))


def _profiles(view: ReportView) -> Sequence[Profile]:
    return view.diagnosis.profiles if view.diagnosis else ()


def _drawn(view: ReportView) -> str:
    """A note for large runs, of which only a sample of the cases is diagnosed."""
    found = view.diagnosis
    if found is None or not found.drawn_from:
        return ""
    return f" Based on {found.n:,} of {found.drawn_from:,} cases: those of a sample of source pairs."


def _outcome(effect: Effect) -> str:
    if effect.follows:
        return "follows it"
    if effect.possible:
        return "follows this shortcut or another"
    if effect.explained_by:
        return f"explained by {' and '.join(NAMES[name] for name in effect.explained_by)}"
    return ""


def _answers(view: ReportView) -> list[str]:
    """The answers that occur in any matrix, in the usual order."""
    there = {answer for profile in _profiles(view) for each in profile.moves for answer in each.answers}
    return [answer for answer in INITIALS if answer in there]


def _moved(each: Moves, one: str, other: str) -> SheetCell:
    """The fraction of copies that get the second answer, while their source pair gets the first."""
    if one not in each.answers or other not in each.answers:
        return SheetCell("")
    return share_cell(each.counts[each.answers.index(one)][each.answers.index(other)] / each.n)


def _shifted(each: Moves) -> tuple[SheetCell | str, ...]:
    """The frequency of the label before and after, the change, its interval and p."""
    shift = next((shift for shift in each.shifts if shift.answer == each.label), None)
    if shift is None:
        return share_cell(0.0), share_cell(0.0), SheetCell(points(0.0), 0.0), "", ""
    change = shift.after - shift.before
    shares = share_cell(shift.before), share_cell(shift.after), SheetCell(points(change), change, shift.lost)
    return *shares, point_ends(shift.low, shift.high), p_cell(shift.p)
