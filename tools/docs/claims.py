"""The findings of the four papers, each as a rule that decides from measured figures whether a model repeats it.

A finding is judged on the paper's own data: the same corpus, split and fidelity.
"""

from collections.abc import Callable
from typing import NamedTuple

from measured import AQUA_CODE, CODE, HEURISTICS, Figure, Measured
from measured import THREE as LABELS

from assay.core.estimate import Estimate
from assay.evaluate.losses import is_loss
from assay.evaluate.verdict import swap_outcome
from assay.reports.published.published_results import figure as published_figure
from assay.reports.published.published_results import figures as published

CHANCE_OF_THREE = 1 / 3
CHANCE_OF_TWO = 0.5
NEARLY_ALL = 0.9
ENOUGH = 30


class Repeated(NamedTuple):
    """Whether a model repeats a finding."""

    repeats: bool
    """Whether it does."""
    figure: str
    """What decides."""


Rule = Callable[[Measured], Repeated | None]


class Claim(NamedTuple):
    """A finding of a paper."""

    paper: str
    """The key of the paper."""
    place: str
    """Where the paper says so: section and table."""
    text: str
    """What it found, in our words."""
    judge: Rule
    """Whether a model repeats it; None where what decides was not measured."""


def loses(family: str) -> Rule:
    """Accuracy falls against the source pairs, by more than chance explains."""

    def judge(model: Measured) -> Repeated | None:
        drop, test = (model.find(CODE, family, name=name) for name in ("drop", "holm"))
        return drop and test and Repeated(is_loss(drop.value, test.value), f"{_points(drop)} points")

    return judge


def loses_label(set_: str, label: str) -> Rule:
    """A label that should hold when the sides are swapped falls."""

    def judge(model: Measured) -> Repeated | None:
        source, drop, test = (model.find(set_, "swap", name=name, label=label) for name in ("source", "drop", "holm"))
        if not (source and drop and test):
            return None
        outcome = swap_outcome(_estimate(source), _estimate(drop), _estimate(test))
        return Repeated(outcome == "falls", f"{_points(drop)} points")

    return judge


def errors_rise(family: str, answer: str, *, rise: bool) -> Rule:
    """Cases of other labels get this answer more often than the source pairs do, or no more often."""

    def judge(model: Measured) -> Repeated | None:
        before, after = (_wrongly(model, each, answer) for each in ("original", family))
        if before is None or after is None:
            return None
        return Repeated((after > before) == rise, f"{100 * before:.1f} to {100 * after:.1f}% of pairs")

    return judge


def neutral_errors_grow(family: str) -> Rule:
    """Of all errors, a larger share answers neutral than among the source pairs."""

    def judge(model: Measured) -> Repeated | None:
        before, after = (_share_of_errors(model, CODE, each, "neutral") for each in ("original", family))
        if before is None or after is None:
            return None
        return Repeated(after > before, f"{100 * before:.1f} to {100 * after:.1f}% of errors")

    return judge


def errors_answer(set_: str, family: str, answer: str) -> Rule:
    """Most errors give this answer."""

    def judge(model: Measured) -> Repeated | None:
        share = _share_of_errors(model, set_, family, answer)
        return None if share is None else Repeated(share > CHANCE_OF_TWO, f"{100 * share:.1f}% of errors")

    return judge


def antonyms_are_missed(model: Measured) -> Repeated | None:
    """Antonymy is not above the best of the paper's systems, which is hardly above chance."""
    here = model.find(CODE, "antonymy")
    own = [each for each in published() if (each.paper, each.column) == ("naik2018", "antonymy, matched")]
    return here and Repeated(_value(here) <= max(each.share or 0.0 for each in own), f"{100 * _value(here):.1f}%")


def numbers_are_guessed(model: Measured) -> Repeated | None:
    """Numeracy is not above chance, on enough cases to tell."""
    here = model.find(AQUA_CODE, "numeracy")
    if not here or here.n < ENOUGH:
        return None
    return Repeated(_ends(here)[0] <= CHANCE_OF_THREE, f"{100 * _value(here):.1f}%")


def one_word_breaks_it(model: Measured) -> Repeated | None:
    """Breaking NLI is below SNLI's test set."""
    here, usual = model.find("breaking-nli"), model.find("snli-test")
    return here and usual and Repeated(_ends(here)[1] < _ends(usual)[0], _against(here, usual))


def categories(*names: str, easier: bool) -> Rule:
    """Categories of Breaking NLI are easier, or harder, than all together; each of them."""

    def judge(model: Measured) -> Repeated | None:
        found, usual = [model.find("breaking-nli", category=name) for name in names], model.find("breaking-nli")
        if not usual or None in found:
            return None
        bottom, top = _ends(usual)
        own = [each for each in found if each]
        repeats = all(_ends(each)[0] > top if easier else _ends(each)[1] < bottom for each in own)
        said = " / ".join(f"{100 * _value(each):.1f}" for each in own)
        return Repeated(repeats, f"{said} against {100 * _value(usual):.1f}%")

    return judge


def synonyms_beat_wordnet(model: Measured) -> Repeated | None:
    """Synonyms are right more often than in the WordNet baseline."""
    here = model.find("breaking-nli", category="synonyms")
    baseline = published_figure("glockner2018", "4", row="synonyms", column="WordNet Baseline").share or 0.0
    said = f"against {100 * baseline:.1f}%"
    return here and Repeated(_ends(here)[0] > baseline, f"{100 * _value(here):.1f} {said}")


def entailment_falls_most(model: Measured) -> Repeated | None:
    """Swapping costs entailment more than the labels that should hold."""
    drops = [model.find("snli-test", "swap", name="drop", label=label) for label in LABELS]
    if None in drops:
        return None
    entailment, *others = (drop for drop in drops if drop)
    repeats = _value(entailment) > max(map(_value, others))
    return Repeated(repeats, " / ".join(map(_points, (entailment, *others))) + " points")


def swapped_stays_above_chance(model: Measured) -> Repeated | None:
    """Swapped contradictions and neutral pairs keep their label more often than by chance."""
    found = [model.find("snli-test", "swap", name="kept", label=label) for label in ("neutral", "contradiction")]
    if None in found:
        return None
    own = [each for each in found if each]
    said = " / ".join(f"{100 * _value(each):.1f}" for each in own)
    return Repeated(all(_ends(each)[0] > CHANCE_OF_THREE for each in own), f"{said}%")


def takes_overlap_for_entailment(label: str) -> Rule:
    """On HANS, nearly all answers are right where the heuristics are, and fewer than by chance where they are not."""

    def judge(model: Measured) -> Repeated | None:
        found = [model.find("hans", heuristic=each, label=label) for each in HEURISTICS]
        if None in found:
            return None
        shares = [_value(each) for each in found if each]
        repeats = min(shares) >= NEARLY_ALL if label == "entailment" else max(shares) < CHANCE_OF_TWO
        return Repeated(repeats, " / ".join(f"{100 * share:.1f}" for share in shares) + " %")

    return judge


def _wrongly(model: Measured, family: str, answer: str) -> float | None:
    """The share of all pairs of a family that wrongly get an answer."""
    return _shares_of_all(model, CODE, family, [(label, answer) for label in LABELS if label != answer])


def _share_of_errors(model: Measured, set_: str, family: str, answer: str) -> float | None:
    """The share of all errors that give an answer."""
    wrong = [(label, given) for label in LABELS for given in LABELS if label != given]
    errors = _shares_of_all(model, set_, family, wrong)
    of_these = _shares_of_all(model, set_, family, [each for each in wrong if each[1] == answer])
    return of_these / errors if errors and of_these is not None else None


def _shares_of_all(model: Measured, set_: str, family: str, kinds: list[tuple[str, str]]) -> float | None:
    """The share of all pairs of a family that have one of these labels and get the answer that goes with it."""
    counts = {label: model.find(set_, family, label=label) for label in LABELS}
    there = {label: found.n for label, found in counts.items() if found}
    if not there:
        return None
    shares = [(model.answered(set_, family, label, answer), label) for label, answer in kinds if label in there]
    if any(share is None for share, _ in shares):
        return None
    return sum((share or 0.0) * there[label] for share, label in shares) / sum(there.values())


def _estimate(figure: Figure) -> Estimate:
    return Estimate(
        name=figure.name, value=figure.value, low=figure.low, high=figure.high, n=figure.n, slice=figure.slice
    )


def _value(figure: Figure) -> float:
    assert figure.value is not None
    return figure.value


def _ends(figure: Figure) -> tuple[float, float]:
    value = _value(figure)
    return (value if figure.low is None else figure.low, value if figure.high is None else figure.high)


def _points(drop: Figure) -> str:
    """What a drop changes."""
    return f"{round(-100 * _value(drop), 1) + 0.0:+.1f}"


def _against(here: Figure, usual: Figure) -> str:
    return f"{100 * _value(here):.1f} against {100 * _value(usual):.1f}%"


CLAIMS = (
    Claim(
        "naik2018",
        "section 4.4, Table 3",
        'Words in the hypothesis that the premise lacks ("and true is true") cost accuracy',
        loses("word-overlap"),
    ),
    Claim(
        "naik2018",
        "section 4.4, Table 4",
        "Of the errors on them, a larger share answers neutral than of those on the source pairs",
        neutral_errors_grow("word-overlap"),
    ),
    Claim(
        "naik2018",
        "section 4.4, Table 3",
        'A hypothesis with "and false is not true" costs accuracy',
        loses("negation"),
    ),
    Claim(
        "naik2018",
        "section 4.4",
        'With "not", neutral is given wrongly more often than on the source pairs',
        errors_rise("negation", "neutral", rise=True),
    ),
    Claim(
        "naik2018",
        "section 4.4",
        'With "not", contradiction is given wrongly no more often than on the source pairs',
        errors_rise("negation", "contradiction", rise=False),
    ),
    Claim(
        "naik2018",
        "section 4.4, Table 3",
        "A premise with five tautologies at its end costs accuracy",
        loses("length-mismatch"),
    ),
    Claim(
        "naik2018",
        "section 4.4, Table 4",
        "Of the errors on long premises, a larger share answers neutral than of those on the source pairs",
        neutral_errors_grow("length-mismatch"),
    ),
    Claim(
        "naik2018",
        "sections 4.2 and 4.5, Table 3 and Table 8",
        "Misspelt words cost accuracy (much in two of six systems, little in the others)",
        loses("spelling"),
    ),
    Claim(
        "naik2018",
        "section 4.3, Table 3",
        "Antonyms are recognised hardly more often than by chance (at most 36.4%)",
        antonyms_are_missed,
    ),
    Claim(
        "naik2018",
        "section 4.3, Table 7",
        "Most errors on antonyms answer entailment",
        errors_answer(CODE, "antonymy", "entailment"),
    ),
    Claim(
        "naik2018",
        "section 4.3, Table 3",
        "Quantities are not answered clearly better than by chance",
        numbers_are_guessed,
    ),
    Claim(
        "naik2018",
        "section 4.3",
        "Most errors on quantities answer entailment",
        errors_answer(AQUA_CODE, "numeracy", "entailment"),
    ),
    Claim("glockner2018", "section 4.3, Table 3", "One changed word breaks what holds on SNLI", one_word_breaks_it),
    Claim(
        "glockner2018",
        "section 5.1, Table 4",
        "Synonyms are right more often than in the WordNet baseline",
        synonyms_beat_wordnet,
    ),
    Claim(
        "glockner2018",
        "section 5.1, Table 4",
        "Colours, which training has often, are easier than the rest",
        categories("colors", easier=True),
    ),
    Claim(
        "glockner2018",
        "section 5.2, Table 4",
        "Ordinals, nationalities and countries are harder than the rest (the residual encoder only fails on ordinals)",
        categories("ordinals", "nationalities", "countries", easier=False),
    ),
    Claim(
        "wang2019",
        "Table 1",
        "Swapped, contradiction falls though it should hold",
        loses_label("snli-test", "contradiction"),
    ),
    Claim(
        "wang2019",
        "Table 1",
        "Swapped, neutral falls though it should hold",
        loses_label("snli-test", "neutral"),
    ),
    Claim(
        "wang2019",
        "Table 1 and the text on it",
        "Swapped, entailment falls most (in all systems but ADV)",
        entailment_falls_most,
    ),
    Claim(
        "wang2019",
        "Table 1 and the text on it",
        "Swapped, neutral and contradiction stay above chance",
        swapped_stays_above_chance,
    ),
    Claim(
        "mccoy2019",
        "section 5, Table 3",
        "Nearly all is right where the heuristics hold (lexical overlap / subsequence / constituent)",
        takes_overlap_for_entailment("entailment"),
    ),
    Claim(
        "mccoy2019",
        "section 5, Table 3",
        "Less than chance is right where the heuristics fail (in the same order)",
        takes_overlap_for_entailment("non-entailment"),
    ),
)
