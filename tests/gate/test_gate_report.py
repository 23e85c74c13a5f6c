"""What a gate shows: the table, JUnit's XML, annotations."""

from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from assay.core.comparison import ComparedSlice, Comparison, Outcome
from assay.gate.gate_report import annotations, gate_summary, junit
from assay.gate.metric_rules import Gate, RuleResult


def checked(
    *, model: str = "assay:overlap/v1", rule: str = "negation.accuracy>=0.5", value: float = 0.25
) -> RuleResult:
    where = {"model": model, "suite": "stress", "family": "negation"}
    return RuleResult(
        rule=rule, figure="accuracy", slice=where, value=value, low=0.2, high=0.3, n=90, holds=value >= 0.5
    )


def compared(family: str, verdict: Outcome, **where: str) -> ComparedSlice:
    return ComparedSlice(
        slice={"suite": "stress", "family": family, **where},
        n=90,
        candidate=0.4,
        baseline=0.6,
        difference=-0.2,
        p=0.0001,
        adjusted=0.0002,
        verdict=verdict,
    )


def gate(*rules: RuleResult, slices: tuple[ComparedSlice, ...] = (), notes: tuple[str, ...] = ()) -> Gate:
    versus = Comparison(
        candidate="hf:new",
        candidate_run="now",
        baseline="hf:old",
        baseline_run="before",
        test="paired",
        slices=slices,
    )
    made = Gate(run="now", baseline="before", outcome="pass", rules=rules, comparisons=(versus,), notes=notes)
    passed = all(each.holds for each in rules) and not made.losses
    return msgspec.structs.replace(made, outcome="pass" if passed else "fail")


MIXED = gate(
    checked(),
    checked(value=0.75),
    slices=(
        compared("antonymy", "worse"),
        compared("antonymy", "worse", label="neutral"),
        compared("swap", "not significant"),
        compared("numeracy", "worse", label="neutral"),
    ),
)


def shown(found: Gate) -> str:
    console = Console(width=100, color_system=None)
    with console.capture() as printed:
        console.print(gate_summary(found))
    return printed.get()


def test_a_long_rule_without_a_value_stays_in_one_table() -> None:
    rule = "claims.supported.recall>=0.5 at threshold=certified:0.05"
    reason = "no threshold is certified; at least 77 more unsupported claims are needed"
    text = shown(gate(msgspec.structs.replace(checked(rule=rule, value=0.0), missing=reason, low=None, high=None)))
    assert text.count("rule or comparison") == 1
    assert reason in " ".join(text.split())
    assert "0.0000" not in text
    assert "stress/" not in text


def test_the_table_says_what_is_broken_first_and_why() -> None:
    lines = [line.rstrip() for line in shown(MIXED).splitlines()]
    assert max(map(len, lines)) <= 100
    marks = [line.split()[0] for line in lines if line.strip().startswith(("broken", "holds"))]
    assert marks == ["broken", "holds"] * 2, "for each of two models"
    assert any(line.split()[-5:] == ["0.2500", "0.2000", "to", "0.3000", "90"] for line in lines)
    assert any(line.split()[-6:] == ["0.4000", "was", "0.6000,", "p", "<0.001", "90"] for line in lines)
    assert lines[-1] == ("now does not pass: 1 of 2 rule checks fail, and significantly worse than hf:old in 1 family.")


def test_many_figures_that_hold_are_counted() -> None:
    found = gate(*[checked(value=0.75)] * 30, checked())
    assert shown(found).count("negation.accuracy>=0.5") == 1
    assert "30 more hold." in shown(found)


def test_junit_has_a_case_for_each_point() -> None:
    top = ElementTree.fromstring(junit(MIXED))
    cases = list(top.iter("testcase"))
    assert [case.find("failure") is not None for case in cases] == [True, False, True, False]
    assert (top.get("tests"), top.get("failures")) == ("4", "2")
    assert cases[0].get("classname") == "assay.overlap"
    assert cases[2].get("name") == "not significantly worse than hf:old on stress/antonymy"


@given(st.text(max_size=60), st.text(max_size=60))
def test_hostile_names_break_neither_xml_nor_annotations(model: str, note: str) -> None:
    found = gate(checked(model=model), notes=(note,))
    assert len(list(ElementTree.fromstring(junit(found)).iter("testcase"))) == 1
    told = annotations(found)
    assert len(told) == 2
    assert all(len(line.splitlines()) == 1 and line.startswith("::") for line in told)


@pytest.mark.parametrize(("given", "told"), [("a\n::error::b", r"a\n::error::b"), ("100%0A", "100%250A")])
def test_an_annotation_stays_on_its_line(given: str, told: str) -> None:
    assert annotations(gate(notes=(given,))) == [f"::notice title=assay gate::{told}"]


def test_annotations_are_about_what_is_broken() -> None:
    told = annotations(MIXED)
    assert len(told) == 2
    assert told[0].startswith("::error title=assay gate::overlap: negation.accuracy>=0.5 on stress/negation: 0.2500")
