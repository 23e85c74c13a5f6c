"""From the diagnosis of a stored run to a plan of mitigations."""

from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

import yaml

from assay.core.diagnosis import Profile
from assay.core.errors import UserError
from assay.evaluate.diagnose.diagnosis_headline import shortcut_words
from assay.reports.tables.sheet import Part, Sheet, plain_sheet
from assay.run.diagnose_run import find_diagnosis
from assay.run.stored_run import open_run
from assay.stress.heuristics.grammar import load
from assay.studies.mitigation.mitigations import CURABLE, UNTREATED, Prescription, Subject, built_measures, remedies_for
from assay.studies.mitigation.prescription_inputs import NamedSources, chosen_profile, find_sources, subject_of


def find_prescription(
    run: Path, given: NamedSources, *, model: str | None = None, system: str | None = None
) -> Prescription | str:
    """The remedies for a model of a run; in words why there are none, if so."""
    record = open_run(run)
    profiles = find_diagnosis(run, models=[model] if model else []).profiles
    if not profiles:
        raise UserError(f"{run} has no diagnosis of {model or 'its models'}.\n  Test it with `assay run`.")
    profile = chosen_profile(record, profiles)
    if profile is None:
        return _healthy(profiles)
    curable = [each for each in profile.followed if each.name in CURABLE]
    if not curable:
        return (
            f"{profile.model} {profile.headline}. No remedy of Assay is against that: see whether its labels are "
            "in order, and how many training pairs each label has."
        )
    sources = find_sources(given)
    found = [each.name for each in curable]
    measures = [*built_measures(found, [each.name for each in load("").subcases]), *sources.tests]
    suites = [each.name for each in measures]
    return Prescription(
        subject=subject_of(profile, system),
        shortcuts=tuple(curable),
        incurable=tuple(each for each in profile.followed if each.name not in CURABLE),
        remedies=tuple(remedies_for(found, suites, generated_like=sources.generated_like)),
        measures=tuple(measures),
        corpora=sources.corpora,
        sources=sources.train,
        data=sources.data,
        vectors=sources.vectors,
    )


def _healthy(profiles: tuple[Profile, ...]) -> str:
    names = ", ".join(each.model for each in profiles)
    verb = "follows" if len(profiles) == 1 else "follow"
    return f"{names} {verb} no shortcut that shows in this run, so there is no remedy to suggest."


WIDTH = 110
"""Of a comment."""


def plan_text(made: Prescription) -> str:
    """The whole file."""
    return "\n".join(_lines(made)) + "\n"


def _lines(made: Prescription) -> Iterator[str]:
    subject = made.subject
    yield from _comment(f"Remedies for {subject.model}, which {subject.headline}.")
    yield from _comment("Run it: assay study run THIS-FILE. It ends in a table of before and after.")
    yield f"title: {_flow(f'Remedies for {subject.model}')}"
    if made.data:
        yield f"data: {_flow(made.data)}"
    yield "corpora:"
    for name, corpus in made.corpora.items():
        yield f"  {name}: {_flow(corpus)}"
    if made.vectors:
        yield f"vectors: {_flow(made.vectors)}"
    shared = {"from": list(made.sources), "dev": "dev", "sample": 20000, "dev-sample": 2000}
    yield f"train: {_flow(shared)}"
    yield from _comment(_trained(subject))
    yield f"systems:\n  {subject.system}: {_flow(subject.options)}"
    if subject.model.startswith("assay:"):
        yield f"models: {_flow([subject.model.partition('/')[0]])}"
    elif subject.goes_on:
        checkpoint, (_, mark, options) = subject.options["set"]["checkpoint"], subject.model.partition("?")
        yield f"models: {_flow([f'hf:{checkpoint}{mark}{options}'])}"
    yield "regimes:"
    yield f"  {UNTREATED}: {{}}"
    by_name = {each.name: each for each in made.shortcuts}
    for remedy in made.remedies:
        yield from _comment(remedy.why, indent=2)
        for name in remedy.against:
            yield from _comment(f"Against {shortcut_words(by_name[name])}.", indent=2)
        yield f"  {remedy.name}: {_flow(remedy.options)}"
    yield "seeds: [0, 1, 2]"
    yield "suites:"
    for measure in made.measures:
        yield from _comment(f"{measure.why} {_role(made, measure.name)}".strip(), indent=2)
        yield f"  {measure.name}: {_flow(measure.options)}"
    yield from _comment(
        "Suites that show what each regime treats. All others are withheld from it: they show whether it goes further."
    )
    yield "before-and-after:"
    yield f"  real: {_flow([made.measures[0].name])}"
    yield "  treated:"
    for remedy in made.remedies:
        yield f"    {remedy.name}: {_flow(list(remedy.treats))}"
    yield "tables:"
    yield "  - title: Accuracy before and after"
    yield "  - title: Accuracy before and after, by label"
    yield "    by: label"


def _trained(subject: Subject) -> str:
    if subject.is_own:
        return "The system that the model is, as it was trained."
    if subject.goes_on:
        return (
            f"{subject.model} itself, which is trained further. In the regime {UNTREATED!r} it gets as much training "
            "without a remedy; under models it is as it was."
        )
    return f"It stands in for {subject.model}, which can't be trained here."


def _role(made: Prescription, suite: str) -> str:
    """Who treats what a suite shows."""
    treating = [each.name for each in made.remedies if suite in each.treats]
    if suite == made.measures[0].name:
        return ""
    return f"Treated by {', '.join(treating)}." if treating else "Withheld from all."


def _comment(text: str, *, indent: int = 0) -> list[str]:
    return [f"{' ' * indent}# {line}" for line in wrap(text, WIDTH - indent, break_on_hyphens=False)]


def _flow(value: Any) -> str:
    """A value in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=float("inf"))
    return text.removesuffix("...\n").strip()


def prescription_parts(made: Prescription) -> list[Part]:
    """The model, its shortcuts, and a line for each remedy."""
    subject = made.subject
    where = "" if subject.is_own else " from its weights" if subject.goes_on else f" in the place of {subject.model}"
    return [
        f"{subject.model} {subject.headline}. {subject.system} is trained{where}.",
        *(f"  {shortcut_words(each)}." for each in made.shortcuts),
        *(f"  No remedy is against {each.name}." for each in made.incurable),
        "",
        remedies_sheet(made),
    ]


def remedies_sheet(made: Prescription) -> Sheet:
    """The remedies, the suites that show what they treat, and those that are withheld from them."""
    rows = [
        {
            "remedy": each.name,
            "against": ", ".join(each.against),
            "treated": ", ".join(each.treats) or "-",
            "withheld": ", ".join(made.withheld(each)),
        }
        for each in made.remedies
    ]
    note = "treated: suites that show what the remedy is for. withheld: suites that show whether it goes beyond them."
    return plain_sheet(rows)._replace(note=note)
