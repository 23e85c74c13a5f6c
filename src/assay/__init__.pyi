"""The public names and their modules, one to a line; `__init__.py` reads them from here, and so do type checkers."""

from assay.ask.ask_pair import ask as ask
from assay.audit.audit_suite import audit as audit
from assay.audit.label_audit import audit_labels as audit_labels
from assay.compare.comparison_summary import compare as compare
from assay.core import errors as errors
from assay.core import protocols as protocols
from assay.core import registry as registry
from assay.core.case import Case as Case
from assay.core.case import Prediction as Prediction
from assay.core.edit import Edit as Edit
from assay.core.edit import Replacement as Replacement
from assay.core.edit import Skip as Skip
from assay.core.errors import AssayError as AssayError
from assay.core.errors import UserError as UserError
from assay.core.fakes import FakeCorpus as FakeCorpus
from assay.core.fakes import FakeModel as FakeModel
from assay.core.label import Label as Label
from assay.core.pair import Pair as Pair
from assay.core.run_record import RunRecord as RunRecord
from assay.corpora.reader import read as read
from assay.export.export_suite import export as export
from assay.gate.gate_run import gate as gate
from assay.models.adapters.python import PythonFunction as PythonFunction
from assay.reports.plot import plot as plot
from assay.reports.write.output_formats import report as report
from assay.run.api import build as build
from assay.run.api import forecast as forecast
from assay.run.api import run as run
from assay.run.build.suite_builder import generated as generated
from assay.run.diagnose_run import diagnose as diagnose
from assay.run.measure import answers as answers
from assay.run.measure import failures as failures
from assay.run.plan_sample import plan as plan
from assay.run.predict.model_names import open_model as open_model
from assay.run.stored_run import open_run as open_run
from assay.run.verify_stored import verify as verify
from assay.score.scoring import score as score
from assay.storage.suite import Suite as Suite
from assay.training.train import train as train
from assay.version import __version__ as __version__

_HOMES: dict[str, str]
__all__: list[str]
