"""The subject of a report: one run, or several as if they were one, with unique names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import msgspec

from assay.core.case import family_rank
from assay.core.dataframes import REFERENCE
from assay.core.estimate import Estimate, Key, SupportCurve, find, key_of
from assay.core.judgement import UNEXPECTED, Diagnosis, Example, Finding, Judgement, SwapOutcome, Verdict
from assay.core.label import THREE_WAY, Label
from assay.core.label_space import THREE_LABELS, LabelNames, LabelSpace, merged_names
from assay.core.manifest import Manifest
from assay.core.run_record import ModelAnswers, RunRecord
from assay.evaluate.seeds import bands, system_of, systems_of
from assay.reports.phrases import PLAIN, VerdictWords, short_name, two_way_words, verdict_words
from assay.reports.published.published_results import ResultOrigin

MARK = "two-way"  # mark after the name of a model whose task is easier


@dataclass(frozen=True, kw_only=True)
class ReportView:
    """One run or several, or the score of a file of answers."""

    estimates: list[Estimate]
    judgement: Judgement
    suites: dict[str, Manifest] = field(default_factory=dict)  # the suites, by a name that is unique here
    origins: Mapping[str, ResultOrigin] = field(default_factory=dict)
    """Origin of the cases of each suite, or of a scored corpus."""
    models: dict[str, ModelAnswers] = field(default_factory=dict)  # the models, by a name that is unique here
    slices: list[Estimate] = field(default_factory=list)
    curves: list[SupportCurve] = field(default_factory=list)
    diagnosis: Diagnosis | None = None  # shortcuts of the models; None if no run was diagnosed
    examples: list[Example] = field(default_factory=list)
    cards: dict[str, Mapping[str, str]] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    runs: tuple[RunRecord, ...] = ()
    spaces: Mapping[str, LabelSpace] = field(default_factory=dict)  # labels by suite; three if it is not there
    names: LabelNames = PLAIN

    def name(self, model: str) -> str:
        """A model's name for people, marked if it is a baseline, or if its task is easier."""
        marks = [REFERENCE] * (model in self.references) + [MARK] * (model in self.two_label_models)
        return f"{short_name(model)} ({', '.join(marks)})" if marks else short_name(model)

    def label(self, label: str, *, suite: str = "") -> str:
        """A label as it is shown; with a suite that is judged by two labels, one of the two."""
        return self.names(self.read(Label(label), suite) if label in THREE_WAY else label)

    def read(self, label: Label, suite: str) -> Label:
        """A label as it is judged in a suite."""
        return self.spaces.get(suite, THREE_LABELS).read(label)

    @cached_property
    def binary_suites(self) -> frozenset[str]:
        """The suites in which cases and answers are judged by two labels."""
        return frozenset(suite for suite, space in self.spaces.items() if space.is_binary)

    def judged(self, suites: Iterable[str] | None = None) -> str:
        """One sentence that names the suites judged by two labels; empty if there are none."""
        there = [suite for suite in (self.suites if suites is None else suites) if suite in self.binary_suites]
        return two_way_words(self.names, [] if self.binary_suites >= {*self.suites} else there) if there else ""

    def rank(self, model: str) -> int:
        """The index of a model among all, which decides its colour; systems of several seeds come after all models."""
        names = [*self.models, *(system for system in self.systems if system not in self.models)]
        return names.index(model) if model in names else len(names)

    def find(self, name: str, *by: str, **where: str) -> dict[tuple[str, ...], Estimate]:
        """The numbers of one name, on slices with model, suite, family and these names, by all of their values."""
        return find(self._named.get(name, ()), name, ("model", "suite", "family", *by), **where)

    @cached_property
    def _named(self) -> dict[str, list[Estimate]]:
        """The numbers by name: a record has tens of thousands, and every table looks for some."""
        found: dict[str, list[Estimate]] = {}
        for each in self.estimates:
            found.setdefault(each.name, []).append(each)
        return found

    def find_with_means(self, name: str, *by: str) -> dict[tuple[str, ...], Estimate]:
        """The same, with the mean over the seeds of a system before those of its seeds."""
        means = self.find("band" if name == "accuracy" else name, "seeds", *by)
        found = {(*key[:3], *key[4:]): e for key, e in means.items()} | self.find(name, *by)
        return dict(sorted(found.items(), key=lambda item: self._order[item[0][0]]))

    @cached_property
    def _order(self) -> dict[str, int]:
        """The place of each model and system."""
        return {model: place for place, model in enumerate(dict.fromkeys(e.slice["model"] for e in self.estimates))}

    def system(self, model: str) -> str:
        """The system that a model is a seed of; the model itself if it is not a seed."""
        return system_of(model, self.systems)

    def findings(self, model: str) -> list[Finding]:
        return [each for each in self.judgement.findings if each.model == model]

    def said(self, verdict: Verdict) -> VerdictWords:
        diagnosed = self.diagnosis.headline(verdict.model) if self.diagnosis else ""
        found = self.findings(verdict.model)
        return verdict_words(verdict, found, is_binary=verdict.model in self.two_label_models, diagnosed=diagnosed)

    def only(self, *, suite: str | None = None, models: Collection[str] | None = None) -> "ReportView":
        """The view of one suite, or of some models and systems."""

        def stays(where: Mapping[str, str]) -> bool:
            return suite in (None, where["suite"]) and (models is None or where["model"] in models)

        return replace(
            self,
            diagnosis=_filter_diagnosis(self.diagnosis, suite, models),
            estimates=[e for e in self.estimates if stays(e.slice)],
            slices=[e for e in self.slices if stays(e.slice)],
            curves=[curve for curve in self.curves if stays(curve.slice)],
            suites={name: each for name, each in self.suites.items() if suite in (None, name)},
            models={name: each for name, each in self.models.items() if models is None or name in models},
        )

    @cached_property
    def systems(self) -> dict[str, int]:
        """Systems of several seeds, and how many they have."""
        return systems_of(self.estimates)

    @cached_property
    def lost(self) -> frozenset[Key]:
        """The slices that are losses; baselines are not judged."""
        return frozenset(
            key_of(each.slice) for each in self.judgement.losses if not self.is_baseline(each.slice["model"])
        )

    def is_baseline(self, model: str) -> bool:
        """True if a model is only there to compare others with."""
        return model in self.references and len(self.references) < len(self.models)

    @property
    def judged_models(self) -> list[str]:
        """The models and systems that get a verdict: all except baselines."""
        return [each.model for each in self.judgement.verdicts if not self.is_baseline(each.model)]

    @cached_property
    def swapped(self) -> dict[Key, SwapOutcome]:
        """The outcome of each label when the sides are swapped; of a system, the one that all seeds share."""
        found: dict[Key, list[SwapOutcome]] = {}
        for each in self.judgement.swaps:
            system = {**each.slice, "model": self.system(each.slice["model"])}
            for key in {key_of(each.slice), key_of(system)}:
                found.setdefault(key, []).append(each.outcome)
        return {key: said[0] if len({*said}) == 1 else "undecided" for key, said in found.items()}

    @cached_property
    def unexpected(self) -> frozenset[Key]:
        """The labels that do what they should not when premise and hypothesis are swapped."""
        return frozenset(key for key, outcome in self.swapped.items() if outcome in UNEXPECTED)

    @cached_property
    def seeds(self) -> frozenset[str]:
        """The models that are seeds of a system, whose mean is also shown."""
        return frozenset(model for model in self.models if self.system(model) != model)

    @cached_property
    def two_label_models(self) -> frozenset[str]:
        """The models that answer with two labels where cases have three, and the systems that they are seeds of."""
        models = [each.model for each in self.judgement.two_label_models]
        return frozenset(name for model in models for name in (model, self.system(model)))

    @cached_property
    def references(self) -> frozenset[str]:
        """The models that are baselines: baselines whose reasons are known."""
        return frozenset(name for name, each in self.models.items() if each.reference)

    @cached_property
    def repeats(self) -> bool:
        """True if a family is in more than one of the suites, so that they must be named."""
        families = [family for manifest in self.suites.values() for family in manifest.counts]
        return len({*families}) < len(families)


def view_of(runs: Sequence[RunRecord], *, slices: Mapping[str, Sequence[Estimate]] | None = None) -> ReportView:
    """Several runs merged: a suite or model that is the same in two runs appears once; a different one is renamed.

    `slices` holds the results on saved slices, by run id.
    """
    suites: dict[str, Manifest] = {}
    models: dict[str, ModelAnswers] = {}
    systems: dict[str, tuple[ModelAnswers, ...]] = {}
    estimates: dict[tuple[str, Key], Estimate] = {}
    on_slices: dict[Key, Estimate] = {}
    curves: dict[Key, SupportCurve] = {}
    examples: dict[tuple[str, str], Example] = {}
    judgements: list[Judgement] = []
    diagnoses: list[Diagnosis] = []
    cards: dict[str, Mapping[str, str]] = {}
    about: dict[str, str] = {}
    spaces: dict[str, LabelSpace] = {}
    for run in runs:
        names = _new_names(run, suites, spaces, models, systems)
        spaces |= {names.suite(name): run.label_space for name in run.suites}
        judgements.append(names.rename(run.judgement))
        diagnoses += [names.rename(run.diagnosis)] if run.diagnosis else []
        measured = dict.fromkeys(e.slice["suite"] for e in run.estimates)  # a file has them by name, not in their order
        suites |= {names.suite(name): run.suites[name] for name in {**measured, **dict.fromkeys(run.suites)}}
        models |= {names.model(each.model): each for each in run.models}
        cards |= {names.suite(name): card for name, card in run.cards.items()}
        about |= {names.model(name): said for name, said in run.about.items()}
        for each in map(names.rename, run.estimates):
            estimates[each.name, key_of(each.slice)] = each
        on_slices |= {key_of(each.slice): each for each in map(names.rename, (slices or {}).get(run.id, ()))}
        curves |= {key_of(each.slice): each for each in map(names.rename, run.support)}
        for example in run.examples:
            answers = {
                names.model(each.model): said for each in run.models if (said := example.answers.get(each.model))
            }
            suite = names.suite(example.suite)
            examples[suite, example.case.id] = msgspec.structs.replace(example, suite=suite, answers=answers)
    models = dict(sorted(models.items(), key=lambda item: item[1].reference))  # what is tested comes first
    last = {name for name, each in models.items() if each.reference}
    return ReportView(
        estimates=_sort_estimates(estimates.values(), models),
        judgement=_merge_judgements(judgements, last),
        slices=list(on_slices.values()),
        curves=list(curves.values()),
        diagnosis=_merge_diagnoses(diagnoses),
        suites=suites,
        origins=suites,
        models=models,
        examples=sorted(examples.values(), key=lambda each: family_rank(each.case.family)),
        cards=cards,
        about=about,
        runs=tuple(runs),
        spaces=spaces,
        names=LabelNames(merged_names(run.own_names for run in runs)),
    )


def _sort_estimates(found: Iterable[Estimate], models: Iterable[str]) -> list[Estimate]:
    """The numbers with families in their usual order; models and suites stay where they appear.

    A system comes before its seeds, with the means of what is shown of it.
    """
    measured = list(found)
    # The means of these over seeds are only shown, not judged.
    given = [*measured, *(mean for figure in ("source", "kept", "drop") for mean in bands(measured, figure))]
    systems = systems_of(given)
    named = [*models, *(e.slice["model"] for e in given)]
    order = dict.fromkeys(name for model in named for name in (system_of(model, systems), model))
    ranks = {model: rank for rank, model in enumerate(order)}
    suites = list(dict.fromkeys(e.slice["suite"] for e in given))
    return sorted(
        given, key=lambda e: (ranks[e.slice["model"]], suites.index(e.slice["suite"]), family_rank(e.slice["family"]))
    )


T = TypeVar("T")


@dataclass(frozen=True)
class _Names:
    """New names of those suites and models of one run whose names are taken by other runs."""

    suites: Mapping[str, str]
    models: Mapping[str, str]

    def suite(self, name: str) -> str:
        return self.suites.get(name, name)

    def model(self, name: str) -> str:
        return self.models.get(name, name)

    def rename(self, stored: T) -> T:
        """A stored part of the run, with the new names wherever it names a suite or a model."""
        if not (self.suites or self.models):
            return stored
        return msgspec.convert(self._renamed(msgspec.to_builtins(stored)), type(stored))

    def _renamed(self, data: Any) -> Any:
        if isinstance(data, dict):
            names = {"suite": self.suite, **dict.fromkeys(("model", "first", "second"), self.model)}
            return {self.model(key): names.get(key, self._renamed)(value) for key, value in data.items()}
        return [*map(self._renamed, data)] if isinstance(data, list | tuple) else data


def _new_names(
    run: RunRecord,
    suites: Mapping[str, Manifest],
    spaces: Mapping[str, LabelSpace],
    models: Mapping[str, ModelAnswers],
    systems: dict[str, tuple[ModelAnswers, ...]],
) -> _Names:
    """Rename suites, models and systems whose names are taken by others: the run's id is added.

    So does the same suite if it is judged by another number of labels: its numbers belong to another task.
    """
    suite_names = {}
    for name, manifest in run.suites.items():
        same_labels = spaces.get(name, run.label_space).labels == run.label_space.labels
        same = suites.get(name, manifest).digest == manifest.digest and same_labels
        suite_names[name] = name if same else f"{name} in {run.id}"

    def unique(name: str, thing: object, there: Mapping[str, object]) -> str:
        return name if there.get(name, thing) == thing else f"{short_name(name)} in {run.id}"

    model_names = {each.model: unique(each.model, each, models) for each in run.models}
    own = systems_of(run.estimates)
    for system in own:
        seeds = tuple(each for each in run.models if system_of(each.model, own) == system)
        name = model_names[system] = unique(system, seeds, systems)
        systems[name] = seeds
    return _Names(*({name: new for name, new in names.items() if new != name} for names in (suite_names, model_names)))


def _merge_judgements(judgements: Sequence[Judgement], last: Collection[str]) -> Judgement:
    """Join judgements without duplicates; the models in `last` come last."""

    def is_last(judged: Any) -> bool:
        model = judged.slice["model"] if hasattr(judged, "slice") else getattr(judged, "model", "")
        return model in last

    merged = {}
    for part in Judgement.__struct_fields__:
        distinct = {msgspec.json.encode(each): each for judgement in judgements for each in getattr(judgement, part)}
        merged[part] = tuple(sorted(distinct.values(), key=is_last))
    return Judgement(**merged)


def _merge_diagnoses(diagnoses: Sequence[Diagnosis]) -> Diagnosis | None:
    """One diagnosis of several runs: the first profile of each model, and pairs of models of one run.

    Errors that all models share are only known if there is one run.
    """
    if len(diagnoses) < 2:
        return diagnoses[0] if diagnoses else None
    profiles = {each.model: each for found in reversed(diagnoses) for each in found.profiles}
    pairs = {(each.first, each.second): each for found in reversed(diagnoses) for each in found.versus}
    order = dict.fromkeys(each.model for found in diagnoses for each in found.profiles)
    return Diagnosis(
        n=max(found.n for found in diagnoses),
        profiles=tuple(profiles[model] for model in order),
        versus=tuple(pairs.values()),
        systems={system: said for found in reversed(diagnoses) for system, said in found.systems.items()},
    )


def _filter_diagnosis(found: Diagnosis | None, suite: str | None, models: Collection[str] | None) -> Diagnosis | None:
    """The parts about some models, and about edits in one suite; everything else is about all suites together."""
    if found is None:
        return None
    profiles = tuple(
        msgspec.structs.replace(each, moves=tuple(m for m in each.moves if suite in (None, m.suite)))
        for each in found.profiles
        if models is None or each.model in models
    )
    pairs = tuple(each for each in found.versus if models is None or {each.first, each.second} <= {*models})
    return msgspec.structs.replace(found, profiles=profiles, versus=pairs)
