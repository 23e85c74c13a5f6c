"""The opening of a report: its models, the sources of its cases, and the examples to show."""

from collections import Counter
from collections.abc import Collection, Iterable
from statistics import fmean
from typing import NamedTuple

from assay.core.case import ORIGINAL
from assay.core.judgement import Example, LossFinding, SidesFinding, Verdict
from assay.core.label import Label
from assay.core.manifest import Manifest
from assay.evaluate.diagnose.diagnosis_headline import MOST_NAMED, join_phrases, shortcut_phrase
from assay.reports.formatting import as_written, ends, percent
from assay.reports.phrases import finding_words
from assay.reports.threshold_points import PROMISE, curve_of, threshold_within
from assay.reports.view import ReportView

MOST_FAILURES = 3  # failures that the terminal and the page show
CHANGED = {
    ORIGINAL: "your own",
    "quantities": "another number",
    "lexical": "another word",
    "antonymy": "an opposite",
    "roles": "exchanged roles",
    "denial": "a denial",
    "foreign": "evidence about something else",
}
"""What was changed in a claim, by family."""

FEWEST_CLAIMS = 10  # false claims of a kind without which no share is shown

OURS = "assay:"  # prefix of the names of models that come with Assay


def order_subjects(view: ReportView) -> list[str]:
    """The judged models and systems: the user's own first, then those that are right most often."""
    standing = {each.model: each.source.value for each in view.judgement.verdicts if each.source}
    return sorted(view.judged_models, key=lambda model: (model.startswith(OURS), -standing.get(model, 0.0)))


def leading_models(view: ReportView) -> list[str]:
    """The models that come first: the user's own, or else all; if they are many, the best of them."""
    there = order_subjects(view)
    own = [each for each in there if not each.startswith(OURS)] or there
    return own if len(own) <= 3 else own[:1]  # more than these are too many for a sentence each


def order_models(view: ReportView, models: Iterable[str]) -> list[str]:
    """Models in reading order: those that the report is about first, baselines last."""
    places = {model: place for place, model in enumerate(order_subjects(view))}
    return sorted(models, key=lambda model: places.get(view.system(model), len(places)))


class Headline(NamedTuple):
    model: str
    name: str
    words: str  # the verb phrase, without the subject and the final stop
    evidence: tuple[str, ...]  # accuracy, scores and the largest losses, one fact each
    shortcuts: tuple[str, ...]  # one phrase per shortcut, with how often it is followed
    tone: str
    first: bool


def headlines(view: ReportView) -> list[Headline]:
    """One for each judged model and system; those that the report is about come first."""
    verdicts, first, found = {each.model: each for each in view.judgement.verdicts}, leading_models(view), []
    for model in order_subjects(view):
        verdict = verdicts[model]
        profile = view.diagnosis.of(model) if view.diagnosis else None
        phrases = [shortcut_phrase(effect, view.names) for effect in profile.followed[:MOST_NAMED]] if profile else []
        said = view.diagnosis.headline(model) if view.diagnosis else ""
        words = join_phrases(phrases, evidence=False) if phrases else said or _judged(view, verdict)
        shortcuts = tuple(f"{each.rest}: {each.evidence}" for each in phrases if each.evidence)
        facts = (_own_answers, passed_claims, _standing, _scores, _worst)
        evidence = tuple(fact for find in facts for fact in find(view, model))
        tone = view.said(verdict).tone
        found.append(Headline(model, view.name(model), words, evidence, shortcuts, tone, model in first))
    return found


def _own_answers(view: ReportView, model: str) -> list[str]:
    """False support and recall of the model's own answers on unmodified claims."""
    facts = []
    for place, false in view.find("false-support", family=ORIGINAL, model=model).items():
        if recall := view.find("recall", "label").get((*place, Label.ENTAILMENT.value)):
            shares = (("false support", false, "unsupported"), ("recall", recall, "supported"))
            parts = (
                f"{percent(each.value)}% {name} ({ends(each.low, each.high)}, {each.n:,} {kind} claims)"
                for name, each, kind in shares
            )
            facts.append("; ".join(parts))
    return facts[:1]


def _standing(view: ReportView, model: str) -> list[str]:
    """The accuracy on unmodified pairs, and the time per pair."""
    pace = pace_words(view, model)
    time = [f"{pace} ms/pair"] if pace else []
    source = next((each.source for each in view.judgement.verdicts if each.model == model), None)
    if not source:
        return time
    spread = f" over {source.seeds} seeds" if source.seeds > 1 else ""
    guess = f"; best guess {percent(source.chance)}" if source.is_guessing else ""
    around = f"{ends(source.low, source.high)}{spread}{guess}"
    return [", ".join([f"{percent(source.value)}% on unmodified pairs ({around})", *time])]


def pace_words(view: ReportView, model: str) -> str:
    """The time per pair in milliseconds, averaged over the seeds of a system; empty if it is not known."""
    own = [each.seconds_per_pair for name, each in view.models.items() if model in (name, view.system(name))]
    known = [seconds for seconds in own if seconds is not None]
    return f"{1000 * fmean(known):.2g}" if known else ""


def _scores(view: ReportView, model: str) -> list[str]:
    """AUC on unmodified pairs, and the threshold that keeps false support low, with its recall."""
    facts = []
    for area in view.find("roc-auc", family=ORIGINAL, model=model).values():
        doubt = " (below chance: are the scores reversed?)" if area.high is not None and area.high < 0.5 else ""
        at = ""
        if curve := curve_of(view, model):
            here = threshold_within(curve, PROMISE)
            found = "at no useful threshold"
            if here:
                found = f"at {as_written(here.threshold)} (recall {100 * (here.value('recall') or 0):.0f}%)"
            at = f"; {PROMISE:.0%} false support {found}"
        facts.append(f"AUC {percent(area.value)}{doubt}{at}")
    return facts[:1]


def passed_claims(view: ReportView, model: str) -> list[str]:
    """The share of false claims that a checker accepts, by what was changed in them."""
    crossing = {
        name for name, suite in view.suites.items() if any(each.options.get("across") for each in suite.recipes)
    }
    found = view.find("accuracy", label=Label.NON_ENTAILMENT.value)
    wrong = {
        family: (each.n, 1 - each.value)
        for (name, suite, family), each in found.items()
        if name == model and suite in crossing and each.value is not None
    }
    many = {name: words for name, words in CHANGED.items() if wrong.get(name, (0,))[0] >= FEWEST_CLAIMS}
    few = [f"{words} ({wrong[name][0]})" for name, words in CHANGED.items() if name in wrong.keys() - many.keys()]
    facts = [f"{words} {100 * wrong[name][1]:.0f}% of {wrong[name][0]}" for name, words in many.items()]
    rest = f"; too few to say: {', '.join(few)}" if few else ""
    return [f"false claims that get past it: {', '.join(facts)}{rest}"] if facts else []


def _worst(view: ReportView, model: str) -> list[str]:
    """The largest loss, and a label that falls when the sides are swapped."""
    found = view.findings(model)
    losses = [each for each in found if isinstance(each, LossFinding)]
    sides = [each for each in found if isinstance(each, SidesFinding) and each.outcome != "rises"]
    falls = []
    for each in losses[:1]:
        right = f"{view.names(each.label)} right" if each.label else "right"
        falls.append(f"{each.family}: {right} {100 * each.before:.0f}% -> {100 * each.after:.0f}%")
    return [*falls, *(finding_words(each, view.names).removesuffix(".") for each in sides[:1])]


def _judged(view: ReportView, verdict: Verdict) -> str:
    """The verdict, with the most severe finding."""
    found = view.findings(verdict.model)
    words = {
        "unusable": "gave no usable answer to most cases",
        "wrong reasons": "fails clearly",
        "guesses": "is not clearly better than always giving one label",
        "bad threshold": "has scores that separate the cases, but a threshold that does not",
        "misjudges itself": "shows no clear loss, but its confidence is off",
        "no loss": "shows no clear loss",
        "not compared": "has no unmodified pairs to compare with",
    }[verdict.outcome]
    return f"{words}: {finding_words(found[0], view.names).removesuffix('.')}" if found else words


def most_telling(
    examples: Iterable[Example],
    most: int = MOST_FAILURES,
    *,
    models: Collection[str] | None = None,
    claims: Collection[str] = (),
) -> list[Example]:
    """The most telling few: right before the edit and wrong after it, for many models, each in another family.

    With `models`, only cases that they fail count. In the suites of `claims`, which are judged by two labels, false
    support comes first.
    """
    left = [each for each in examples if models is None or {*each.failing} & {*models}]
    left.sort(key=lambda each: _weight(each, models, claims), reverse=True)
    chosen: list[Example] = []
    while left and len(chosen) < most:
        seen = {each.case.family for each in chosen}
        best = next((each for each in left if each.case.family not in seen), left[0])
        left.remove(best)
        chosen.append(best)
    return chosen


def _weight(example: Example, models: Collection[str] | None, claims: Collection[str]) -> tuple[int, int, int, int]:
    own = [answer for model, answer in example.answers.items() if models is None or model in models]
    is_support = example.suite in claims and example.case.expects == "label"
    false_support = sum(is_support and answer.failed and answer.label is Label.ENTAILMENT for answer in own)
    flips = sum(answer.failed and answer.source is not None and answer.source is example.source_label for answer in own)
    brevity = -len(example.case.premise) - len(example.case.hypothesis)
    return false_support, flips, sum(answer.failed for answer in own), brevity


def telling_failures(view: ReportView) -> list[Example]:
    """The most telling failures of the models that the report is about."""
    first = leading_models(view)
    own = [model for model in view.models if view.system(model) in first]
    return most_telling(view.examples, models=own, claims=view.binary_suites)


TEMPLATES = "templates"


class CaseOrigin(NamedTuple):
    n: int
    source: str
    families: tuple[str, ...] = ()


def case_origins(suites: Iterable[Manifest]) -> list[CaseOrigin]:
    """The cases by where they come from: corpora first, and those with most cases before others."""
    read: Counter[str] = Counter()
    made: Counter[str] = Counter()
    for suite in suites:
        if suite.is_generated:
            made[suite.source.format.partition("/")[0]] += suite.cases
        else:
            read[suite.source.name] += suite.cases
    found = [CaseOrigin(n, name) for name, n in read.most_common()]
    return [*found, CaseOrigin(made.total(), TEMPLATES, tuple(made))] if made else found
