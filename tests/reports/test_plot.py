"""Charts for notebooks."""

from pathlib import Path

import pytest

import assay
from assay.reports.plot import MIME


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> assay.RunRecord:
    folder = tmp_path_factory.mktemp("runs")
    return assay.run(assay.read("bundled", limit=60), families="negation", models="assay:overlap", out=folder)


def test_a_notebook_gets_a_specification_and_a_picture(record: assay.RunRecord) -> None:
    shown = assay.plot(record, "changes")._repr_mimebundle_()
    assert shown[MIME]["data"]["values"][0]["family"] == "negation"
    assert shown["image/svg+xml"].startswith("<svg")
    assert assay.plot(record)._repr_mimebundle_()["image/svg+xml"].startswith("<svg")


@pytest.mark.parametrize(
    ("chart", "kind", "start"), [("changes", "png", b"\x89PNG"), ("", "svg", b"<svg"), ("changes", "json", b"{")]
)
def test_it_is_saved_by_its_ending(
    record: assay.RunRecord, chart: str, kind: str, start: bytes, tmp_path: Path
) -> None:
    assert assay.plot(record, chart).save(tmp_path / f"chart.{kind}").read_bytes().startswith(start)


def test_other_endings_and_unknown_charts_are_refused(record: assay.RunRecord, tmp_path: Path) -> None:
    with pytest.raises(assay.UserError, match="svg, png or json"):
        assay.plot(record, "changes").save(tmp_path / "chart.gif")
    with pytest.raises(assay.UserError, match="a heatmap has no Vega-Lite"):
        assay.plot(record).save(tmp_path / "chart.json")
    with pytest.raises(assay.UserError, match="did you mean 'changes'"):
        assay.plot(record, "change")
