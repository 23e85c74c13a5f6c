"""What a report looks at: one run or several as if they were one, with names that tell them apart."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from assay.core.estimate import Estimate
from assay.core.example import Example
from assay.core.run import ModelAnswers, RunRecord
from assay.core.suite import Manifest
from assay.reports.findings import short_name, system_of, systems_of
from assay.reports.two_way import MARK, two_way


class Told(NamedTuple):
    """A run to report on."""

    record: RunRecord
    """The run."""
    examples: Sequence[Example] = ()
    """Its most telling failures."""
    folder: str = ""
    """Where it is stored, as the user names it."""
    cards: Mapping[str, Mapping[str, str]] = {}
    """What is known of the data of each suite, such as its licence, by the suite's name."""
    about: Mapping[str, str] = {}
    """What each model is, in a sentence."""


class View(NamedTuple):
    """One run or several."""

    runs: tuple[Told, ...]
    """The runs."""
    suites: dict[str, Manifest]
    """What was asked, by a name that is unique here."""
    models: dict[str, ModelAnswers]
    """Who answered, by a name that is unique here."""
    estimates: list[Estimate]
    """Every figure, under these names."""
    examples: list[Example]
    """The most telling failures, under these names."""
    two_way: frozenset[str]
    """The models that answer with two labels where cases have three, and the systems that they are seeds of."""

    def name(self, model: str) -> str:
        """A model's name for people, marked where its task is an easier one."""
        return f"{short_name(model)} ({MARK})" if model in self.two_way else short_name(model)

    def rank(self, model: str) -> int:
        """The place of a model among all, by which its colour is chosen."""
        return [*self.models].index(model) if model in self.models else len(self.models)

    @property
    def repeats(self) -> bool:
        """Whether a family is in more than one of the suites, so that they must be told apart."""
        families = [family for manifest in self.suites.values() for family in manifest.counts]
        return len({*families}) < len(families)


def view_of(runs: Sequence[Told]) -> View:
    """The runs put together: a suite or a model that is the same in two runs is one; another of its name is renamed."""
    suites: dict[str, Manifest] = {}
    models: dict[str, ModelAnswers] = {}
    estimates: dict[tuple[str, frozenset[tuple[str, str]]], Estimate] = {}
    examples: dict[tuple[str, str], Example] = {}
    for run in runs:
        record = run.record
        suite_names = {
            name: name if suites.get(name, manifest).digest == manifest.digest else f"{name} in {record.id}"
            for name, manifest in record.suites.items()
        }
        model_names = {each.model: _unique(each, models, record.id) for each in record.models}
        suites |= {suite_names[name]: manifest for name, manifest in record.suites.items()}
        models |= {model_names[each.model]: each for each in record.models}
        for each in record.estimates:
            model, suite = each.slice["model"], each.slice["suite"]
            where = {**each.slice, "model": model_names.get(model, model), "suite": suite_names[suite]}
            estimates[each.name, frozenset(where.items())] = msgspec.structs.replace(each, slice=where)
        for example in run.examples:
            answers = {model_names[model]: answer for model, answer in example.answers.items()}
            suite = suite_names[example.suite]
            examples[suite, example.case.id] = msgspec.structs.replace(example, suite=suite, answers=answers)
    figures = list(estimates.values())
    return View(tuple(runs), suites, models, figures, list(examples.values()), _two_way(figures))


def _two_way(estimates: list[Estimate]) -> frozenset[str]:
    systems = systems_of(estimates)
    return frozenset(name for model, _ in two_way(estimates) for name in (model, system_of(model, systems)))


def _unique(answers: ModelAnswers, models: dict[str, ModelAnswers], run: str) -> str:
    """A model's name, with its run where another model has answered otherwise under it."""
    there = models.get(answers.model)
    return answers.model if there in (None, answers) else f"{short_name(answers.model)} in {run}"
