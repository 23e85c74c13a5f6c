"""Rules over figures."""

from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.errors import UserError
from assay.core.estimate import CertifiedThreshold, CurveLine, Estimate, SupportCurve
from assay.gate.metric_rules import SIGNS, check, rule


def figure(value: float | None, name: str = "accuracy", **where: str) -> Estimate:
    where = {"model": "assay:overlap/v1", "suite": "stress", "family": "negation", **where}
    return Estimate(name=name, value=value, n=8, slice=where)


FIGURES = [
    figure(0.5),
    figure(0.4, label="neutral"),
    figure(0.9, label="neutral", genre="a.b"),
    figure(0.8, genre="a.b"),
    figure(0.3, model="hf:x/y"),
    figure(0.2, family="heuristics", suite="heuristics"),
    figure(0.1, family="heuristics", suite="heuristics", label="non-entailment"),
    figure(0.6, family="heuristics", suite="heuristics", subcase="sn_np_s"),
    figure(0.7, family="heuristics", suite="heuristics", subcase="ce_adverb"),
    figure(0.6, family="heuristics", suite="heuristics", template="temp1", heuristic="temp1"),
    figure(0.7, family="heuristics", suite="heuristics", heuristic="sn_np_s"),
    figure(0.05, "drop"),
    figure(0.15, "calibration-error"),
    figure(1.5, "brier"),
    figure(None, "consistency"),
    figure(0.7, "f1", family="original", label="entailment"),
    figure(0.2, "answers", label="neutral", answer="entailment"),
    Estimate(name="band", value=0.5, low=0.4, high=0.6, n=3, slice={**figure(0).slice, "model": "x", "seeds": "3"}),
]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("negation.accuracy>=0", [0.5, 0.3]),
        ("model=overlap.negation.accuracy>=0", [0.5]),
        ("negation.model=hf:x/y.accuracy>=0", [0.3]),
        ("negation.neutral.accuracy>=0", [0.4]),
        ("neutral.negation.accuracy>=0", [0.4]),
        ('negation."a.b".accuracy>=0', [0.8]),
        ('negation.genre="a.b".label=neutral.accuracy>=0', [0.9]),
        ("*.accuracy>=0", [0.5, 0.3, 0.2]),
        ("family=*.suite=stress.accuracy>=0", [0.5, 0.3]),
        ("heuristics.subcase=*.accuracy>=0", [0.6, 0.7]),
        ("heuristics.subcase=sn_np_s.accuracy>=0", [0.6]),
        ("heuristics.ce_adverb.accuracy>=0", [0.7]),
        ("negation.drop<=0.1", [0.05]),
        ("negation.ECE<0.1", [0.15]),
        ("negation.brier<2", [1.5]),
        ("negation.neutral.answer=entailment.answers<0.1", [0.2]),
        ("negation.band>0.4", [0.5]),
        (" negation . accuracy  >=  5e-1 ", [0.5, 0.3]),
    ],
)
def test_a_rule_finds_its_figures(text: str, values: list[float]) -> None:
    assert [each.value for each in check(rule(text), FIGURES)] == values


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it has no bound"),
        ("negation.accuracy", "it has no bound"),
        ("negation.accuracy=>0.5", "did you mean 'negation.accuracy>=0.5'"),
        ("accuracy>=0.5", "no metric on a slice"),
        ("negation.accuracy>=half", "'half' is not a number"),
        ("negation.accuracy>=nan", "never beyond 1"),
        ("negation.accuracy>=50", "Write 0.5 for 50%"),
        ("negation.brier<=3", "never beyond 2"),
        ("negation..accuracy>=0.5", "is not part of a slice"),
        ("negation.acuracy>=0.5", "did you mean 'accuracy'"),
        ("negation.consistency>=0.5", "no metric 'consistency'"),
        ("negatoin.accuracy>=0.5", "did you mean 'negation'"),
        ("negation.neutrl.accuracy>=0.5", "did you mean 'neutral'"),
        ("negation.gnre=x.accuracy>=0.5", "did you mean 'genre'"),
        ("negation.genre=x.accuracy>=0.5", "Known as genre: a.b."),
        ("negation.model=overlp.accuracy>=0.5", "did you mean 'overlap'"),
        ("negation.heuristics.accuracy>=0.5", "family is given twice"),
        ("neutral.accuracy>=0.5", r"Name one, or \* for every family"),
        ("heuristics.sn_np_s.accuracy>=0.5", "Use subcase=sn_np_s or heuristic=sn_np_s"),
        ("heuristics.neutral.accuracy>=0.5", "Known as label in heuristics: non-entailment."),
        ("negation.answers>=0.5", "measured by label and answer."),
        ("negation.accuracy.low>=0.5", r"accuracy has no interval for .*\n  Leave out \.low"),
        ("claims.f1>=0.8", r"by label\. Write claims\.supported\.f1>=0\.8"),
        ("negation.subcase=sn_np_s.accuracy>=0.5", "measured by family alone, label, label and genre, genre."),
    ],
)
def test_a_wrong_rule_is_told_with_a_way_out(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as wrong:
        check(rule(text), FIGURES)
    assert repr(text) in str(wrong.value)
    assert "\n  " in str(wrong.value)


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from(sorted(SIGNS)))
def test_the_bound_decides(value: float, bound: float, sign: str) -> None:
    [found] = check(rule(f"negation.accuracy{sign}{bound!r}"), [figure(value)])
    # Each sign says no to exactly what its opposite says yes to.
    opposite = {">=": "<", "<": ">=", "<=": ">", ">": "<="}[sign]
    [other] = check(rule(f"negation.accuracy{opposite}{bound!r}"), [figure(value)])
    assert found.holds is not other.holds
    assert found.holds or value != bound or sign in "<>"


@given(st.text() | st.from_regex(r"[a-z=.\"*]{1,12}\.[a-z]+[<>]=?[0-9]"))
def test_any_text_is_a_rule_or_a_clear_error(text: str) -> None:
    with suppress(UserError):
        read = rule(text)
        assert read.parts
        assert read.sign in SIGNS


def curve(**lines: tuple[float, float]) -> SupportCurve:
    made = {
        name.replace("_", "-"): CurveLine(value=each, low=(None, None), high=(None, None))
        for name, each in lines.items()
    }
    return SupportCurve(
        slice={"model": "m", "suite": "s", "family": "original"},
        n=10,
        supported=4,
        threshold=0.5,
        chosen=None,
        thresholds=(0.3, 0.5),
        lines=made,
        reliability=(),
        coverage=(),
        risk=CurveLine(value=(), low=(), high=()),
    )


def test_rules_at_a_threshold() -> None:
    own = Estimate(
        name="recall", value=0.5, n=4, slice={"model": "m", "suite": "s", "family": "original", "label": "entailment"}
    )
    curves = [curve(recall=(1.0, 0.75), false_support=(0.5, 0.25))]

    def value(text: str) -> float:
        (found,) = check(rule(text), [own], curves=curves)
        return found.value

    assert value("claims.supported.recall>=0.9") == 0.5
    assert value("claims.supported.recall>=0.9 at threshold=0.5") == 0.75
    assert value("original.entailment.recall >= 0.9 at threshold = 0.30") == 1.0
    assert value("*.false-support<=0.1 at threshold=0.3") == 0.5
    assert value("claims.unsupported.recall>=0.1 at threshold=0.3") == 0.5
    with pytest.raises(UserError, match=r"nothing was measured at threshold=0.4.*\n.*hundredth"):
        value("claims.supported.recall>=0.9 at threshold=0.4")


def test_a_rule_is_broken_if_no_threshold_is_certified() -> None:
    """Nothing passes a threshold that does not exist, so a false support of 0 would be no promise."""
    none = CertifiedThreshold(
        bound=0.05, confidence=0.95, threshold=None, false_support=None, recall=None, unsupported=6, more_claims=53
    )
    curves = [msgspec.structs.replace(curve(recall=(1.0, 0.75)), certified=(none,))]
    (found,) = check(rule("claims.false-support<=0.05 at threshold=certified:0.05"), [], curves=curves)
    assert not found.holds
    assert found.missing == "no threshold is certified; at least 53 more unsupported claims are needed"


def test_own_names_come_before_other_names() -> None:
    where = {"model": "m", "suite": "s", "family": "original", "label": "non-entailment"}
    own = [Estimate(name="recall", value=0.25, n=4, slice=where)]
    (found,) = check(rule("claims.supported.recall>=0.9"), own, names={"supported": "non-entailment"})
    assert found.value == 0.25


@pytest.mark.parametrize(("text", "holds"), [("band>0.45", True), ("band.low>0.45", False), ("band.high<=0.6", True)])
def test_a_rule_may_ask_for_an_end_of_the_interval(text: str, holds: bool) -> None:
    [found] = check(rule(f"negation.{text}"), FIGURES)
    assert (found.value, found.holds) == (0.5, holds)
