"""Two models of claims compared by what people decide on: unsupported claims that pass, and supported ones that do."""

from collections.abc import Iterator, Mapping
from math import log10
from typing import NamedTuple

import msgspec

from assay.core.case import ORIGINAL
from assay.core.comparison import ComparedRanking, ComparedSlice, Comparison, own_claims
from assay.core.estimate import key_of
from assay.core.label import Label
from assay.core.run_record import RunRecord
from assay.reports.formatting import p_value, percent, points
from assay.reports.tables.diagnosis_tables import NAMES

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
    headline: str  # who is right more often and lets fewer unsupported claims through, at what cost; no full stop
    numbers: tuple[str, ...]  # accuracy, false support and recall, each with its interval and p
    undecided: tuple[str, ...]  # what these claims can't tell, and how many more could


def claims_measures(found: Comparison) -> Mapping[frozenset[tuple[str, str]], str]:
    """The slices of the labels of a user's own claims, each with what it measures."""
    slices = [row.slice for row in found.slices]
    own = [slices[place] for places in own_claims(slices) for place in places]
    return {
        key_of(where): "recall" if where["label"] == Label.ENTAILMENT else "false-support"
        for where in own
        if "label" in where
    }


def claims_verdict(found: Comparison, baseline: str, candidate: str) -> ClaimsVerdict | None:
    """The answer to which of two models to take; None if they are not compared on claims, or without a verdict."""
    rows = claims_rows(found)
    if not rows or any(row.verdict not in ("better", "worse", "not significant") for row in rows.values()):
        return None
    suite = rows["recall"].slice["suite"]
    where = {"suite": suite, "family": ORIGINAL}
    accuracy = next(row for row in found.slices if row.slice == where)
    ranking = next((row for row in found.rankings if row.slice == where), None)
    tests = 1 + len(rows)
    shown = {"Accuracy": (accuracy, "all claims")}
    shown |= {TITLES[name]: (row, f"the {KINDS[name]} claims") for name, row in rows.items()}
    return ClaimsVerdict(
        ". ".join(_headline(accuracy, rows["false-support"], rows["recall"], ranking, baseline, candidate)),
        tuple(f"{title}: {_numbers(row)} of {claims}." for title, (row, claims) in shown.items()),
        tuple(
            _undecided_words(row, KINDS[name], baseline, candidate, tests)
            for name, row in rows.items()
            if row.verdict == "not significant"
        ),
    )


def shortcut_contrasts(*sides: tuple[RunRecord, str, str]) -> list[str]:
    """Shortcuts that one of two models follows and the other does not, each side with its run, model and name."""
    effects = []
    for record, model, _ in sides:
        profiles = record.diagnosis.profiles if record.diagnosis else ()
        effects.append(next((profile.effects for profile in profiles if profile.model == model), None))
    lines = []
    for own, other, (_, _, name), (_, _, rival) in zip(effects, effects[::-1], sides, sides[::-1], strict=True):
        if own is None or other is None:
            continue
        theirs = {each.name for each in other if each.follows or each.possible}
        there = dict.fromkeys(NAMES[each.name] for each in own if each.follows and each.name not in theirs)
        lines += [f"{name} follows a shortcut that {rival} doesn't: {shortcut}." for shortcut in there]
    return lines[::-1]


def _headline(
    accuracy: ComparedSlice,
    false: ComparedSlice,
    recall: ComparedSlice,
    ranking: ComparedRanking | None,
    baseline: str,
    candidate: str,
) -> Iterator[str]:
    """Sentences, each without its full stop."""
    names = baseline, candidate
    subject, than = candidate, f" than {baseline}"
    if accuracy.verdict in ("better", "worse"):
        often = "more" if accuracy.verdict == "better" else "less"
        yield f"{subject} is right {often} often{than}: {_instead(accuracy)}"
        subject, than = "It", ""
    passes = {"better": "lets fewer unsupported claims through", "worse": "lets more unsupported claims through"}
    accepts = {"better": "accepts more supported", "worse": "accepts fewer supported"}
    through = f"the unsupported claims that get through: {_both(false, *names)}"
    accepted = f"the supported claims that they accept: {_both(recall, *names)}"
    if false.verdict in passes:
        said = f"{subject} {passes[false.verdict]}{than}: {_instead(false)}"
        if recall.verdict in accepts:
            link = "and it" if recall.verdict == false.verdict else "but it"
            yield f"{said}, {link} {accepts[recall.verdict]} ones: {_instead(recall)}"
        else:
            yield said
            yield f"No difference is shown in {accepted}"
    elif recall.verdict in accepts:
        yield f"{subject} {accepts[recall.verdict]} claims{than}: {_instead(recall)}"
        yield f"No difference is shown in {through}"
    elif subject == "It":
        yield f"No difference is shown in {through}, or in {accepted}"
    else:
        at = "At their thresholds, these" if ranking and ranking.verdict != "not significant" else "These"
        yield f"{at} claims don't tell {baseline} and {candidate} apart"
        one, other = ((each.baseline, each.candidate) for each in (false, recall))
        yield (
            f"{baseline} lets {percent(one[0])}% of the unsupported claims through and {candidate} {percent(one[1])}%; "
            f"{baseline} accepts {percent(other[0])}% of the supported ones and {candidate} {percent(other[1])}%"
        )
    if ranking and ranking.verdict != "not significant":
        how = "better" if ranking.verdict == "higher" else "worse"
        yield (
            f"The scores of {candidate} rank claims {how}: AUC {percent(ranking.candidate)} instead of "
            f"{percent(ranking.baseline)}"
        )


def _instead(row: ComparedSlice) -> str:
    return f"{percent(row.candidate)}% instead of {percent(row.baseline)}%"


def _both(row: ComparedSlice, baseline: str, candidate: str) -> str:
    one, other = percent(row.baseline), percent(row.candidate)
    return f"{one}% (both)" if one == other else f"{one}% ({baseline}) and {other}% ({candidate})"


def _numbers(row: ComparedSlice) -> str:
    around = "" if row.low is None or row.high is None else f", 95% interval {points(row.low)} to {points(row.high)}"
    return (
        f"{percent(row.baseline)}% -> {percent(row.candidate)}% ({points(row.difference)} points{around}; corrected p "
        f"{p_value(row.adjusted)})"
    )


def _undecided_words(row: ComparedSlice, kind: str, baseline: str, candidate: str, tests: int) -> str:
    """A sentence on the difference that claims of one kind leave open, without terms of statistics."""
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
