"""Assay tests whether a natural-language-inference model is right for the right reasons.

Everything public is here, and nothing is imported before it is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.version import __version__

if TYPE_CHECKING:
    from assay.app.reporting import report
    from assay.bench.analyses.antonyms import analyse_antonyms
    from assay.bench.analyses.directions import analyse_directions
    from assay.bench.analyses.epochs import analyse_epochs
    from assay.bench.analyses.errors import analyse_errors
    from assay.bench.analyses.numbers import analyse_numbers
    from assay.bench.analyses.prediction import analyse_prediction
    from assay.bench.analyses.subcases import analyse_subcases
    from assay.bench.analyses.swap import analyse_swap
    from assay.bench.analyses.words import analyse_frequency, analyse_similarity
    from assay.bench.annotation.agree import annotator_agreement
    from assay.bench.annotation.merge import merge_answers
    from assay.bench.annotation.sample import draw_sample
    from assay.bench.api import (
        audit,
        build,
        compare,
        diagnose,
        export,
        failures,
        forecast,
        gate,
        generated,
        read,
        run,
        score,
        verify,
    )
    from assay.bench.ask.names import open_model
    from assay.bench.build.lexical_sources import lexical_switches
    from assay.bench.explain.ask_pair import ask
    from assay.bench.judge.score import Score
    from assay.bench.studies.judge import study_judge
    from assay.bench.studies.support import study_support
    from assay.core import registry
    from assay.core.analysis import Analysis
    from assay.core.case import Case, Provenance, Recipe
    from assay.core.chance import rng_for
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
    from assay.core.fakes import FakeCorpus, FakeModel
    from assay.core.label import Label, LabelReader
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
    from assay.core.results.asked import AskedPair
    from assay.core.results.audit import Audit
    from assay.core.results.comparison import Comparisons
    from assay.core.results.diagnosis import Diagnosis
    from assay.core.results.estimate import Estimate
    from assay.core.results.example import Example
    from assay.core.results.gate import Gate
    from assay.core.results.leaning import Leaning
    from assay.core.run import RunRecord, RunSpec
    from assay.core.suite import Manifest, Source, Suite
    from assay.corpora.reading import CorpusReader
    from assay.evaluate.correction import holm
    from assay.evaluate.paired import mcnemar, tango
    from assay.evaluate.power import smallest_difference, smallest_rise
    from assay.models.adapters.python import PythonFunction
    from assay.stress.heuristics.recognise import recognise

_HOMES = {
    "Adapter": "assay.core.protocols",
    "Analysis": "assay.core.analysis",
    "Answer": "assay.core.prediction",
    "AskedPair": "assay.core.results.asked",
    "AssayError": "assay.core.errors",
    "Audit": "assay.core.results.audit",
    "BadInputError": "assay.core.errors",
    "BadRecordError": "assay.core.errors",
    "Case": "assay.core.case",
    "Check": "assay.core.protocols",
    "CheckFailedError": "assay.core.errors",
    "Comparisons": "assay.core.results.comparison",
    "Corpus": "assay.core.protocols",
    "CorpusReader": "assay.corpora.reading",
    "Cost": "assay.core.protocols",
    "CountsTokens": "assay.core.protocols",
    "Diagnosis": "assay.core.results.diagnosis",
    "Edit": "assay.core.edit",
    "Endpoint": "assay.core.protocols",
    "Estimate": "assay.core.results.estimate",
    "Example": "assay.core.results.example",
    "Excerpting": "assay.core.protocols",
    "ExternalError": "assay.core.errors",
    "FakeCorpus": "assay.core.fakes",
    "FakeModel": "assay.core.fakes",
    "Fidelity": "assay.core.protocols",
    "Foreseeing": "assay.core.protocols",
    "Foresighted": "assay.core.protocols",
    "Format": "assay.core.protocols",
    "Gate": "assay.core.results.gate",
    "GeneratedCorpus": "assay.core.protocols",
    "Generating": "assay.core.protocols",
    "Label": "assay.core.label",
    "LabelReader": "assay.core.label",
    "LabelledText": "assay.core.pair",
    "Leaning": "assay.core.results.leaning",
    "Learner": "assay.core.protocols",
    "Manifest": "assay.core.suite",
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
    "RunRecord": "assay.core.run",
    "RunSpec": "assay.core.run",
    "Sample": "assay.core.protocols",
    "Score": "assay.bench.judge.score",
    "SentenceModel": "assay.core.protocols",
    "Several": "assay.core.protocols",
    "Skip": "assay.core.edit",
    "Sliced": "assay.core.protocols",
    "Source": "assay.core.suite",
    "Splitter": "assay.core.protocols",
    "Splitting": "assay.core.protocols",
    "Suite": "assay.core.suite",
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
    "analyse_antonyms": "assay.bench.analyses.antonyms",
    "analyse_directions": "assay.bench.analyses.directions",
    "analyse_epochs": "assay.bench.analyses.epochs",
    "analyse_errors": "assay.bench.analyses.errors",
    "analyse_frequency": "assay.bench.analyses.words",
    "analyse_numbers": "assay.bench.analyses.numbers",
    "analyse_prediction": "assay.bench.analyses.prediction",
    "analyse_similarity": "assay.bench.analyses.words",
    "analyse_subcases": "assay.bench.analyses.subcases",
    "analyse_swap": "assay.bench.analyses.swap",
    "annotator_agreement": "assay.bench.annotation.agree",
    "ask": "assay.bench.explain.ask_pair",
    "audit": "assay.bench.api",
    "build": "assay.bench.api",
    "compare": "assay.bench.api",
    "described": "assay.core.protocols",
    "diagnose": "assay.bench.api",
    "draw_sample": "assay.bench.annotation.sample",
    "export": "assay.bench.api",
    "failures": "assay.bench.api",
    "forecast": "assay.bench.api",
    "gate": "assay.bench.api",
    "generated": "assay.bench.api",
    "holm": "assay.evaluate.correction",
    "lexical_switches": "assay.bench.build.lexical_sources",
    "mcnemar": "assay.evaluate.paired",
    "merge_answers": "assay.bench.annotation.merge",
    "open_model": "assay.bench.ask.names",
    "read": "assay.bench.api",
    "recognise": "assay.stress.heuristics.recognise",
    "reference": "assay.core.protocols",
    "registry": "assay.core.registry",
    "report": "assay.app.reporting",
    "rng_for": "assay.core.chance",
    "run": "assay.bench.api",
    "score": "assay.bench.api",
    "smallest_difference": "assay.evaluate.power",
    "smallest_rise": "assay.evaluate.power",
    "study_judge": "assay.bench.studies.judge",
    "study_support": "assay.bench.studies.support",
    "tango": "assay.evaluate.paired",
    "verify": "assay.bench.api",
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
