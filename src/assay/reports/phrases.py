"""Judgements in words: findings, verdicts, swapped labels, names of models."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from assay.core.case import ORIGINAL, Case
from assay.core.judgement import (
    BelowChance,
    ConfidenceFinding,
    Finding,
    HeuristicFinding,
    LossFinding,
    SidesFinding,
    SwapOutcome,
    Verdict,
)
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.core.registry import split_alias, without_labels
from assay.evaluate.seeds import split_seed
from assay.reports.formatting import ends, p_value, percent

PLAIN = LabelNames()  # labels by our own names
TWO_WAY = "answers with two labels, so neutral and contradiction both count as non-entailment."

KNOWN = "shown for comparison, not judged."  # legend of the mark after the name of a baseline
CORRECTED = "corrected for the families of the suite, or for all of their labels"
"""The tests that Holm's method corrected the p of a loss for."""

LOST = "significantly below the unmodified pairs (of the same labels, if the edit changes labels; Holm's correction)"
"""Legend of the mark after an accuracy."""

SWAPPED: Mapping[SwapOutcome, str] = {
    "not measured": "not measured",
    "never right": "never right at all",
    "drops": "drops, as it should",
    "drops a little": "drops a little",
    "does not drop": "does not drop, but should",
    "holds": "holds, as it should",
    "falls": "falls, but should hold",
    "rises": "rises, but should hold",
    "undecided": "undecided",
}

Tone = Literal["bad", "good", "unsure"]

TONES: Mapping[str, Tone] = {"no loss": "good", "not compared": "unsure"}  # tones of verdicts; all others are bad


class VerdictWords(NamedTuple):
    tone: Tone
    headline: str
    extent: str  # the number of families with a problem, if the headline does not name them
    note: str  # reason why its numbers can't be compared with those of other models; empty if they can
    standing: str  # accuracy on the unmodified pairs; empty if there were none
    sureness: str

    @property
    def below(self) -> str:
        return " ".join(filter(None, (self.extent, self.note, self.standing, self.sureness)))


def short_name(model: str) -> str:
    """The name that tables show: the alias, or the name without `assay:`, version and label names.

    >>> short_name("assay:overlap/v1?windows=max"), short_name("answers/mine.csv"), short_name("judge=openai:m@http://x/v1")
    ('overlap?windows=max', 'answers/mine.csv', 'judge')
    """
    if alias := split_alias(model).alias:
        seed = split_seed(model).seed
        return f"{alias}@{seed}" if seed else alias
    return re.sub(r"/v[0-9]+(?=\?|$| in [0-9]{8}-)", "", without_labels(model).removeprefix("assay:"))


def group_name(group: str, value: str) -> str:
    """The value of a group for display; a subcase keeps its name in HANS, because `ln passive` reads as "In passive".

    >>> group_name("heuristic", "lexical_overlap"), group_name("subcase", "ln_passive")
    ('lexical overlap', 'ln_passive')
    """
    return value.replace("_", " ") if group in ("heuristic", "category") else value


def swap_words(label: str, outcome: SwapOutcome) -> str:
    """The effect of swapping the sides on a label.

    >>> swap_words("entailment", "never right"), swap_words("neutral", "falls")
    ('never right, so nothing can drop', 'falls, but should hold')
    """
    if (label, outcome) == ("entailment", "never right"):
        return "never right, so nothing can drop"
    return SWAPPED[outcome]


def two_way_words(names: LabelNames = PLAIN, suites: Iterable[str] = ()) -> str:
    """Explain that suites are judged by two labels; `suites` names them.

    >>> two_way_words()
    'Judged by two labels, entailment and non-entailment: neutral and contradiction count as non-entailment.'
    >>> two_way_words(suites=["hans", "heuristics"])[:37]
    'hans, heuristics: Judged by two label'
    """
    one, neutral, contradiction, other = map(names, Label)
    said = f"Judged by two labels, {one} and {other}: {neutral} and {contradiction} count as {other}."
    return f"{named}: {said}" if (named := ", ".join(suites)) else said


def finding_words(finding: Finding, names: LabelNames = PLAIN) -> str:
    """A finding as a sentence without its subject.

    >>> where = {"model": "assay:overlap/v1", "suite": "stress", "family": "negation"}
    >>> finding_words(LossFinding(**where, label="entailment", before=0.9, after=0.2, p=0.00001))
    'entailment falls from 90.0% to 20.0% in negation (p <0.001).'
    """
    match finding:
        case LossFinding():
            seeds = f"; means of {finding.seeds} seeds" if finding.seeds > 1 else ""
            falls = f"falls from {percent(finding.before)}% to {percent(finding.after)}%"
            what = names(finding.label) or "accuracy"
            return f"{what} {falls} in {finding.family} (p {p_value(finding.p)}{seeds})."
        case HeuristicFinding():
            first, *others = finding.heuristics
            goes = f"where {group_name('heuristic', first.name)} goes with {names('entailment')}"
            more = " and ".join(group_name("heuristic", each.name) for each in others)
            also = f"; likewise for {more}" if more else ""
            return f"right on {percent(first.holds)}% {goes}, but on {percent(first.fails)}% where it does not{also}."
        case SidesFinding():
            p = "" if finding.p is None else f" (p {p_value(finding.p)})"
            does = swap_words(finding.label, finding.outcome)
            return f"when the sides are swapped, {names(finding.label)} {does}{p}."
        case ConfidenceFinding():
            return f"its confidence is off by {percent(finding.error)} points in {finding.family}."


def finding_sentence(finding: Finding, names: LabelNames = PLAIN) -> str:
    return f"{short_name(finding.model)}: {finding_words(finding, names)}"


def label_words(case: Case, proof: str, *, has_run: bool = True) -> str:
    """The grounds for the label of a case; `proof` is the description of its check, if there is one.

    `has_run` is true if the reader has the run, so that its labels can be checked again.
    """
    if case.family == ORIGINAL:
        return "This is the label in the data."
    if proof:
        edit = case.provenance.edit
        is_kept = edit.label is None and (edit.premise or edit.hypothesis)
        kept = " The label itself is the source pair's." if is_kept else ""
        again = " The command assay verify checks it again." if has_run else ""
        return f"{proof}{kept}{again}"
    if case.expects != "label":
        return "No label is claimed: the label of a pair does not decide that of the swapped pair."
    return "The label comes from the recipe and was not verified."


def below_chance_sentence(found: BelowChance, names: LabelNames = PLAIN) -> str:
    """A label that is worse than guessing.

    >>> where = {"model": "assay:overlap/v1", "suite": "s", "family": "heuristics", "label": "non-entailment"}
    >>> below_chance_sentence(BelowChance(slice=where, value=0.02, low=0.01, high=0.04, chance=0.5))
    'overlap: right on 2.0% (1.0-4.0) of non-entailment in heuristics, where guessing gets 50.0%.'
    """
    where = found.slice
    of = f"{names(where['label'])} in {where['family']}"
    right = f"right on {percent(found.value)}% ({ends(found.low, found.high)}) of {of}"
    return f"{short_name(where['model'])}: {right}, where guessing gets {percent(found.chance)}%."


def verdict_words(
    verdict: Verdict, findings: Sequence[Finding], *, is_binary: bool = False, diagnosed: str = ""
) -> VerdictWords:
    """A verdict in words; the findings are those of its model. A diagnosis becomes the headline."""
    families = "one family" if verdict.families == 1 else f"{verdict.families} families"
    headline = {
        "unusable": "No usable answers to most cases",
        "wrong reasons": f"Clear failures in {verdict.wrong} of {verdict.families} families",
        "guesses": "Not clearly better than always giving one label",
        "bad threshold": "Its scores separate the cases, but its threshold does not",
        "misjudges itself": f"No clear loss in {families}, but its confidence is off",
        "no loss": f"No clear loss in {families}",
        "not compared": "Nothing to compare its answers with",
    }[verdict.outcome]
    return VerdictWords(
        TONES.get(verdict.outcome, "bad"),
        f"{diagnosed[0].upper()}{diagnosed[1:]}" if diagnosed else headline,
        f"{headline}." if diagnosed else "",
        f"It {TWO_WAY}" if is_binary else "",
        _standing(verdict),
        _sureness(verdict, findings),
    )


def _standing(verdict: Verdict) -> str:
    source = verdict.source
    if source is None:
        return ""
    around = ends(source.low, source.high)
    spread = f"{around} over {source.seeds} seeds" if source.seeds > 1 else f"95%: {around}"
    less = f", not clearly more than always giving one label ({percent(source.chance)}%)" if source.is_guessing else ""
    return f"Right on {percent(source.value)}% of the unmodified pairs ({spread}){less}."


def _sureness(verdict: Verdict, findings: Sequence[Finding]) -> str:
    ps = [each.p for each in findings if isinstance(each, LossFinding | SidesFinding) and each.p is not None]
    if ps:
        weakest = "less than 0.001" if max(ps) < 0.001 else f"at most {max(ps):.3f}"
        return f"How sure: p is {weakest} for every loss listed here, {CORRECTED}."
    if findings:
        return "How sure: the whole 95% intervals are on the wrong side; they are not corrected for their number."
    if verdict.outcome == "no loss":
        return "This is not proof: a small loss, or one in a family with few cases, can go unnoticed."
    return ""
