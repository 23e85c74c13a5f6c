"""Telling examples in the terminal."""

import msgspec
import pytest
from rich.console import Console, Group
from tests.conftest import pair

from assay.core.case import Recipe, case_from
from assay.core.edit import Edit, Replacement
from assay.core.judgement import Example, ExampleAnswer
from assay.core.label import Label
from assay.reports.headline import most_telling
from assay.reports.terminal.run_summary import example_section, examples_shown


def example(number: int = 1, *, family: str = "negation", source: Label | None = Label.ENTAILMENT) -> Example:
    """A pair whose label stays, with an answer that moved."""
    edit = Edit(hypothesis=(Replacement(0, "Somebody", "Some\x1b[31mone"),), premise_from="premise")
    made = case_from(pair(number), edit, family=family, recipe=Recipe(transform=f"{family}/v1", seed=0))
    moved = ExampleAnswer(label=Label.NEUTRAL, confidence=0.75, source=source, failed=True)
    right = ExampleAnswer(label=Label.ENTAILMENT, source=source)
    answers = {"assay:overlap/v1": moved, "hf:m": right}
    return Example(suite="stress", case=made, answers=answers, source_label=Label.ENTAILMENT)


def drawn(*parts: object, colour: bool = False) -> str:
    console = Console(width=100, force_terminal=colour, color_system="standard" if colour else None)
    with console.capture() as printed:
        console.print(Group(*parts))  # type: ignore[arg-type]
    return printed.get()


def test_the_edit_shows_without_colours() -> None:
    shown = drawn(*examples_shown([example()]))
    assert r"hypothesis: [-Somebody-]{+Some\x1b[31mone+} cooks." in shown
    assert "premise: A cook fries two eggs." in shown
    assert "right: entailment; overlap: neutral 0.75 (entailment), hf:m: entailment (entailment)" in shown


def test_colours_only_add_to_it() -> None:
    plain, coloured = drawn(*example_section([example()])), drawn(*example_section([example()]), colour=True)
    assert "\x1b" not in plain
    assert "\x1b[31m[-Somebody-]" in coloured


def test_models_can_be_picked() -> None:
    assert "hf:m" not in drawn(*examples_shown([example()], models=["assay:overlap/v1"]))


def test_three_of_different_families_are_chosen_those_that_moved_first() -> None:
    never_right = example(1, family="heuristics", source=None)
    found = [example(2), example(3), never_right, example(4, family="spelling"), example(5, family="antonymy")]
    chosen = most_telling(found)
    assert [each.case.family for each in chosen] == ["negation", "spelling", "antonymy"]
    assert [each.case.family for each in most_telling(found[:2])] == ["negation", "negation"]


def test_what_a_swapped_pair_expects_is_said() -> None:
    edit = Edit(expects="drop", premise_from="hypothesis", hypothesis_from="premise")
    made = case_from(pair(), edit, family="swap", recipe=Recipe(transform="swap/v1", seed=0))
    answers = {"m": ExampleAnswer(label=Label.ENTAILMENT, source=Label.ENTAILMENT, failed=True)}
    shown = drawn(*examples_shown([Example(suite="s", case=made, answers=answers)]))
    assert "Premise and hypothesis were swapped." in shown
    assert "right before: entailment, which should drop; m: entailment (entailment)" in shown


def test_the_legend_tells_only_what_is_there() -> None:
    assert "In brackets: the answer to the unmodified pair." in drawn(*example_section([example()]))
    recipe = Recipe(transform="original/v1", seed=0)
    source = case_from(pair(), Edit(premise_from="premise"), family="original", recipe=recipe)
    alone = msgspec.structs.replace(example(source=None), case=source, source_label=None)
    shown = drawn(*example_section([alone]))
    assert "brackets" not in shown
    assert "{+new+}" not in shown


@pytest.mark.parametrize("found", [[], ()])
def test_nothing_is_said_where_nobody_fails(found: list[Example]) -> None:
    assert example_section(found) == []
