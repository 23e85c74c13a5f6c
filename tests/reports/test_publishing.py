"""Reports for other places: the Hugging Face Hub, Every Eval Ever, and articles."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.conftest import Assay

import assay as public
from assay.core.errors import UserError
from assay.core.registry import models, report_formats, transforms
from assay.reports.write.citations import _catalogue
from assay.reports.write.output_formats import output_formats

TEXT = {"type": "string"}
DETAILS = {"type": "object", "additionalProperties": TEXT}


def needs(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": list(required), "properties": properties}


def one_of(*values: Any) -> dict[str, Any]:
    return {"enum": list(values)}


SOURCE = {
    "oneOf": [
        needs("dataset_name", "source_type", "url", source_type=one_of("url"), url={"type": "array", "minItems": 1}),
        needs("dataset_name", "source_type", source_type=one_of("hf_dataset"), hf_repo=TEXT),
        needs("dataset_name", "source_type", source_type=one_of("other"), additional_details=DETAILS),
    ]
}
INTERVAL = needs("lower", "upper", lower={"type": "number"}, upper={"type": "number"}, method=TEXT)
RESULT = needs(
    *("evaluation_name", "source_data", "metric_config", "score_details"),
    evaluation_name=TEXT,
    source_data=SOURCE,
    metric_config=needs("lower_is_better", "min_score", "max_score", score_type=one_of("continuous")),
    score_details=needs(
        "score",
        score={"type": "number", "minimum": 0, "maximum": 1},
        uncertainty=needs(confidence_interval=INTERVAL, num_samples={"type": "integer"}),
    ),
)
MODEL = needs(
    *("name", "id", "additional_details"),
    id={"type": "string", "pattern": "^[^/]+/[^/]+$"},
    additional_details=needs(
        *("deployment_type", "model_availability"),
        deployment_type=one_of("self_deployed", "externally_managed", "unknown"),
        model_availability=one_of("open_weights", "closed_weights", "unknown"),
    )
    | DETAILS,
)
EVERY_EVAL_EVER = needs(
    *("schema_version", "evaluation_id", "retrieved_timestamp", "source_metadata", "model_info", "eval_library"),
    "evaluation_results",
    schema_version=one_of("0.3.0"),
    evaluation_id=TEXT,
    evaluation_timestamp=TEXT,
    retrieved_timestamp={"type": "string", "pattern": "^[0-9.]+$"},
    source_metadata=needs(
        *("source_type", "source_organization_name", "evaluator_relationship"),
        source_type=one_of("evaluation_run", "documentation"),
        evaluator_relationship=one_of("first_party", "third_party", "collaborative", "other"),
    ),
    eval_library=needs("name", "version", name=TEXT, version=TEXT),
    model_info=MODEL,
    evaluation_results={"type": "array", "minItems": 1, "items": RESULT},
) | {"additionalProperties": False}
"""What eval.schema.json of Every Eval Ever 0.3.0 demands of the fields that we write."""

HUB = {
    "type": "array",
    "minItems": 1,
    "items": needs(
        *("dataset", "value"),
        dataset=needs("id", "task_id", id={"type": "string", "pattern": "^[^/]+/[^/]+$"}, task_id=TEXT),
        value={"type": "number"},
        date={"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"},
        notes=TEXT,
    )
    | {"additionalProperties": False},
}
"""What the Hub's documentation of `.eval_results` demands."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> public.RunRecord:
    def predict(pairs: list[tuple[str, str]]) -> list[str]:
        return ["entailment" if len(premise) % 2 else "neutral" for premise, _ in pairs]

    return public.run(
        public.read("bundled", limit=30),
        families=["negation", "antonymy"],
        models=["assay:overlap", predict, public.FakeModel(public.Label.NEUTRAL)],
        out=tmp_path_factory.mktemp("runs"),
    )


def test_a_file_of_results_for_each_model_on_the_hub(run: public.RunRecord, tmp_path: Path) -> None:
    folder = public.report(run, to="eval-results", dataset="me/my-suite", out=tmp_path / "results")
    assert {path.name for path in folder.iterdir()} == {"object-predict.yaml", "object-FakeModel.yaml"}
    accuracy = run.find("accuracy", by=("family",), model="object:predict")
    rows = yaml.safe_load((folder / "object-predict.yaml").read_text())
    jsonschema.validate(rows, HUB)
    assert {row["dataset"]["task_id"]: row["value"] for row in rows} == {
        f"stress-{family}": round(100 * (e.value or 0), 2) for (family,), e in accuracy.items()
    }


def test_results_on_the_hub_need_a_data_set(run: public.RunRecord) -> None:
    with pytest.raises(UserError, match="dataset=ORGANISATION/NAME"):
        public.report(run, to="eval-results")


def test_records_for_every_eval_ever_fit_its_schema(run: public.RunRecord, tmp_path: Path) -> None:
    folder = public.report(run, to="every-eval-ever", organization="A lab", out=tmp_path / "every")
    paths = sorted(folder.rglob("*.json"))
    assert {path.parent.relative_to(folder).as_posix() for path in paths} == {
        *("unknown/object-FakeModel", "unknown/object-predict")
    }
    for path in paths:
        record = json.loads(path.read_text())
        jsonschema.validate(record, EVERY_EVAL_EVER)
        assert record["source_metadata"]["source_organization_name"] == "A lab"
        model = record["model_info"]["additional_details"]["name_in_assay"]
        found = run.find("accuracy", by=("suite", "family"), model=model)
        assert {
            each["evaluation_result_id"]: each["score_details"]["score"] for each in record["evaluation_results"]
        } == {f"{suite}/{family}/accuracy": e.value for (suite, family), e in found.items()}


def test_a_paragraph_cites_what_the_references_have(run: public.RunRecord, tmp_path: Path) -> None:
    bib = public.report(run, to="bibtex", out=tmp_path / "a.bib").read_text()
    text = public.report(run, to="methods", out=tmp_path / "a.tex").read_text()
    there = re.findall(r"^@\w+\{([\w-]+),$", bib, re.MULTILINE)
    assert there == sorted({"assay", "mccoy2019", "naik2018"})
    assert {*re.findall(r"\\citep\{([\w-]+)\}", text)} == {*there}
    assert "30 unmodified pairs, " in text
    assert f"{sum(run.suites['stress'].counts['antonymy'].values())} cases of antonymy \\citep{{naik2018}}" in text
    assert "We tested object:predict and object:FakeModel with Assay" in text
    assert "The baseline is overlap" in text
    assert bib.count("{") == bib.count("}")


def test_every_family_and_model_that_is_cited_exists_and_has_an_entry() -> None:
    known = _catalogue()
    assert {*known.families, *known.models} <= {*known.papers}
    for names, registry in ((known.families, transforms), (known.models, models)):
        for name in (name for own in names.values() for name in own):
            registry.resolve(name)
    whole = re.compile(
        r"@(inproceedings|article|misc)\{x,\n(  [a-z]+ = \{(\{[^{}]+\}|[^{},][^{}]*|\\url\{[^{}]+\})\},\n)+\}\n"
    )
    for key, work in known.papers.items():
        assert whole.fullmatch(work.entry("x")), f"{key} is no BibTeX"
        assert {"author = ", "title = ", "year = "} <= {*re.findall(r"[a-z]+ = ", work.entry("x"))}, key


def test_the_command_line_writes_them_and_refuses_wrong_settings(assay: Assay, run: public.RunRecord) -> None:
    assert {"bibtex", "methods", "eval-results", "every-eval-ever"} <= {*output_formats()}
    assert run.folder is not None
    for words in (("bibtex",), ("methods",), ("every-eval-ever",), ("eval-results", "--set", "dataset=me/suite")):
        assay("report", run.folder, "--to", *words)
    assert (run.folder / "references.bib").is_file()
    assay("verify", run.folder)
    wrong = assay("report", run.folder, "--to", "every-eval-ever", "--set", "organisation=x", code=2)
    assert "did you mean 'organization'?" in wrong.stderr
    assert "It has: none." in assay("report", run.folder, "--to", "html", "--set", "dataset=x/y", code=2).stderr


def test_formats_say_what_they_are() -> None:
    for name in report_formats.newest():
        assert report_formats.get(name).title
