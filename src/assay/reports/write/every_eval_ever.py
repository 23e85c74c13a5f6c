"""Records in the schema of Every Eval Ever, a shared collection of evaluation results."""

from datetime import datetime
from typing import Any, ClassVar, Literal
from uuid import NAMESPACE_URL, uuid5

import msgspec

from assay.core.estimate import Estimate
from assay.core.registry import split_alias
from assay.core.serialise import to_json
from assay.reports.phrases import short_name
from assay.reports.view import ReportView
from assay.reports.write.hub_results import HUB_NAME, figures_by_model, file_name
from assay.version import __version__

METHOD = "Wilson's interval with clusters of cases that share a premise or a word pair"
METRICS = {"accuracy": "Accuracy", "roc-auc": "ROC-AUC"}


class EveryEvalEver(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON file for each model, in the folders DEVELOPER/MODEL that the collection has."""

    title: ClassVar[str] = "records for Every Eval Ever, .json"

    organization: str = "unknown"  # who ran the evaluation
    relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other"
    """The evaluator's relationship to those who made the model."""

    def __call__(self, view: ReportView) -> dict[str, bytes]:
        made = {}
        for model in figures_by_model(view):
            record = self._record(view, model)
            folder = "/".join(map(file_name, record["model_info"]["id"].split("/")))
            name = uuid5(NAMESPACE_URL, record["evaluation_id"])
            made[f"every-eval-ever/{folder}/{name}.json"] = to_json(record)
        return made

    def _record(self, view: ReportView, model: str) -> dict[str, Any]:
        run = view.runs[0]
        info = describe_model(model, view.models[model].identity)
        time = str(datetime.fromisoformat(run.created).timestamp())
        results = [
            _result(view, suite, family, e)
            for name in METRICS
            for (_, suite, family), e in view.find(name, model=model).items()
            if e.value is not None
        ]
        return {
            "schema_version": "0.3.0",
            "evaluation_id": f"assay/{info['id']}/{run.id}",
            "evaluation_timestamp": run.created,
            "retrieved_timestamp": time,
            "source_metadata": {
                "source_name": "Assay",
                "source_type": "evaluation_run",
                "source_organization_name": self.organization,
                "evaluator_relationship": self.relationship,
            },
            "eval_library": {"name": "assay", "version": __version__},
            "model_info": info,
            "evaluation_results": results,
        }


def describe_model(model: str, identity: str) -> dict[str, Any]:
    """A model by its name on the Hub, or as one of an unknown developer.

    >>> describe_model("hf:org/nli?length=64", "")["id"], describe_model("mine=python:checker:v1", "")["id"]
    ('org/nli', 'unknown/mine')
    """
    kind, _, what = split_alias(model).model.partition(":")
    named = what.partition("?")[0].partition("@")[0]
    on_hub = kind == "hf" and HUB_NAME.fullmatch(named)
    name = named if on_hub else f"{'nli-assay' if kind == 'assay' else 'unknown'}/{file_name(short_name(model))}"
    details = {
        "deployment_type": "self_deployed" if kind in ("assay", "hf", "onnx", "trained") else "unknown",
        "model_availability": "open_weights" if on_hub or kind == "assay" else "unknown",
        "name_in_assay": model,
    }
    return {
        "name": short_name(model),
        "id": name,
        "developer": name.partition("/")[0],
        "additional_details": details | ({"identity": identity} if identity else {}),
    }


def _result(view: ReportView, suite: str, family: str, e: Estimate) -> dict[str, Any]:
    manifest = view.suites[suite]
    source = manifest.source
    repository, _, split = source.name.removeprefix("hf:").partition("@")
    facts = {"suite_sha256": manifest.digest, "seed": str(manifest.seed), "pairs": str(source.pairs)}
    data: dict[str, Any] = {"dataset_name": source.name, "source_type": "other", "additional_details": facts}
    if source.name.startswith("hf:"):
        data |= {"source_type": "hf_dataset", "hf_repo": repository} | ({"hf_split": split} if split else {})
    elif homepage := view.cards.get(suite, {}).get("from"):
        data |= {"source_type": "url", "url": [homepage]}
    interval = {"lower": e.low, "upper": e.high, "confidence_level": 0.95}
    method = {"method": METHOD} if e.name == "accuracy" else {}
    sure = {} if e.low is None or e.high is None else {"confidence_interval": interval | method}
    return {
        "evaluation_result_id": f"{suite}/{family}/{e.name}",
        "evaluation_name": f"assay/{suite}/{family}",
        "source_data": data,
        "metric_config": {
            "evaluation_description": f"{METRICS[e.name]} on the family {family} of the suite {suite}",
            "metric_id": e.name.replace("-", "_"),
            "metric_name": METRICS[e.name],
            "metric_kind": e.name,
            "metric_unit": "proportion",
            "lower_is_better": False,
            "score_type": "continuous",
            "min_score": 0,
            "max_score": 1,
        },
        "score_details": {"score": e.value, "uncertainty": {**sure, "num_samples": e.n}},
    }
