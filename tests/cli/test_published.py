"""assay list published."""

import json

from tests.conftest import Assay


def test_without_a_paper_it_lists_the_tables(assay: Assay) -> None:
    said = assay("list", "published").stdout
    assert all(key in said for key in ("naik2018", "glockner2018", "wang2019", "mccoy2019", "A2"))


def test_a_table_is_shown_as_printed_with_its_doubts(assay: Assay) -> None:
    said = assay("list", "published", "glockner2018", "3").stdout
    assert "-16.8*" in said
    assert "*: 68.2 less 84.6 is -16.4." in said
    assert "naik2018" not in said


def test_a_family_has_its_kin_in_several_papers(assay: Assay) -> None:
    found = json.loads(assay("list", "published", "--family", "negation", "--json").stdout)
    assert {each["paper"] for each in found} == {"naik2018", "wang2019"}
    assert {"NB", "KIM"} <= {each["model"] for each in found}
    assert "39.5" in assay("list", "published", "--family", "negation").stdout


def test_what_is_not_there_is_said(assay: Assay) -> None:
    assert "did you mean 'mccoy2019'?" in assay("list", "published", "mccoy", code=2).stderr
    assert "it has 1, 2" in assay("list", "published", "wang2019", "7", code=2).stderr
    assert "No published numbers for idioms." in assay("list", "published", "--family", "idioms").stderr
