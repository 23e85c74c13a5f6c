"""Two models of claims compared by what people decide on: unsupported claims that pass, and supported ones that do."""

from collections.abc import Mapping
from math import log10
from typing import NamedTuple

import msgspec

from assay.core.case import ORIGINAL
from assay.core.comparison import ComparedSlice, Comparison
from assay.core.label import Label
from assay.reports.formatting import p_value, percent, points

TITLES = {"false-support": "False support", "recall": "Recall"}
KINDS = {"false-support": "unsupported", "recall": "supported"}  # the claims that each is about


def as_false_support(row: ComparedSlice) -> ComparedSlice:
    """The accuracy on unsupported claims as the share of them that passes; test and verdict stay the same."""
    return msgspec.structs.replace(
        row,
        candidate=1 - row.candidate,
        baseline=1 - row.baseline,
        difference=-row.difference,
        low=None if row.high is None else -row.high,
        high=None if row.low is None else -row.low,
        only_candidate=row.only_baseline,
        only_baseline=row.only_candidate,
    )


def claims_rows(found: Comparison) -> Mapping[str, ComparedSlice]:
    """False support and recall on the unmodified claims of the first suite with two labels; empty if there is none."""
    suites: dict[str, dict[str, ComparedSlice]] = {}
    for row in found.slices:
        if row.slice["family"] == ORIGINAL and "label" in row.slice:
            suites.setdefault(row.slice["suite"], {})[row.slice["label"]] = row
    for rows in suites.values():
        if rows.keys() == {Label.ENTAILMENT.value, Label.NON_ENTAILMENT.value}:
            others = rows[Label.NON_ENTAILMENT.value]
            return {"false-support": as_false_support(others), "recall": rows[Label.ENTAILMENT.value]}
    return {}


class ClaimsVerdict(NamedTuple):
    headline: str  # who lets fewer unsupported claims through, and what that costs; no full stop
    numbers: tuple[str, ...]  # false support and recall, each with its interval and p
    undecided: tuple[str, ...]  # what these claims can't tell, and how many more could


def claims_verdict(found: Comparison, baseline: str, candidate: str) -> ClaimsVerdict | None:
    """The answer to which of two models to take; None if they are not compared on claims, or without a verdict."""
    rows = claims_rows(found)
    if not rows or any(row.verdict not in ("better", "worse", "not significant") for row in rows.values()):
        return None
    tests = sum("label" in row.slice for row in found.slices)
    return ClaimsVerdict(
        _headline(rows["false-support"], rows["recall"], baseline, candidate),
        tuple(f"{TITLES[name]}: {_numbers(row)} of the {KINDS[name]} claims." for name, row in rows.items()),
        tuple(
            _undecided_words(row, KINDS[name], baseline, candidate, tests)
            for name, row in rows.items()
            if row.verdict == "not significant"
        ),
    )


def _headline(false: ComparedSlice, recall: ComparedSlice, baseline: str, candidate: str) -> str:
    names = baseline, candidate
    passes = {"better": "lets fewer unsupported claims through", "worse": "lets more unsupported claims through"}
    accepts = {"better": "accepts more supported", "worse": "accepts fewer supported"}
    if false.verdict in passes:
        said = f"{candidate} {passes[false.verdict]} than {baseline}: {_instead(false)}"
        if recall.verdict in accepts:
            link = "and it" if recall.verdict == false.verdict else "but it"
            return f"{said}, {link} {accepts[recall.verdict]} ones: {_instead(recall)}"
        return f"{said}. No difference is shown in the supported claims that they accept: {_both(recall, *names)}"
    if recall.verdict in accepts:
        said = f"{candidate} {accepts[recall.verdict]} claims than {baseline}: {_instead(recall)}"
        return f"{said}. No difference is shown in the unsupported claims that get through: {_both(false, *names)}"
    return (
        f"These claims don't tell {candidate} and {baseline} apart. They let {_both(false, *names)} of the unsupported "
        f"claims through, and accept {_both(recall, *names)} of the supported ones"
    )


def _instead(row: ComparedSlice) -> str:
    return f"{percent(row.candidate)}% instead of {percent(row.baseline)}%"


def _both(row: ComparedSlice, baseline: str, candidate: str) -> str:
    one, other = percent(row.candidate), percent(row.baseline)
    return f"{one}% (both)" if one == other else f"{one}% ({candidate}) and {other}% ({baseline})"


def _numbers(row: ComparedSlice) -> str:
    around = "" if row.low is None or row.high is None else f", 95% interval {points(row.low)} to {points(row.high)}"
    return (
        f"{percent(row.baseline)}% -> {percent(row.candidate)}% ({points(row.difference)} points{around}; corrected p "
        f"{p_value(row.adjusted)})"
    )


def _undecided_words(row: ComparedSlice, kind: str, baseline: str, candidate: str, tests: int) -> str:
    """What the claims of one kind can't tell, for people who don't know statistics."""
    is_system = row.clusters is None  # over training runs, which are not counted case by case
    if not is_system and not row.only_candidate and not row.only_baseline:
        return f"Both models accept the same {kind} claims."
    said = f"Of {row.n:,} {kind} claims, other training runs of both may accept others. "
    if not is_system:
        said = (
            f"Of {row.n:,} {kind} claims, {row.only_candidate:,} pass only with {candidate} and "
            f"{row.only_baseline:,} only with {baseline}. "
        )
    low, high = row.low, row.high
    if low is not None and high is not None and not low <= 0 <= high:
        said += f"Alone, that would count as a difference. Among {tests} tests, chance makes one as large too often."
    else:
        said += "Chance alone can do that"
        if low is not None and high is not None:
            said += f": the true difference may be anywhere from {points(low)} to {points(high)} points"
        said += "."
    if row.more_cases:
        more = round(row.more_cases, 1 - int(log10(row.more_cases)))  # two digits: it is a guess
        said += f" If it is as large as here, about {more:,} more {kind} claims would show it."
    return said
