"""The verdict on each model in plain words: where it is right for the wrong reasons, and how sure that is."""

from typing import Literal, NamedTuple

from assay.core.estimate import Estimate
from assay.reports.findings import Finding, system_of, systems_of, told
from assay.reports.layout import interval, percent
from assay.reports.tables.figures import ORIGINAL
from assay.reports.two_way import TOLD
from assay.reports.view import View

Tone = Literal["bad", "good", "unsure"]


class Judgement(NamedTuple):
    """What a run says about one model."""

    model: str
    """Its name in the run; a system's where several seeds were run."""
    tone: Tone
    """Whether there is something to worry about."""
    headline: str
    """In a few words."""
    standing: str
    """How often it is right on the source pairs; empty where none were asked."""
    sureness: str
    """How sure the findings are."""
    findings: tuple[Finding, ...]
    """What it does and should not, the worst first."""
    note: str = ""
    """What makes its figures another thing than those of the others."""

    @property
    def said(self) -> tuple[str, str, str]:
        """The sentences below the headline; some may be empty."""
        return self.note, self.standing, self.sureness


def judgements(view: View) -> list[Judgement]:
    """One for each model, in the order of the run."""
    found = told(view.estimates)
    systems = systems_of(view.estimates)
    names = dict.fromkeys(system_of(model, systems) for model in view.models)
    own: dict[str, list[Estimate]] = {name: [] for name in names}
    for each in view.estimates:
        own.setdefault(system_of(each.slice["model"], systems), []).append(each)
    return [_judgement(view, name, own[name], tuple(each for each in found if each.model == name)) for name in names]


def _judgement(view: View, model: str, own: list[Estimate], found: tuple[Finding, ...]) -> Judgement:
    tested = dict.fromkeys(e.slice["family"] for e in own if e.slice["family"] != ORIGINAL)
    wrong = dict.fromkeys(each.family for each in found if each.kind != "confidence")
    source = next((e for e in own if e.name == "accuracy" and _is_whole(e) and e.slice["family"] == ORIGINAL), None)
    standing, guesses = _standing(view, source)
    tone: Tone = "bad"
    if wrong:
        headline = f"Right for the wrong reasons in {len(wrong)} of {len(tested)} families"
    elif guesses:
        headline = "No better than always giving one label"
    elif found:
        headline = f"No clear loss in {_families(len(tested))}, but its confidence is off"
    elif any(e.name == "holm" for e in own):
        tone, headline = "good", f"No clear loss in {_families(len(tested))}"
    else:
        tone, headline = "unsure", "Nothing to hold its answers against"
    note = f"It {TOLD}" if model in view.two_way else ""
    return Judgement(model, tone, headline, standing, _sureness(own, found, tone), found, note)


def _standing(view: View, source: Estimate | None) -> tuple[str, bool]:
    """How often it is right on the source pairs, and whether that is no more than the most frequent label."""
    if source is None or source.low is None:
        return "", False
    labels = view.suites[source.slice["suite"]].counts.get(ORIGINAL, {})
    chance = max(labels.values(), default=0) / max(sum(labels.values()), 1)
    guesses = source.low <= chance
    less = f", no more than always giving one label ({chance * 100:.1f} %)" if guesses else ""
    return f"Right on {percent(source)} % of the source pairs (95 %: {interval(source)}){less}.", guesses


def _sureness(own: list[Estimate], found: tuple[Finding, ...], tone: Tone) -> str:
    tests = sum(e.name == "holm" for e in own)
    ps = [each.p for each in found if each.p is not None]
    if ps:
        weakest = "less than 0.001" if max(ps) < 0.001 else f"at most {max(ps):.3f}"
        return f"How sure: p is {weakest} for every loss told here, corrected for all {tests:,} tests of this model."
    if found:
        return "How sure: the 95 % intervals lie wholly on the wrong side."
    if tone == "good":
        return "That is no proof: a loss that is small, or in a family with few cases, would not show."
    return ""


def _is_whole(estimate: Estimate) -> bool:
    return {*estimate.slice} == {"model", "suite", "family"}


def _families(count: int) -> str:
    return "one family" if count == 1 else f"{count} families"
