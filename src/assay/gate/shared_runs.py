"""Runs that tests share: each made once, and judged by families or by rules."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console, Group

from assay.core.errors import UserError
from assay.core.judgement import ConfidenceFinding
from assay.core.run_record import RunRecord
from assay.gate.gate_report import Point, points_of, rule_point
from assay.gate.gate_run import gate
from assay.gate.metric_rules import Gate, RuleResult, check, rule
from assay.reports.phrases import below_chance_sentence, finding_sentence, short_name, two_way_words
from assay.reports.terminal.run_summary import examples_shown
from assay.run.api import run
from assay.run.build.case_selection import sample_suite
from assay.run.measure import failures
from assay.run.predict.model_names import model_name, seeds_of
from assay.run.stored_run import open_run, run_folder
from assay.storage.suite import Suite, named_suites

FEW = 3  # largest number of examples that are shown below a failure
Key = tuple[tuple[str, ...], tuple[str, ...], int | None, tuple[tuple[str, Any], ...]]


class SharedRunSubject(NamedTuple):
    model: str
    suite: str
    family: str

    @property
    def title(self) -> str:
        """The model, for people."""
        return short_name(self.model)


class SharedRuns:
    def __init__(self, out: Path) -> None:
        self.out = out
        self._runs: dict[Key, Held] = {}

    @property
    def held(self) -> list["Held"]:
        return list(self._runs.values())

    def planned(self, models: Sequence[str], suites: Sequence[str]) -> list[SharedRunSubject]:
        """A test for each family of each suite and each model, without running anything."""
        names = [model_name(seed) for name in models for seed in seeds_of(name)]
        folders = {name: Suite.open(folder) for name, folder in named_suites(suites).items()}
        return [
            SharedRunSubject(model, name, family)
            for model in names
            for name, suite in folders.items()
            for family in suite.manifest.counts
        ]

    def run(self, models: Sequence[str], suites: Sequence[str], limit: int | None, **options: Any) -> "Held":
        """The run of these models on these suites, with options of `assay.run`; made when it is first needed."""
        key = _key_of(models, suites, limit, options)
        if key not in self._runs:
            folders = named_suites(suites)
            if limit is not None:
                place = self.out / "samples"
                folders = {
                    name: str(sample_suite(Suite.open(folder), limit, place / f"{len(self._runs)}-{name}").folder)
                    for name, folder in folders.items()
                }
            self._runs[key] = Held(run(suites=folders, models=models, out=self.out, **options))
        return self._runs[key]

    def take(
        self, folder: str | Path, models: Sequence[str], suites: Sequence[str], limit: int | None, **options: Any
    ) -> None:
        """A run that another process made."""
        self._runs[_key_of(models, suites, limit, options)] = Held(open_run(folder))


def _key_of(models: Sequence[str], suites: Sequence[str], limit: int | None, options: Mapping[str, Any]) -> Key:
    chosen = sorted((name, value) for name, value in options.items() if value is not None)
    return tuple(models), tuple(suites), limit, tuple(chosen)


class Held:
    """A stored run for use in a test: `assay_run.check("negation.accuracy>=0.5")`."""

    def __init__(self, record: RunRecord) -> None:
        self.record = record  # the record with every number
        self.folder = run_folder(record)  # where the run is stored
        self._gates: dict[tuple[str, float | None], Gate] = {}

    def figures(self, asked: str) -> list[RuleResult]:
        """Every number that a rule is about, with whether the rule holds."""
        record = self.record
        return check(rule(asked), record.estimates, curves=record.support, names=record.own_names)

    def check(self, *rules: str) -> None:
        """Fail with the numbers and examples if a rule is broken."""
        __tracebackhide__ = True
        broken = [each for asked in rules for each in self.figures(asked) if not each.holds]
        if broken:
            messages = [
                self.told([rule_point(each).sentence], model=each.slice["model"], family=each.slice["family"])
                for each in broken
            ]
            raise AssertionError("\n\n".join(messages))

    def judge(self, place: SharedRunSubject, rules: Sequence[str]) -> list[str] | None:
        """The problems of a family, in sentences; None if there are rules, but none is about it."""
        if rules:
            found = [each for asked in rules for each in self.figures(asked) if _is_at(each.slice, place)]
            return [rule_point(each).sentence for each in found if not each.holds] if found else None
        judgement = self.record.judgement
        findings = [each for each in judgement.findings if (each.model, each.suite, each.family) == place]
        below = [each for each in judgement.below_chance if _is_at(each.slice, place)]
        names = self.record.label_names
        return [
            *(finding_sentence(each, names) for each in findings if not isinstance(each, ConfidenceFinding)),
            *(below_chance_sentence(each, names) for each in below),
        ]

    def compare(self, place: SharedRunSubject, earlier: str, margin: float | None) -> Point:
        """A family compared with the same family in an earlier run."""
        if (earlier, margin) not in self._gates:
            models = [each.model for each in self.record.models]
            self._gates[earlier, margin] = gate(self.record, no_worse_than=Path(earlier), models=models, margin=margin)
        wanted = place.model, f"{place.suite}/{place.family}"
        found = [each for each in points_of(self._gates[earlier, margin]) if (each.model, each.where) == wanted]
        if not found:
            raise UserError(f"{place.family} of {place.suite} is not in {earlier}: run the model on this suite there.")
        return min(found, key=lambda each: each.holds)

    def told(self, sentences: Sequence[str], *, model: str, family: str) -> str:
        """The sentences, and a few examples of what the model gets wrong."""
        fitting = failures(self.record, FEW, models=[model], families=[family])
        console = Console(width=100, color_system=None, highlight=False)
        with console.capture() as shown:
            console.print(Group(*examples_shown(fitting[:FEW], models=[model], space=self.record.label_space)))
        record = self.record
        judged = [two_way_words(record.label_names)] if record.label_space.is_binary else []
        return "\n".join([*sentences, *judged, *(line.rstrip() for line in shown.get().splitlines() if line.strip())])


def _is_at(where: dict[str, str], place: SharedRunSubject) -> bool:
    return (where["model"], where["suite"], where["family"]) == place
