"""What the four papers found, each as a rule that tells from measured figures whether a model repeats it."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from assay.core.results.estimate import Estimate
from assay.evaluate.judge.loss import is_loss
from assay.evaluate.judge.swap import swap_outcome

if TYPE_CHECKING:
    from results import Figure, Measured

PAIRS = "stress"
HEURISTICS = ("lexical_overlap", "subsequence", "constituent")
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


class Claim(NamedTuple):
    """A finding of a paper."""

    paper: str
    """The key of the paper."""
    text: str
    """What it found, in our words."""
    judge: Callable[["Measured"], Repeated | None]
    """Whether a model repeats it; None where what decides was not measured."""


def loses(family: str) -> Callable[["Measured"], Repeated | None]:
    """Accuracy falls against the source pairs, by more than chance explains."""

    def judge(model: "Measured") -> Repeated | None:
        drop, test = (model.find(PAIRS, family, name=name) for name in ("drop", "holm"))
        return drop and test and Repeated(is_loss(drop.value, test.value), f"{_points(drop)} points")

    return judge


def loses_label(set_: str, label: str) -> Callable[["Measured"], Repeated | None]:
    """A label that should hold when the sides are swapped falls."""

    def judge(model: "Measured") -> Repeated | None:
        source, drop, test = (model.find(set_, "swap", name=name, label=label) for name in ("source", "drop", "holm"))
        if not (source and drop and test):
            return None
        outcome = swap_outcome(_estimate(source), _estimate(drop), _estimate(test))
        return Repeated(outcome == "falls", f"{_points(drop)} points")

    return judge


def not_reads_as_contradiction(model: "Measured") -> Repeated | None:
    """Negation costs entailment more than contradiction."""
    drops = [model.find(PAIRS, "negation", name="drop", label=label) for label in ("entailment", "contradiction")]
    if None in drops:
        return None
    entailment, contradiction = (drop for drop in drops if drop)
    repeats = _value(entailment) > _value(contradiction)
    return Repeated(repeats, f"{_points(entailment)} against {_points(contradiction)} points")


def antonyms_are_missed(model: "Measured") -> Repeated | None:
    """Antonymy is below contradiction among the source pairs."""
    here, usual = model.find(PAIRS, "antonymy"), model.find(PAIRS, label="contradiction")
    return here and usual and Repeated(_ends(here)[1] < _ends(usual)[0], _against(here, usual))


def numbers_are_guessed(model: "Measured") -> Repeated | None:
    """Numeracy is not above chance, on enough cases to tell."""
    here = model.find(PAIRS, "numeracy")
    if not here or here.n < ENOUGH:
        return None
    return Repeated(_ends(here)[0] <= CHANCE_OF_THREE, f"{100 * _value(here):.1f} %")


def one_word_breaks_it(model: "Measured") -> Repeated | None:
    """Breaking NLI is below SNLI's test set."""
    here, usual = model.find("breaking-nli"), model.find("snli-test")
    return here and usual and Repeated(_ends(here)[1] < _ends(usual)[0], _against(here, usual))


def category(name: str, *, easier: bool) -> Callable[["Measured"], Repeated | None]:
    """A category of Breaking NLI is easier, or harder, than all together."""

    def judge(model: "Measured") -> Repeated | None:
        here, usual = model.find("breaking-nli", category=name), model.find("breaking-nli")
        if not here or not usual:
            return None
        (low, high), (bottom, top) = _ends(here), _ends(usual)
        return Repeated(low > top if easier else high < bottom, _against(here, usual))

    return judge


def entailment_falls_most(model: "Measured") -> Repeated | None:
    """Swapping costs entailment more than the labels that should hold."""
    labels = ("entailment", "neutral", "contradiction")
    drops = [model.find("snli-test", "swap", name="drop", label=label) for label in labels]
    if None in drops:
        return None
    entailment, *others = (drop for drop in drops if drop)
    repeats = _value(entailment) > max(map(_value, others))
    return Repeated(repeats, " / ".join(map(_points, (entailment, *others))) + " points")


def takes_overlap_for_entailment(label: str) -> Callable[["Measured"], Repeated | None]:
    """On HANS, nearly all is right where the heuristics are, and less than chance where they are not."""

    def judge(model: "Measured") -> Repeated | None:
        found = [model.find("hans", heuristic=each, label=label) for each in HEURISTICS]
        if None in found:
            return None
        shares = [_value(each) for each in found if each]
        repeats = min(shares) >= NEARLY_ALL if label == "entailment" else max(shares) < CHANCE_OF_TWO
        return Repeated(repeats, " / ".join(f"{100 * share:.1f}" for share in shares) + " %")

    return judge


def _estimate(figure: "Figure") -> Estimate:
    return Estimate(
        name=figure.name, value=figure.value, low=figure.low, high=figure.high, n=figure.n, slice=figure.slice
    )


def _value(figure: "Figure") -> float:
    assert figure.value is not None
    return figure.value


def _ends(figure: "Figure") -> tuple[float, float]:
    value = _value(figure)
    return (value if figure.low is None else figure.low, value if figure.high is None else figure.high)


def _points(drop: "Figure") -> str:
    """What a drop changes."""
    return f"{round(-100 * _value(drop), 1) + 0.0:+.1f}"


def _against(here: "Figure", usual: "Figure") -> str:
    return f"{100 * _value(here):.1f} against {100 * _value(usual):.1f} %"


CLAIMS = (
    Claim("naik2018", "A tautology with words in common costs accuracy", loses("word-overlap")),
    Claim("naik2018", 'A tautology with "not" costs accuracy', loses("negation")),
    Claim("naik2018", '"Not" costs entailment more than contradiction', not_reads_as_contradiction),
    Claim("naik2018", "Length alone costs accuracy", loses("length-mismatch")),
    Claim("naik2018", "Misspelt words cost accuracy", loses("spelling")),
    Claim("naik2018", "Antonyms are harder than other contradictions", antonyms_are_missed),
    Claim("naik2018", "Quantities are answered no better than by chance", numbers_are_guessed),
    Claim("glockner2018", "One changed word breaks what holds on SNLI", one_word_breaks_it),
    Claim("glockner2018", "Synonyms are easier than the rest", category("synonyms", easier=True)),
    Claim("glockner2018", "Ordinals are harder than the rest", category("ordinals", easier=False)),
    Claim("wang2019", "Swapped, contradiction falls though it should hold", loses_label("snli-test", "contradiction")),
    Claim("wang2019", "Swapped, neutral falls though it should hold", loses_label("snli-test", "neutral")),
    Claim("wang2019", "Swapped, entailment falls most", entailment_falls_most),
    Claim(
        "mccoy2019",
        "Nearly all is right where the heuristics hold (lexical overlap / subsequence / constituent)",
        takes_overlap_for_entailment("entailment"),
    ),
    Claim(
        "mccoy2019",
        "Less than chance is right where the heuristics fail (in the same order)",
        takes_overlap_for_entailment("non-entailment"),
    ),
)
