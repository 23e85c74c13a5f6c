"""Results for the folder `.eval_results` of a model on the Hugging Face Hub."""

import re
from typing import ClassVar

import msgspec
import yaml

from assay.core.errors import UserError
from assay.core.estimate import Estimate
from assay.reports.formatting import percent
from assay.reports.phrases import short_name
from assay.reports.view import ReportView
from assay.version import __version__

HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


class EvalResults(msgspec.Struct, frozen=True, kw_only=True):
    """A YAML file for each model, with one result per family."""

    title: ClassVar[str] = "files for .eval_results in a model's repository on the Hugging Face Hub, .yaml"

    dataset: str = ""  # the data set on the Hub that holds the suite, such as ORGANISATION/NAME

    def __call__(self, view: ReportView) -> dict[str, bytes]:
        if not HUB_NAME.fullmatch(self.dataset):
            raise UserError(
                "Results on the Hub belong to a data set. Name it: dataset=ORGANISATION/NAME, with --set in a shell.\n"
                "  `assay export SUITE --to hf` writes a suite as a data set to upload."
            )
        made = {}
        for model, figures in figures_by_model(view).items():
            rows = [self._result(view, suite, family, e) for (suite, family), e in figures.items()]
            made[f"eval-results/{file_name(short_name(model))}.yaml"] = yaml.safe_dump(rows, sort_keys=False).encode()
        return made

    def _result(self, view: ReportView, suite: str, family: str, e: Estimate) -> dict[str, object]:
        ends = "" if e.low is None or e.high is None else f"95% interval {percent(e.low)} to {percent(e.high)}; "
        labels = "two labels" if suite in view.binary_suites else "three labels"
        return {
            "dataset": {"id": self.dataset, "task_id": family if suite == family else f"{suite}-{family}"},
            "value": round(100 * (e.value or 0.0), 2),
            "date": view.runs[0].created[:10],
            "notes": f"Accuracy in %; {ends}{e.n:,} cases; {labels}; Assay {__version__}; "
            f"SHA-256 of the suite {view.suites[suite].digest[:12]}",
        }


def figures_by_model(view: ReportView) -> dict[str, dict[tuple[str, str], Estimate]]:
    """The accuracies by suite and family of each model under test; of the baselines if there is nothing else."""
    found: dict[str, dict[tuple[str, str], Estimate]] = {}
    for (model, suite, family), e in view.find("accuracy").items():
        if e.value is not None:
            found.setdefault(model, {})[suite, family] = e
    tested = {model: own for model, own in found.items() if model not in view.references}
    return tested or found


def file_name(text: str) -> str:
    """A name that a file can have on any system.

    >>> file_name("hf:org/model?length=64"), file_name("..")
    ('hf-org-model-length-64', 'model')
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "model"
