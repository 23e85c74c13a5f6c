"""assay compare."""

import csv
import json
import re
from io import StringIO
from pathlib import Path

from tests.conftest import Assay


def test_text_and_json(assay: Assay, tmp_path: Path) -> None:
    models = ("--model", "assay:majority", "--model", "assay:overlap")
    assay("run", "--limit", 90, "--family", "negation", *models, "--quiet")
    [folder] = (tmp_path / "runs").iterdir()
    said = assay("compare", folder, "--model", "majority", "--model", "overlap").stdout
    assert f"overlap (baseline) against majority (baseline) in {folder.name}" in said
    assert "Not significant: original, negation." in said
    assert max(map(len, said.splitlines())) <= 100
    told = json.loads(assay("compare", folder, "--model", "majority", "--model", "overlap", "--json").stdout)
    rows = {(row["slice"]["family"], row["slice"].get("label")): row for row in told["comparisons"][0]["slices"]}
    assert rows["negation", "entailment"]["verdict"] == "worse"
    assert rows["negation", "entailment"]["low"] < rows["negation", "entailment"]["high"] < 0
    assert told["runs"] == [folder.name]
    same = assay("compare", folder, folder).stdout
    assert "No difference: right and wrong on the same cases, in all 180." in same
    assert "--model BASELINE --model MODEL" in assay("compare", folder, code=2).stderr


def test_latex_and_csv(assay: Assay, tmp_path: Path) -> None:
    models = ("--model", "majority", "--model", "overlap")
    assay(
        "run", "--limit", 30, "--family", "negation", "--model", "assay:majority", "--model", "assay:overlap", "--quiet"
    )
    told = json.loads(assay("compare", "runs", *models, "--json").stdout)["comparisons"][0]["slices"]
    rows = list(csv.DictReader(StringIO(assay("compare", "runs", *models, "--to", "csv").stdout)))
    assert [(row["family"], row["label"], float(row["difference"])) for row in rows] == [
        (each["slice"]["family"], each["slice"].get("label", ""), each["difference"]) for each in told
    ]
    assert {row["interval"] for row in rows} == {"95% over other cases"}
    assert {row["verdict"] for row in rows} <= {"better", "worse", "not significant"}
    assay("compare", "runs", *models, "--to", "latex", "--out", "table.tex")
    text = (tmp_path / "table.tex").read_text()
    assert text.count(r"\begin{tabular}") == 1
    assert r"\quad negation & " in text
    assert not re.search(r"[& ]-[0-9]", text.partition(r"\midrule")[2])
