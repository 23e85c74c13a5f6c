"""An audit as a verdict of two lines and a few tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from assay.audit.audit_result import Audit, Concern, FamilyAudit, Giveaway, Kind, TrainingOverlap, best_shortcut
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.reports.formatting import interval, percent
from assay.reports.phrases import two_way_words
from assay.reports.tables.sheet import (
    Part,
    Sheet,
    SheetCell,
    SheetColumn,
    around,
    count,
    numbers,
    p_cell,
    share,
    share_cell,
    sheet_row,
    texts,
)

FEW, MANY = 3, 10
"""Largest number of words of each family that are shown if there are several families, and if there is one."""

SURFACE = "Right without reading, in %"
SURFACE_NOTE = (
    "Labels guessed from one part of each case, as learned from source pairs with other premises; the most frequent "
    "label needs nothing."
)
BEYOND = "clearly more than the most frequent label gets"
CASES_NOTE = (
    "Shares in %. Repeated: the same words as an earlier case; near: nearly the same as a case of another "
    "source pair with the same label. Templates: what is left without content words. Premise and hypothesis: the "
    "median number of words, by label."
)
RARE: Mapping[str, Callable[[FamilyAudit], int]] = {
    "conflicts": lambda family: family.repeated.conflicting,
    "foreign": lambda family: family.not_english,
}
RARE_NOTES = {"conflicts": "Conflicts: repeated under another label.", "foreign": "Foreign: plainly not English."}
WORDS_NOTE = (
    "Each source pair counts once. With label: the share of pairs with the word that have the label; usually: of all "
    "pairs. z: standard errors between the two. p: exact, corrected for all words."
)
TRAINING_NOTE = (
    "In % of the cases: with the same words as a training pair, nearly the same, made from the same template, "
    "or with the same premise. Of it: how many training pairs are in the cases, exactly or nearly."
)

REPEATS: Mapping[Kind, str] = {
    "training": "{share}% of the cases are in {where}, exactly or nearly.",
    "templates": "{share}% are made from templates of {where}: a model that learned from it has seen their patterns.",
    "duplicates": "{share}% of {where} repeat another case, exactly or nearly.",
    "conflict": "{share}% of {where} repeat a case under another label.",
}

SINGULAR = ("overlap", "length")


def audit_parts(audit: Audit) -> list[Part]:
    names = LabelNames(audit.names)
    unclaimed = f"; {audit.unclaimed:,} more have no label and are not examined" if audit.unclaimed else ""
    return [
        *verdict_lines(audit),
        "",
        f"{audit.cases:,} cases of {audit.name}{unclaimed}.",
        *([two_way_words(names)] if audit.label_space.is_binary else []),
        *(f"note: {note}" for note in audit.notes),
        *(part for sheet in audit_sheets(audit) for part in ("", sheet)),
    ]


def audit_sheets(audit: Audit) -> list[Sheet]:
    names = LabelNames(audit.names)
    found = [surface_sheet(audit), cases_sheet(audit, names)]
    if any(family.giveaways for family in audit.families.values()):
        found.append(words_sheet(audit, names))
    if audit.training:
        found.append(training_sheet(audit))
    return found


def verdict_lines(audit: Audit) -> tuple[str, str]:
    """Sentences about shortcuts and repeated cases."""
    return f"Shortcuts: {_shortcuts(audit)}", f"Repeats: {_repeats(audit)}"


def _shortcuts(audit: Audit) -> str:
    names = LabelNames(audit.names)
    told = [
        f"{percent(each.share)}% of the cases have the label {names(each.what)}." for each in _of_kind(audit, "balance")
    ]
    if shortcuts := _of_kind(audit, "shortcut"):
        worst = max(shortcuts, key=lambda each: each.share - (each.compared or 0.0))
        others = len({each.where for each in shortcuts}) - 1
        more = {0: [], 1: ["One more family can be guessed too."]}.get(others, [f"{others} more families can be too."])
        return " ".join([f"{_beaten(audit, worst)}.", *more, *told])
    family = max(audit.families.values(), key=_gain)
    further = "no further" if _gain(family) <= 0 else f"{percent(_gain(family))} points further"
    best = f"the best one, {best_shortcut(family)}, gets {further} than the most frequent label."
    words = [f"But words such as {each.what!r} go with a label." for each in _of_kind(audit, "words")[:1]]
    return " ".join([best, *words, *told])


def _gain(family: FamilyAudit) -> float:
    return (_shortcut(family, best_shortcut(family)).value or 0.0) - (family.majority.value or 0.0)


def _beaten(audit: Audit, concern: Concern) -> str:
    family = audit.families[concern.where]
    found = _shortcut(family, concern.what)
    where = f" of {concern.where}" if len(audit.families) > 1 else ""
    alone = f"{found.name} alone {'is' if found.name in SINGULAR else 'are'}"
    usual = f"the most frequent label gets {percent(family.majority.value)}%"
    return f"{alone} right on {percent(found.value)}% ({interval(found)}){where}, where {usual}"


def _repeats(audit: Audit) -> str:
    told = [
        text.format(share=percent(each.share), where=each.where)
        for kind, text in REPEATS.items()
        for each in _of_kind(audit, kind)
    ]
    if not told:
        told.append("less than 1% of each family repeats another case.")
    if not audit.training:
        told.append("No training data was given (--train), so it is unknown what a model has seen.")
    elif not _of_kind(audit, "training") and not _of_kind(audit, "templates"):
        told.append("No training data that was given has 1% of the cases or more.")
    return " ".join(told)


def surface_sheet(audit: Audit) -> Sheet:
    """The accuracy of each shortcut, by family; with intervals if there is only one."""
    families = audit.families
    alone = len(families) == 1
    heads = [SheetColumn("right" if alone else name, is_number=True) for name in families]
    ends = numbers("95%") if alone else ()
    shown = list(dict.fromkeys(each.name for family in families.values() for each in family.shortcuts))
    beyond = {(each.where, each.what) for each in _of_kind(audit, "shortcut")}
    rows = []
    for name in shown:
        found = [(where, _shortcut(family, name)) for where, family in families.items()]
        cells = [share(each if each.n else None, marked=(where, name) in beyond) for where, each in found]
        rows.append(sheet_row("", name, *cells, *([around(found[0][1])] if alone else [])))
    rows.append(sheet_row("", "cases", *(count(each.n) for each in families.values()), *([""] if alone else [])))
    return Sheet("surface", SURFACE, SURFACE_NOTE, (*texts("shortcut"), *heads, *ends), tuple(rows), BEYOND)


def cases_sheet(audit: Audit, names: LabelNames) -> Sheet:
    """Labels, lengths and repeated cases, by family; what is rare has a column only if it occurs."""
    families = audit.families
    there = {label for family in families.values() for label in family.labels}
    labels = [label.value for label in Label if label.value in there]
    rare = [name for name, counted in RARE.items() if any(map(counted, families.values()))]
    heads = [*map(names, labels), "premise", "hypothesis", "repeated", "near", "templates", *rare]
    rows = []
    for name, family in families.items():
        repeated = family.repeated
        counts = [repeated.exact, repeated.near, repeated.templates, *(RARE[each](family) for each in rare)]
        cells = [*_balance(family, labels), *_texts(family, labels), *map(count, counts)]
        rows.append(sheet_row("", name, *cells))
    note = " ".join([CASES_NOTE, *(RARE_NOTES[each] for each in rare)])
    return Sheet("cases", "Labels, lengths and repeats", note, (*texts("family"), *numbers(*heads)), tuple(rows))


def _balance(family: FamilyAudit, labels: Sequence[str]) -> Iterator[SheetCell]:
    for label in labels:
        found = family.labels.get(label)
        yield SheetCell("-") if found is None else share_cell(found.n / family.n)


def _texts(family: FamilyAudit, labels: Sequence[str]) -> Iterator[SheetCell]:
    there = [family.labels[label] for label in labels if label in family.labels]
    medians = [str(each.premise.median) for each in there]
    yield SheetCell(medians[0] if len({*medians}) == 1 else "/".join(medians))
    yield SheetCell("/".join(str(each.hypothesis.median) for each in there))


def words_sheet(audit: Audit, names: LabelNames) -> Sheet:
    """The words and phrases associated with a label, the strongest of each family."""
    alone = len(audit.families) == 1
    columns = (
        *texts(*([] if alone else ["family"]), "word", "in", "label"),
        *numbers("pairs", "with label", "usually", "z", "p"),
    )
    rows = tuple(
        sheet_row("", *([] if alone else [name]), *_giveaway(each, names))
        for name, family in audit.families.items()
        for each in family.giveaways[: MANY if alone else FEW]
    )
    found = sum(family.found for family in audit.families.values())
    title = f"Words that go with a label: the strongest of {found:,}"
    return Sheet("words", title, WORDS_NOTE, columns, rows)


def _giveaway(found: Giveaway, names: LabelNames) -> Iterator[SheetCell]:
    yield from map(SheetCell, (found.phrase, found.side, names(found.label)))
    yield count(found.pairs)
    yield from (share_cell(found.share), share_cell(found.expected))
    yield from (SheetCell(f"{found.z:.1f}", found.z), p_cell(found.p))


def training_sheet(audit: Audit) -> Sheet:
    columns = (*texts("training data"), *numbers("pairs", "exact", "near", "template", "premise", "of it"))
    marked = {(each.kind, each.where) for each in audit.concerns}
    rows = tuple(sheet_row("", *_overlap(each, marked)) for each in audit.training)
    mark = "so many that a model trained on it may score too high"
    return Sheet("training", "In the training data", TRAINING_NOTE, columns, rows, mark)


def _overlap(found: TrainingOverlap, marked: set[tuple[Kind, str]]) -> Iterator[SheetCell]:
    yield SheetCell(found.name)
    yield count(found.pairs)
    kinds: dict[int, Kind] = {0: "training", 1: "training", 2: "templates"}
    for place, cases in enumerate((found.exact, found.near, found.template, found.premise)):
        yield share_cell(cases / found.cases, marked=cases > 0 and (kinds.get(place), found.name) in marked)
    yield count(found.of_training)


def _of_kind(audit: Audit, kind: Kind) -> list[Concern]:
    return [each for each in audit.concerns if each.kind == kind]


def _shortcut(family: FamilyAudit, name: str) -> Estimate:
    return next((each for each in family.shortcuts if each.name == name), Estimate(name=name, value=None, n=0))
