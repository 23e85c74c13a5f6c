"""Rules over numbers, such as `heuristics.non-entailment.accuracy>=0.5`: read, matched with estimates, and checked."""

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

from assay.core.case import ORIGINAL
from assay.core.comparison import ComparedRanking, ComparedSlice, Comparison, own_claims
from assay.core.dataframes import ShownTable, TableRecord
from assay.core.errors import UserError, did_you_mean
from assay.core.estimate import CHOSEN, Estimate, SupportCurve
from assay.core.label import Label
from assay.core.label_space import TWO_WAY_KEY
from assay.evaluate.seeds import spellings
from assay.evaluate.support.support_scores import CERTIFIED, figures_at
from assay.evaluate.trainings import has_enough_trainings

OF_TWO_CLASSES = frozenset({"roc-auc", "average-precision", "balanced-accuracy", "false-support", "f1", "precision"})
"""Figures of support scores that compare supported with unsupported cases."""


class RuleResult(msgspec.Struct, frozen=True, kw_only=True):
    """A rule and one number that it is about."""

    rule: str  # the rule as it was given
    figure: str
    slice: dict[str, str]  # the slice: model, suite, family, label, group
    value: float
    low: float | None  # lower end of its 95% interval, if it has one
    high: float | None
    n: int  # number of cases it is based on
    holds: bool  # True if the measured value keeps the rule
    missing: str = ""
    """The reason why there is no value, for instance because no threshold is certified; such a rule is broken."""


GateOutcome = Literal["pass", "fail", "inconclusive"]


class Gate(TableRecord, msgspec.Struct, frozen=True, kw_only=True, rename={"binary_suites": TWO_WAY_KEY}):
    """The result of a gate, with its reasons.

    >>> Gate(run="one", baseline="", outcome="pass", rules=(), comparisons=(), notes=()).losses
    []
    """

    run: str  # the run that is judged, by id
    baseline: str  # the run that it must not be worse than, by id; empty if there is none
    outcome: GateOutcome
    """Fail if a rule is broken or something is significantly worse; inconclusive if cases or training runs are too few
    to say that nothing was lost."""
    rules: tuple[RuleResult, ...]  # every rule with every number that it is about
    comparisons: tuple[Comparison, ...]  # each model against itself, or another, in the earlier run
    notes: tuple[str, ...]  # notes for the reader
    binary_suites: tuple[str, ...] = ()  # suites in which neutral and contradiction count as one label
    names: dict[str, str] = {}  # the user's own names for labels, each with our name

    margin: float | None = None  # the largest loss that is accepted; None if only a significant loss fails

    def _tables(self, *, brief: bool) -> list[ShownTable]:  # noqa: ARG002 - it is small everywhere
        """Each rule and comparison with its outcome, below the overall outcome."""
        from assay.gate.gate_report import gate_sheet, outcome_words

        sheet = gate_sheet(self)
        rows = [[cell.text for cell in row.cells] for row in sheet.rows]
        caption = " ".join(filter(None, (outcome_words(self), sheet.note)))
        return [ShownTable(caption, [column.name for column in sheet.columns], rows)]

    @property
    def passed(self) -> bool:
        """True if the outcome is a pass."""
        return self.outcome == "pass"

    @property
    def open_rows(self) -> list[tuple[Comparison, ComparedSlice]]:
        """Families where a loss is neither shown nor shown to be below the margin."""
        return [
            (comparison, row)
            for comparison in self.comparisons
            for row in comparison.slices
            if row.margin is not None and row.margin.outcome == "inconclusive"
        ]

    @property
    def losses(self) -> list[tuple[Comparison, ComparedSlice]]:
        """Families where a model is significantly worse than in the earlier run."""
        return [(each, row) for each in self.comparisons for row in losses_of(each)]

    @property
    def ranking_losses(self) -> list[tuple[Comparison, ComparedRanking]]:
        """Families where the ROC-AUC is significantly below that of the earlier run."""
        return [(each, row) for each in self.comparisons for row in each.rankings if row.verdict == "lower"]

    @property
    def too_few_trainings(self) -> list[Comparison]:
        """Systems with too few training runs to show a loss, however large."""
        return [each for each in self.comparisons if not has_enough_trainings(each)]


def losses_of(comparison: Comparison) -> list[ComparedSlice]:
    """Whole families that are significantly worse, and false support and recall of a user's own claims.

    Other labels are left out: what one loses, another may gain. With a margin, a loss that is shown to be within it
    does not count, and any label that is significantly worse by more than the margin does.
    """
    margin = next((row.margin.margin for row in comparison.slices if row.margin is not None), None)
    own = {place for places in own_claims([row.slice for row in comparison.slices]) for place in places}
    worse = [(place, row) for place, row in enumerate(comparison.slices) if row.verdict == "worse"]
    if margin is None:
        return [row for place, row in worse if "label" not in row.slice or place in own]
    return [row for _, row in worse if (row.margin.outcome == "worse" if row.margin else row.difference < -margin)]


SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}

RULE = re.compile(
    r"\s*(?P<place>.+?)\s*\.\s*(?P<figure>[A-Za-z][\w-]*)(?:\.(?P<end>low|high))?\s*(?P<sign>>=|<=|>|<)\s*(?P<bound>\S+)"
    r"(?:\s+at\s+threshold\s*=\s*(?P<threshold>\S+))?\s*"
)
PART = re.compile(r'\s*(?:(?P<name>[\w-]+)=)?(?:"(?P<quoted>[^"]+)"|(?P<plain>[^."=]+?))\s*(?:\.(?=.)|$)')

EXAMPLE = 'A rule looks like "heuristics.non-entailment.accuracy>=0.5": family, label or group, metric, bound.'
LONGEST = 500  # maximum number of characters of a rule: reading one takes time that grows faster than its length
LARGEST = {"brier": 2.0}  # largest possible values of metrics, if not 1

OTHER_VALUES = {"claims": ORIGINAL, "supported": Label.ENTAILMENT.value, "unsupported": Label.NON_ENTAILMENT.value}
"""Names that people who check claims use for the unmodified pairs and the two labels."""

SLICE = "slice"  # the slice name of a metric computed on a user's own slice, and the first word of a rule about it
AT = "threshold"  # the slice name of a metric computed at a threshold other than the model's own
ANY = "*"  # any value of a name; on its own, every family
ALWAYS = {"model", "suite", "seeds"}  # names of a slice that a rule need not mention
LABELLED = {"label", "answer"}  # names of a slice whose values are labels
RENAMED = {*LABELLED, "family"}  # names of a slice whose values have other names too
Wanted = dict[str, str]  # the required slice of a number, by name


class MetricRule(NamedTuple):
    """A bound for a number on a slice."""

    text: str  # the rule as it was given
    parts: tuple[tuple[str | None, str], ...]
    """The required slice: a name and a value, or a value that only one name has."""
    figure: str
    sign: str
    bound: float
    end: str = "value"  # the compared number: the number's `value`, or the `low` or `high` end of its interval


def rule(text: str) -> MetricRule:
    """Read a rule.

    >>> found = rule('lexical.category="dr. who".accuracy > 0.5')
    >>> found.parts, found.figure, found.sign, found.bound
    (((None, 'lexical'), ('category', 'dr. who')), 'accuracy', '>', 0.5)
    >>> rule("negation.ece<=0.1").figure, rule("claims.roc-auc.low>=0.5").end
    ('calibration-error', 'low')
    >>> rule("negation.accuracy=0.5")
    Traceback (most recent call last):
    ...
    assay.core.errors.UserError: Rule 'negation.accuracy=0.5': it has no bound; a bound is >=, <=, > or < and a number.
      A rule looks like "heuristics.non-entailment.accuracy>=0.5": family, label or group, metric, bound.
    """
    if len(text) > LONGEST:
        raise _rule_error(f"{text[:40]}...", f"it is longer than {LONGEST:,} characters", EXAMPLE)
    read = RULE.fullmatch(text)
    if read is None and (turned := re.sub(r"=\s*([<>])", r"\1=", text)) != text:
        raise _rule_error(text, f"did you mean {turned!r}?", EXAMPLE)
    if read is None:
        no_bound = "it has no bound; a bound is >=, <=, > or < and a number"
        raise _rule_error(
            text, "no metric on a slice before the bound" if re.search("[<>]", text) else no_bound, EXAMPLE
        )
    figure = {"ece": "calibration-error"}.get(read["figure"].lower(), read["figure"].lower())  # the literature's name
    at = ((AT, read["threshold"]),) if read["threshold"] else ()
    parts, bound = (*_parts(text, read["place"]), *at), _bound(text, figure, read["bound"])
    return MetricRule(text, parts, figure, read["sign"], bound, (read["end"] or "value").lower())


def slices_of(rules: Iterable[MetricRule]) -> list[str]:
    """The slices that rules name.

    >>> slices_of([rule("slice.long ones.neutral.accuracy>=0.5"), rule("negation.accuracy>=0.5")])
    ['long ones']
    """
    return list(dict.fromkeys(value for each in rules for name, value in each.parts if name == SLICE))


def check(
    asked: MetricRule,
    estimates: Iterable[Estimate],
    *,
    curves: Sequence[SupportCurve] = (),
    names: Mapping[str, str] | None = None,
) -> list[RuleResult]:
    """The rule with every number that it is about: for all models and suites, unless it names one.

    A rule at a threshold is about the numbers of `curves`. `names` are the user's own names for labels, each with ours;
    a rule may use either.

    >>> where = {"model": "m", "suite": "s", "family": "negation"}
    >>> [found] = check(rule("negation.accuracy>=0.5"), [Estimate(name="accuracy", value=0.25, n=8, slice=where)])
    >>> found.value, found.holds
    (0.25, False)
    """
    everything = [*estimates, *_at_threshold(asked, curves)]
    measured = [e for e in everything if e.name == asked.figure and e.value is not None]
    if not measured:
        if asked.figure in OF_TWO_CLASSES and curves and all(each.supported in (0, each.n) for each in curves):
            which = "supported" if any(each.supported for each in curves) else "unsupported"
            raise _rule_error(
                asked.text,
                f"there is one class only: all cases are {which}, so there is no {asked.figure}",
                "Use claims of both kinds, or a rule on accuracy.",
            )
        known = dict.fromkeys(e.name for e in everything if e.value is not None)
        raise _rule_error(
            asked.text,
            f"no metric {asked.figure!r}{did_you_mean(asked.figure, known)}",
            f"Choose from {', '.join(known)}.",
        )
    wanted = _wanted(asked, measured, names or {})
    sliced = {*wanted, *(() if SLICE in wanted else ["family"])} - ALWAYS
    found = [e for e in measured if {*e.slice} - ALWAYS == sliced and _matches(e.slice, wanted)]
    if not found:
        raise _rule_error(asked.text, f"{asked.figure} was not measured there.", _measured_by(asked, measured, wanted))
    missing = [_why_uncertified(e, curves) for e in found]
    return [
        RuleResult(
            rule=asked.text,
            figure=e.name,
            slice=e.slice,
            value=e.value,
            low=e.low,
            high=e.high,
            n=e.n,
            holds=not reason and SIGNS[asked.sign](_compared_value(asked, e), asked.bound),
            missing=reason,
        )
        for e, reason in zip(found, missing, strict=True)
        if e.value is not None
    ]


def _why_uncertified(e: Estimate, curves: Sequence[SupportCurve]) -> str:
    """The reason why there is no number at a certified threshold; empty if there is one."""
    at = e.slice.get(AT, "")
    for curve in curves if at.startswith(CERTIFIED) else ():
        for each in curve.certified:
            is_own = curve.slice.items() <= e.slice.items() and at == f"{CERTIFIED}{each.bound:g}"
            if is_own and each.threshold is None:
                more = f"; at least {each.more_claims:,} more unsupported claims are needed" if each.more_claims else ""
                return f"no threshold is certified{more}"
    return ""


def _compared_value(asked: MetricRule, e: Estimate) -> float:
    """The number that the rule compares with its bound: the number, or an end of its interval."""
    value: float | None = getattr(e, asked.end)
    if value is None:
        where = ", ".join(e.slice[name] for name in e.slice if name in {"model", "family", "label"})
        raise _rule_error(asked.text, f"{asked.figure} has no interval for {where}", f"Leave out .{asked.end}.")
    return value


def _at_threshold(asked: MetricRule, curves: Sequence[SupportCurve]) -> list[Estimate]:
    """The numbers at the threshold that a rule names, if it names one."""
    wanted = next((value for name, value in asked.parts if name == AT), "")
    found = figures_at(curves, wanted)
    if wanted == CHOSEN and curves and all(each.chosen is None for each in curves):
        raise _rule_error(
            asked.text,
            "no threshold was chosen",
            "This needs different scores, for both supported and unsupported source pairs. Otherwise name one, as in "
            "`at threshold=0.5`.",
        )
    if wanted and not found and curves and wanted not in {ANY, CHOSEN}:
        bounds = [f"{bound:g}" for bound in sorted({each.bound for curve in curves for each in curve.certified})]
        raise _rule_error(
            asked.text,
            f"nothing was measured at threshold={wanted}",
            f"Use a hundredth from 0 to 1, {CHOSEN}, or {CERTIFIED}BOUND with a bound of {', '.join(bounds)}.",
        )
    return found


def _parts(text: str, place: str) -> tuple[tuple[str | None, str], ...]:
    parts: list[tuple[str | None, str]] = []
    position = 0
    while position < len(place):
        part = PART.match(place, position)
        if part is None:
            raise _rule_error(
                text, f"{place[position:]!r} is not part of a slice", f"{EXAMPLE} Quote values with dots."
            )
        parts.append((part["name"], part["quoted"] or part["plain"].strip()))
        position = part.end()
    if len(parts) > 1 and parts[0] == (None, SLICE):
        parts[:2] = [(SLICE, parts[1][1])]
    return tuple(parts)


def _bound(text: str, figure: str, written: str) -> float:
    try:
        bound = float(written)
    except ValueError:
        raise _rule_error(text, f"{written!r} is not a number", EXAMPLE) from None
    most = LARGEST.get(figure, 1.0)
    if not abs(bound) <= most:
        hint = f"Write {bound / 100:g} for {bound:g}%." if most < abs(bound) <= 100 else EXAMPLE
        raise _rule_error(text, f"{figure} is never beyond {most:g}, so {written} has no effect", hint)
    return bound


def _wanted(asked: MetricRule, measured: Sequence[Estimate], own: Mapping[str, str]) -> Wanted:
    """The required slice: every value with its name, and labels with our names."""
    values: dict[str, set[str]] = {}
    for e in measured:
        for name, value in e.slice.items():
            values.setdefault(name, set()).add(value)
    wanted: Wanted = {}
    own = {**OTHER_VALUES, **own}
    for given, written in asked.parts:
        found = given or _name_of(written, values, asked, own)
        value = own.get(written, written) if found in RENAMED and written not in values.get(found, ()) else written
        if found not in values:
            known_names = f"Slices are by {', '.join(name for name in values if name != 'seeds')}."
            raise _rule_error(asked.text, f"nothing is sliced by {found!r}{did_you_mean(found, values)}", known_names)
        if found in wanted:
            raise _rule_error(asked.text, f"{found} is given twice: {wanted[found]!r} and {value!r}", EXAMPLE)
        known = {each for model in values["model"] for each in spellings(model)} if found == "model" else values[found]
        if value != ANY and value not in known:
            labels = {each for each in own if own[each] in known} if found in LABELLED else set[str]()
            guess = did_you_mean(written, known | labels)
            raise _rule_error(asked.text, f"no {found} {written!r}{guess}", _list_some(found, values[found] | labels))
        wanted[found] = value
    if "family" not in wanted and SLICE not in wanted:
        raise _rule_error(asked.text, "it names no family", f"Name one, or {ANY} for every family: {ANY}.{asked.text}")
    return wanted


def _name_of(value: str, values: Mapping[str, set[str]], asked: MetricRule, own: Mapping[str, str]) -> str:
    """Which name a bare value belongs to: a family, a label, or the one group that has it."""
    if value == ANY:
        return "family"
    there = [name for name in values if value in values[name] and name not in {*ALWAYS, "answer"}]
    for first in ("family", "label"):
        if first in there:
            return first
    for name in ("family", "label"):
        if not there and own.get(value) in values.get(name, set()):
            return name
    if len(there) > 1:
        ways = " or ".join(f"{name}={value}" for name in there)
        raise _rule_error(asked.text, f"{value!r} is the value of several names", f"Use {ways}.")
    if not there:
        near = sorted({*own, *(each for name in values if name not in ALWAYS for each in values[name])})
        raise _rule_error(
            asked.text,
            f"no family, label or group {value!r}{did_you_mean(value, near)}",
            _list_some("family", values["family"]),
        )
    return there[0]


def _matches(where: Mapping[str, str], wanted: Wanted) -> bool:
    for name, value in wanted.items():
        names = spellings(where[name]) if name == "model" else {where.get(name)}
        if value != ANY and value not in names:
            return False
    return True


def _measured_by(asked: MetricRule, measured: Sequence[Estimate], wanted: Wanted) -> str:
    """The names or values that the number is measured by in the family or slice."""
    first = SLICE if SLICE in wanted else "family"
    here = [e.slice for e in measured if _matches(e.slice, {first: wanted[first]})]
    for name in (name for name in wanted if name not in {first, "model"}):
        values = {where[name] for where in here if name in where}
        if values and wanted[name] not in {*values, ANY}:
            return _list_some(f"{name} in {wanted[first]}", values)
    ways = dict.fromkeys(" and ".join(name for name in where if name not in {*ALWAYS, first}) for where in here)
    told = f"In {wanted[first]} it is measured by {', '.join(way or f'{first} alone' for way in ways)}."
    label = next((where["label"] for where in here if {*where} - ALWAYS == {first, "label"}), "")
    if not label or {*wanted} - ALWAYS != {first}:
        return told
    names = {label: name for name, label in OTHER_VALUES.items()} if asked.text.startswith("claims") else {}
    start, _, rest = asked.text.rpartition(asked.figure)
    return f"{told} Write {start}{names.get(label, label)}.{asked.figure}{rest}"


def _list_some(name: str, values: Iterable[str]) -> str:
    known = sorted(values)
    more = f" and {len(known) - 12} more" if len(known) > 12 else ""
    return f"Known as {name}: {', '.join(known[:12])}{more}."


def _rule_error(text: str, fact: str, hint: str) -> UserError:
    end = "" if fact.endswith((".", "?")) else "."
    return UserError(f"Rule {text!r}: {fact}{end}\n  {hint}")
