"""Analyses as tables: published figures appear only beside figures of the same data."""

import msgspec
import pytest
from tests.conftest import ROOT

from assay.core.case import Recipe
from assay.core.estimate import Estimate
from assay.core.manifest import CaseSource, Source
from assay.reports.tables.sheet import Sheet
from assay.studies.analyses.analysis_list import ANALYSES, analysis_parts, analysis_text
from assay.studies.analyses.analysis_options import AnalysisOptions
from assay.studies.analyses.analysis_result import Analysis

MATCHED = Source(
    name="dev_matched.jsonl",
    format="mnli/v1",
    digest="",
    rows=9815,
    pairs=9815,
    labels={"entailment": 3479, "neutral": 3123, "contradiction": 3213},
    skipped={},
)
BREAKING = msgspec.structs.replace(
    MATCHED, name="dataset.jsonl", labels={"entailment": 982, "neutral": 47, "contradiction": 7164}
)


def asked(source: Source, family: str, fidelity: str) -> CaseSource:
    return CaseSource(
        source=source, recipes=(Recipe(transform=f"{family}/v1", options={"fidelity": fidelity}, seed=0),)
    )


def neutral(fidelity: str) -> Sheet:
    where = {"model": "assay:esim/v1", "suite": "s", "family": "word-overlap"}
    found = Analysis(
        name="directions",
        runs=("r",),
        suites={"s": asked(MATCHED, "word-overlap", fidelity)},
        estimates=(Estimate(name="false-neutral", value=0.5, low=0.4, high=0.6, n=40, slice=where),),
    )
    sheet = analysis_parts(found)[0]
    assert isinstance(sheet, Sheet)
    return sheet


def test_published_figures_are_beside_the_same_data_only() -> None:
    same, other = neutral("code"), neutral("strict")
    assert [column.name for column in same.columns] == ["family", "esim", "published"]
    assert [cell.text for cell in same.rows[0].cells] == ["word-overlap", "50.0 (40.0-60.0)", "43.2-86.3 (6 systems)"]
    assert [column.name for column in other.columns] == ["family", "esim"]


def test_a_corpus_that_is_itself_a_test_is_recognised() -> None:
    where = {"suite": "s", "family": "original", "cosine": "0.5-0.6"}
    found = Analysis(
        name="similarity",
        runs=("r",),
        suites={"s": asked(BREAKING, "original", "strict")},
        estimates=(
            Estimate(name="accuracy", value=0.5, n=4, slice={"model": "m", **where}),
            Estimate(name="pairs", value=2.0, n=4, slice=where),
        ),
    )
    text = analysis_text(found, "md")
    assert "| 0.5-0.6 | 50.0 | 4 | 2 | 46.2 \\(Decomposable Attention\\) |" in text


@pytest.mark.parametrize("name", ANALYSES)
def test_every_analysis_has_a_page(name: str) -> None:
    assert f"\n## {name}\n" in (ROOT / "docs" / "reference" / "analyses.md").read_text(encoding="utf-8")


def test_every_analysis_names_options_that_there_are() -> None:
    known = {*AnalysisOptions.__struct_fields__}
    for entry in ANALYSES.values():
        assert {*entry.required} <= {*entry.options} <= known, entry.name
        assert entry.about.endswith("."), entry.name
