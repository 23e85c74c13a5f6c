"""Tables of what Naik et al. (2018) analyse: directions, antonyms, numbers, errors."""

from assay.core.analysis import Analysis
from assay.core.results.estimate import Estimate
from assay.reports.numbers import interval, percent, point_ends, points
from assay.reports.published.figures import figure, table
from assay.reports.tables.analyses.grid import (
    PUBLISHED,
    WHICH,
    called,
    cases,
    grid,
    has_published,
    models_of,
    named,
    number,
    plain,
    published,
    share,
)
from assay.reports.tables.sheet import Cell, Part, Row, Sheet, count, numbers, texts


def directions(found: Analysis) -> list[Part]:
    """The share of neutral among errors, then every direction."""
    neutral = has_published(
        grid(
            _told_apart(named(found, "false-neutral")),
            ("suite", "family", "variant"),
            name="false-neutral",
            title="Errors that answer neutral",
            note="Per cent of all errors, with 95 % intervals. Published: systems of Naik et al. on the same data.",
            after={PUBLISHED: published(found, "false neutral")},
        )
    )
    return [
        neutral,
        _ways(found, "direction", "Directions of errors", "Per cent of the errors of a model in a family."),
        _ways(found, "rate", "Directions of errors among all cases", "Per cent of the cases of a family."),
        *_antonymy(found),
    ]


def _ways(found: Analysis, name: str, title: str, note: str) -> Sheet:
    """A row for each model and family, a column for each direction."""
    letters = "E: entailment, N: neutral, C: contradiction; the right label comes first."
    own = [called(each, _way(each)) for each in _told_apart(named(found, name, "label", "answer"))]
    by = ("model", "suite", "family", "variant")
    last = "errors" if name == "direction" else "cases"
    return grid(
        own, by, name=name, title=title, note=f"{note} {letters}", across=WHICH, show=plain, after={last: cases}
    )


def _told_apart(found: list[Estimate]) -> list[Estimate]:
    """Figures of families, and of variants if a family has several."""
    variants: dict[str, set[str]] = {}
    for each in found:
        variants.setdefault(each.slice["family"], set()).update(filter(None, [each.slice.get("variant")]))
    return [each for each in found if "variant" not in each.slice or len(variants[each.slice["family"]]) > 1]


def _antonymy(found: Analysis) -> list[Part]:
    """Table 7, if antonymy was built as in the paper."""
    own = [
        each
        for each in named(found, "direction", "label", "answer")
        if each.slice["family"] == "antonymy" and each.slice["label"] == "contradiction" and "variant" not in each.slice
    ]
    if not own:
        return []
    sheet = grid(
        own,
        ("suite", "answer"),
        name="antonymy",
        title="Errors on antonymy by the answer given",
        note="Per cent of the errors, with 95 % intervals.",
        after={PUBLISHED: published(found, "share of errors")},
    )
    return [has_published(sheet)]


def _way(estimate: Estimate) -> str:
    return f"{estimate.slice['label'][0].upper()} to {estimate.slice['answer'][0].upper()}"


def antonyms(found: Analysis) -> list[Part]:
    """Easy and hard pairs, then accuracy by training frequency and by relation."""
    seen = {(e.slice["suite"], e.slice["pairs"]): e for e in named(found, "seen", "pairs")}
    amounts = {(e.slice["suite"], e.slice["pairs"]): e for e in named(found, "cases", "pairs")}
    rows = [
        Row("", (Cell(suite), Cell(pairs), number(amounts[suite, pairs]), count(each.n), share(each)))
        for (suite, pairs), each in seen.items()
    ]
    easy = Sheet(
        "easy-and-hard",
        "Easy and hard antonyms",
        f"Easy: all of {models_of(found)} are right; hard: all are wrong. Seen: the share of distinct pairs "
        "with one word on each side of a training contradiction.",
        (*texts("suite", "pairs"), *numbers("cases", "distinct pairs", "seen")),
        tuple(rows),
    )
    by_training = _by(found, "together", "Accuracy by training contradictions with both words")
    by_relation = _by(found, "relation", "Accuracy by relation of the two words")
    known = grid(
        named(found, "training"),
        ("suite",),
        name="known",
        title="Training contradictions of the antonyms that a model knows",
        note="Mean over the distinct pairs that it gets right at least once.",
        show=number,
    )
    return [f"Training: {found.settings['train']}.", easy, by_training, by_relation, known]


def _by(found: Analysis, name: str, title: str) -> Sheet:
    pairs = {(e.slice["suite"], e.slice[name]): e for e in named(found, "pairs", name) if "model" not in e.slice}
    return grid(
        named(found, "accuracy", name),
        ("suite", name),
        name=name,
        title=title,
        note="Per cent, with 95 % intervals that take the cases of two words as one cluster.",
        after={"cases": cases, "word pairs": lambda e: number(pairs[e.slice["suite"], e.slice[name]])},
    )


def numerals(found: Analysis) -> list[Part]:
    """Errors that models share, by operation, then by label and answer."""
    shared = grid(
        named(found, "shared", "kind"),
        ("suite", "kind"),
        name="shared",
        title="Cases that all of these models get wrong",
        note=f"Per cent of the cases, with 95 % intervals. Models: {models_of(found)}.",
        across="family",
        after={"cases": cases},
    )
    ways = grid(
        named(found, "direction", "kind"),
        ("suite", "kind", "label", "answer"),
        name="directions",
        title="What the shared errors are",
        note="Per cent of all shared errors, with 95 % intervals.",
        across="family",
    )
    false = [
        f"{e.slice['suite']}: {percent(e.value)} % ({interval(e)}) of {e.n:,} shared errors answer entailment."
        for e in named(found, "false-entailment")
    ]
    return [*false, shared, ways]


def errors(found: Analysis) -> list[Part]:
    """Errors by cue, error rates with and without a cue, and what people say."""
    explained = grid(
        named(found, "explained", "cue"),
        ("suite", "family", "cue"),
        name="explained",
        title="Errors that a cue could explain",
        note="Per cent of a model's errors, with 95 % intervals. An error can have several cues.",
    )
    rates = [called(each, each.name) for name in ("with", "without") for each in named(found, name, "cue")]
    compared = grid(
        rates,
        ("model", "suite", "family", "cue"),
        name="rates",
        title="Error rates of cases with and without a cue",
        note="Per cent of the cases that are errors, with 95% intervals. Cases with a cue have other labels and other "
        "hypotheses than the rest, so a difference alone does not show that a model uses the cue.",
        across=WHICH,
    )
    beyond = grid(
        named(found, "excess", "cue"),
        ("suite", "family", "cue"),
        name="excess",
        title="Errors that go with a cue beyond label and hypothesis",
        note="Points by which cases with the cue are errors more often than their labels and the words of their "
        "hypotheses lead to expect, with 95% intervals. Only an interval above 0 speaks for the cue.",
        show=_in_points,
    )
    return [explained, compared, *([beyond] if beyond.rows else []), _people(found), *found.notes]


def _in_points(excess: Estimate) -> Cell:
    return Cell(f"{points(excess.value or 0.0)} ({point_ends(excess.low, excess.high)})", excess.value)


def _people(found: Analysis) -> Sheet:
    """The shares of the nine categories as people sorted errors: in the paper, and here if a file was given."""
    own = {e.slice["cue"]: e for e in named(found, "annotated")}
    there, elsewhere = ({e.slice["cue"]: e for e in named(found, name)} for name in ("cue there", "cue elsewhere"))
    rows = []
    for line in table("naik2018", "6").rows:
        cells = [
            Cell(figure("naik2018", number_, row=line.name, column=column).printed)
            for number_, column in (("section 2", "matched"), ("6", "mismatched"))
        ]
        measured = [share(group[line.name]) if line.name in group else Cell("-") for group in (own, there, elsewhere)]
        rows.append(Row("", (Cell(line.name), *cells, *(measured if own else ()))))
    heads = ("annotated here", "cue, of these", "cue, of others") if own else ()
    return Sheet(
        "people",
        "Errors as people sorted them",
        "Per cent of 100 errors of NB on each dev set (Naik et al. 2018, section 2 and Table 6). The authors gave each "
        "error one category, so these shares are not comparable with those of cues."
        + (
            " The last two columns: how often the category's cue is there, among errors of it and of others."
            if own
            else ""
        ),
        (*texts("category"), *numbers("matched", "mismatched", *heads)),
        tuple(rows),
    )
