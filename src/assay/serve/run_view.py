"""The terms for a run on pages: claims are supported or not, and models of another run are marked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from msgspec.structs import replace

from assay.core.case import ORIGINAL
from assay.core.estimate import Estimate, SupportCurve
from assay.core.judgement import Diagnosis, LossFinding
from assay.core.label import Label
from assay.core.label_space import LabelNames
from assay.core.run_record import ModelAnswers, RunRecord
from assay.evaluate.diagnose.diagnosis_headline import headline
from assay.reports.formatting import as_written, ends, percent
from assay.reports.page.html_page import Metric
from assay.reports.threshold_points import PROMISE, certified_at, curve_of, threshold_within
from assay.reports.view import ReportView, view_of
from assay.serve.addresses import cases_link, threshold_link

OWN_TABLE = "pairs/v1"  # the format of people's own files; a published two-way set keeps its labels' names
CLAIM_NAMES = LabelNames({"supported": Label.ENTAILMENT, "not supported": Label.NON_ENTAILMENT})


@dataclass(frozen=True, kw_only=True)
class ServedView(ReportView):
    shown: Mapping[str, str] = field(default_factory=dict)  # display names of models of another run

    def name(self, model: str) -> str:
        return self.shown.get(model) or super().name(model)


def is_about_claims(record: RunRecord) -> bool:
    """True if people's own claims were judged as supported or not."""
    binary = record.label_space.is_binary
    return any(
        each.source.format == OWN_TABLE and (binary or each.label_space.is_binary) for each in record.suites.values()
    )


def run_view(
    record: RunRecord,
    *,
    slices: Mapping[str, Sequence[Estimate]] | None = None,
    shown: Mapping[str, str] | None = None,
    more: Mapping[str, ModelAnswers] | None = None,
) -> ServedView:
    """The view of one run; `more` are models of another, and `shown` their names."""
    view = view_of([record], slices=slices)
    parts: dict[str, Any] = {each.name: getattr(view, each.name) for each in fields(view)}
    parts["models"] = {**view.models, **(more or {})}
    if is_about_claims(record) and not view.names:
        parts["names"] = CLAIM_NAMES
        if view.diagnosis:
            parts["diagnosis"] = _name_claims(view.diagnosis)
    return ServedView(**parts, shown=shown or {})


def _name_claims(diagnosis: Diagnosis) -> Diagnosis:
    """The diagnosis with supported and not supported in its sentences about shortcuts."""
    profiles = []
    for each in diagnosis.profiles:
        plain, named = (
            headline(each.effects, each.moves, names, unseen=diagnosis.unseen) for names in (LabelNames(), CLAIM_NAMES)
        )
        profiles.append(replace(each, headline=named) if each.headline == plain else each)
    return replace(diagnosis, profiles=tuple(profiles))


def metrics_of(view: ReportView, run: str, model: str) -> Iterator[Metric]:
    """The main numbers of a model: accuracy, and others that depend on whether it gives scores."""
    for metric in _metrics(view, run, model):
        yield metric if model in view.models else metric._replace(link="")  # the cases of a system are its seeds'


def _metrics(view: ReportView, run: str, model: str) -> Iterator[Metric]:
    curve = curve_of(view, model)
    for (name, suite, family), accuracy in view.find_with_means("accuracy").items():
        if name == model and family == ORIGINAL:
            where = {"model": model, "suite": suite, "family": family}
            noun = "claims" if curve else "unmodified pairs"
            yield Metric(
                "Accuracy",
                f"{percent(accuracy.value)}%",
                f"{ends(accuracy.low, accuracy.high)} on {accuracy.n:,} {noun}",
                cases_link(run, **where, show="wrong", order="worst"),
            )
    if curve:
        yield from _scores(view, run, curve)
    else:
        yield from _losses(view, run, model)


def _scores(view: ReportView, run: str, curve: SupportCurve) -> Iterator[Metric]:
    place = (curve.slice["model"], curve.slice["suite"], ORIGINAL)
    page = threshold_link(run, curve.slice["model"])
    for name, title, label, kind in (
        ("false-support", "False support", Label.NON_ENTAILMENT, "unsupported"),
        ("recall", "Recall", Label.ENTAILMENT, "supported"),
    ):
        found = view.find(name).get(place) or view.find(name, "label").get((*place, label.value))
        if found:
            link = cases_link(run, **curve.slice, label=label, answer=Label.ENTAILMENT.value, order="worst")
            note = f"of {found.n:,} {kind} claims pass ({ends(found.low, found.high)})"
            yield Metric(title, f"{percent(found.value)}%", note, link)
    if area := view.find("roc-auc").get(place):
        yield Metric("AUC", percent(area.value), f"{ends(area.low, area.high)}; a random score has 50", page)
    yield _threshold(curve, page)


def _threshold(curve: SupportCurve, page: str) -> Metric:
    """The threshold that keeps false support at the bound that a run's page looks for."""
    here = threshold_within(curve, PROMISE)
    name = f"Threshold for {PROMISE:.0%} false support"
    if here is None:
        return Metric(name, "none", "none that accepts supported claims keeps it", page)
    note = f"recall {percent(here.value('recall'))}%; "
    if certified := certified_at(curve, PROMISE):
        note += f"certified for new claims, {certified.confidence:.0%} confidence"
    else:
        needed = [each.more_claims for each in curve.certified if each.bound == PROMISE and each.more_claims]
        note += "keeps it on these claims only"
        note += f"; certifying one takes at least {needed[0]:,} more unsupported claims" if needed else ""
    return Metric(name, as_written(here.threshold), note, page)


def _losses(view: ReportView, run: str, model: str) -> Iterator[Metric]:
    losses = [each for each in view.findings(model) if isinstance(each, LossFinding)]
    for worst in losses[:1]:
        where = {"model": model, "suite": worst.suite, "family": worst.family, "label": worst.label}
        label = f"{view.names(worst.label)} in " if worst.label else ""
        yield Metric(
            "Largest loss",
            f"{percent(worst.before)} → {percent(worst.after)}%",
            f"{label}{worst.family}",
            cases_link(run, **where, show="wrong", order="worst"),
        )
    families = {family for name, _, family in view.find_with_means("accuracy") if name == model} - {ORIGINAL}
    if families:
        lost = len({each.slice["family"] for each in view.judgement.losses if each.slice["model"] == model})
        note = "significantly below the unmodified pairs, for some label or all"
        yield Metric("Families with a loss", f"{lost} of {len(families)}", note, "#verdict")
