"""Assay tests whether a natural-language-inference model is right for the right reasons.

Everything public is here, and nothing is imported before it is used.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from assay.version import __version__

if TYPE_CHECKING:
    from assay.annotate.agreement import annotator_agreement
    from assay.annotate.merge_answers import merge_answers
    from assay.annotate.sample import draw_sample
    from assay.ask.ask_pair import ask
    from assay.ask.pair_explanation import AskedPair
    from assay.audit.audit_result import Audit
    from assay.audit.audit_suite import audit
    from assay.compare.comparison_summary import compare
    from assay.core import registry
    from assay.core.case import Case, Provenance, Recipe
    from assay.core.comparison import Comparisons
    from assay.core.diagnosis import Diagnosis
    from assay.core.edit import Edit, Replacement, Skip
    from assay.core.errors import (
        AssayError,
        BadInputError,
        BadRecordError,
        CheckFailedError,
        ExternalError,
        MissingExtraError,
        ModelError,
        NameCollisionError,
        OutputExistsError,
        PartialAnswersError,
        UnknownLabelError,
        UnknownNameError,
        UserError,
    )
    from assay.core.estimate import Estimate
    from assay.core.fakes import FakeCorpus, FakeModel
    from assay.core.judgement import Example
    from assay.core.label import Label, LabelReader
    from assay.core.manifest import Manifest, Source
    from assay.core.pair import LabelledText, Pair, Parses, Problem, Record, WordVector
    from assay.core.prediction import Answer, Prediction
    from assay.core.protocols import (
        Adapter,
        Check,
        Corpus,
        Cost,
        CountsTokens,
        Endpoint,
        Excerpting,
        Fidelity,
        Foreseeing,
        Foresighted,
        Format,
        GeneratedCorpus,
        Generating,
        Learner,
        Model,
        NamesLabels,
        Priced,
        Ready,
        Row,
        Sample,
        SentenceModel,
        Several,
        Sliced,
        Splitter,
        Splitting,
        TextModel,
        Texts,
        Traits,
        Transform,
        Varied,
        WordReplacing,
        described,
        reference,
    )
    from assay.core.rng import rng_for
    from assay.core.run_record import RunRecord, RunSpec
    from assay.corpora.reader import CorpusReader, read
    from assay.evaluate.paired import mcnemar, tango
    from assay.evaluate.significance import holm, smallest_difference, smallest_rise
    from assay.export.export_suite import export
    from assay.gate.gate_run import gate
    from assay.gate.metric_rules import Gate
    from assay.models.adapters.python import PythonFunction
    from assay.reports.write.report_files import report
    from assay.run.api import build, diagnose, failures, forecast, run, verify
    from assay.run.build.family_sources import lexical_switches
    from assay.run.build.suite_builder import generated
    from assay.run.predict.model_names import open_model
    from assay.score.score_answers import Score
    from assay.score.scoring import score
    from assay.storage.suite import Suite
    from assay.stress.heuristics.recognise import recognise
    from assay.studies.analyses.analysis_result import Analysis
    from assay.studies.analyses.antonyms import analyse_antonyms
    from assay.studies.analyses.directions import analyse_directions
    from assay.studies.analyses.epochs import analyse_epochs
    from assay.studies.analyses.error_causes import analyse_errors
    from assay.studies.analyses.frequency import analyse_frequency
    from assay.studies.analyses.numbers import analyse_numbers
    from assay.studies.analyses.prediction_of_failure import analyse_prediction
    from assay.studies.analyses.similarity import analyse_similarity
    from assay.studies.analyses.subcases import analyse_subcases
    from assay.studies.analyses.swap_training import analyse_swap
    from assay.studies.experiments.heuristic_support import study_support
    from assay.studies.experiments.judge_study import Leaning, study_judge

_HOMES = {
    "Adapter": "assay.core.protocols",
    "Analysis": "assay.studies.analyses.analysis_result",
    "Answer": "assay.core.prediction",
    "AskedPair": "assay.ask.pair_explanation",
    "AssayError": "assay.core.errors",
    "Audit": "assay.audit.audit_result",
    "BadInputError": "assay.core.errors",
    "BadRecordError": "assay.core.errors",
    "Case": "assay.core.case",
    "Check": "assay.core.protocols",
    "CheckFailedError": "assay.core.errors",
    "Comparisons": "assay.core.comparison",
    "Corpus": "assay.core.protocols",
    "CorpusReader": "assay.corpora.reader",
    "Cost": "assay.core.protocols",
    "CountsTokens": "assay.core.protocols",
    "Diagnosis": "assay.core.diagnosis",
    "Edit": "assay.core.edit",
    "Endpoint": "assay.core.protocols",
    "Estimate": "assay.core.estimate",
    "Example": "assay.core.judgement",
    "Excerpting": "assay.core.protocols",
    "ExternalError": "assay.core.errors",
    "FakeCorpus": "assay.core.fakes",
    "FakeModel": "assay.core.fakes",
    "Fidelity": "assay.core.protocols",
    "Foreseeing": "assay.core.protocols",
    "Foresighted": "assay.core.protocols",
    "Format": "assay.core.protocols",
    "Gate": "assay.gate.metric_rules",
    "GeneratedCorpus": "assay.core.protocols",
    "Generating": "assay.core.protocols",
    "Label": "assay.core.label",
    "LabelReader": "assay.core.label",
    "LabelledText": "assay.core.pair",
    "Leaning": "assay.studies.experiments.judge_study",
    "Learner": "assay.core.protocols",
    "Manifest": "assay.core.manifest",
    "MissingExtraError": "assay.core.errors",
    "Model": "assay.core.protocols",
    "ModelError": "assay.core.errors",
    "NameCollisionError": "assay.core.errors",
    "NamesLabels": "assay.core.protocols",
    "OutputExistsError": "assay.core.errors",
    "Pair": "assay.core.pair",
    "Parses": "assay.core.pair",
    "PartialAnswersError": "assay.core.errors",
    "Prediction": "assay.core.prediction",
    "Priced": "assay.core.protocols",
    "Problem": "assay.core.pair",
    "Provenance": "assay.core.case",
    "PythonFunction": "assay.models.adapters.python",
    "Ready": "assay.core.protocols",
    "Recipe": "assay.core.case",
    "Record": "assay.core.pair",
    "Replacement": "assay.core.edit",
    "Row": "assay.core.protocols",
    "RunRecord": "assay.core.run_record",
    "RunSpec": "assay.core.run_record",
    "Sample": "assay.core.protocols",
    "Score": "assay.score.score_answers",
    "SentenceModel": "assay.core.protocols",
    "Several": "assay.core.protocols",
    "Skip": "assay.core.edit",
    "Sliced": "assay.core.protocols",
    "Source": "assay.core.manifest",
    "Splitter": "assay.core.protocols",
    "Splitting": "assay.core.protocols",
    "Suite": "assay.storage.suite",
    "TextModel": "assay.core.protocols",
    "Texts": "assay.core.protocols",
    "Traits": "assay.core.protocols",
    "Transform": "assay.core.protocols",
    "UnknownLabelError": "assay.core.errors",
    "UnknownNameError": "assay.core.errors",
    "UserError": "assay.core.errors",
    "Varied": "assay.core.protocols",
    "WordReplacing": "assay.core.protocols",
    "WordVector": "assay.core.pair",
    "analyse_antonyms": "assay.studies.analyses.antonyms",
    "analyse_directions": "assay.studies.analyses.directions",
    "analyse_epochs": "assay.studies.analyses.epochs",
    "analyse_errors": "assay.studies.analyses.error_causes",
    "analyse_frequency": "assay.studies.analyses.frequency",
    "analyse_numbers": "assay.studies.analyses.numbers",
    "analyse_prediction": "assay.studies.analyses.prediction_of_failure",
    "analyse_similarity": "assay.studies.analyses.similarity",
    "analyse_subcases": "assay.studies.analyses.subcases",
    "analyse_swap": "assay.studies.analyses.swap_training",
    "annotator_agreement": "assay.annotate.agreement",
    "ask": "assay.ask.ask_pair",
    "audit": "assay.audit.audit_suite",
    "build": "assay.run.api",
    "compare": "assay.compare.comparison_summary",
    "described": "assay.core.protocols",
    "diagnose": "assay.run.api",
    "draw_sample": "assay.annotate.sample",
    "export": "assay.export.export_suite",
    "failures": "assay.run.api",
    "forecast": "assay.run.api",
    "gate": "assay.gate.gate_run",
    "generated": "assay.run.build.suite_builder",
    "holm": "assay.evaluate.significance",
    "lexical_switches": "assay.run.build.family_sources",
    "mcnemar": "assay.evaluate.paired",
    "merge_answers": "assay.annotate.merge_answers",
    "open_model": "assay.run.predict.model_names",
    "read": "assay.corpora.reader",
    "recognise": "assay.stress.heuristics.recognise",
    "reference": "assay.core.protocols",
    "registry": "assay.core.registry",
    "report": "assay.reports.write.report_files",
    "rng_for": "assay.core.rng",
    "run": "assay.run.api",
    "score": "assay.score.scoring",
    "smallest_difference": "assay.evaluate.significance",
    "smallest_rise": "assay.evaluate.significance",
    "study_judge": "assay.studies.experiments.judge_study",
    "study_support": "assay.studies.experiments.heuristic_support",
    "tango": "assay.evaluate.paired",
    "verify": "assay.run.api",
}

__all__ = [
    "Adapter",
    "Analysis",
    "Answer",
    "AskedPair",
    "AssayError",
    "Audit",
    "BadInputError",
    "BadRecordError",
    "Case",
    "Check",
    "CheckFailedError",
    "Comparisons",
    "Corpus",
    "CorpusReader",
    "Cost",
    "CountsTokens",
    "Diagnosis",
    "Edit",
    "Endpoint",
    "Estimate",
    "Example",
    "Excerpting",
    "ExternalError",
    "FakeCorpus",
    "FakeModel",
    "Fidelity",
    "Foreseeing",
    "Foresighted",
    "Format",
    "Gate",
    "GeneratedCorpus",
    "Generating",
    "Label",
    "LabelReader",
    "LabelledText",
    "Leaning",
    "Learner",
    "Manifest",
    "MissingExtraError",
    "Model",
    "ModelError",
    "NameCollisionError",
    "NamesLabels",
    "OutputExistsError",
    "Pair",
    "Parses",
    "PartialAnswersError",
    "Prediction",
    "Priced",
    "Problem",
    "Provenance",
    "PythonFunction",
    "Ready",
    "Recipe",
    "Record",
    "Replacement",
    "Row",
    "RunRecord",
    "RunSpec",
    "Sample",
    "Score",
    "SentenceModel",
    "Several",
    "Skip",
    "Sliced",
    "Source",
    "Splitter",
    "Splitting",
    "Suite",
    "TextModel",
    "Texts",
    "Traits",
    "Transform",
    "UnknownLabelError",
    "UnknownNameError",
    "UserError",
    "Varied",
    "WordReplacing",
    "WordVector",
    "__version__",
    "analyse_antonyms",
    "analyse_directions",
    "analyse_epochs",
    "analyse_errors",
    "analyse_frequency",
    "analyse_numbers",
    "analyse_prediction",
    "analyse_similarity",
    "analyse_subcases",
    "analyse_swap",
    "annotator_agreement",
    "ask",
    "audit",
    "build",
    "compare",
    "described",
    "diagnose",
    "draw_sample",
    "export",
    "failures",
    "forecast",
    "gate",
    "generated",
    "holm",
    "lexical_switches",
    "mcnemar",
    "merge_answers",
    "open_model",
    "read",
    "recognise",
    "reference",
    "registry",
    "report",
    "rng_for",
    "run",
    "score",
    "smallest_difference",
    "smallest_rise",
    "study_judge",
    "study_support",
    "tango",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        module = import_module(_HOMES[name])
        value = module if name == "registry" else getattr(module, name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'assay' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _Surface(ModuleType):
    """Keeps public functions such as `assay.run` from being hidden by the packages of the same name."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "registry" or name not in _HOMES or not isinstance(value, ModuleType):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Surface
