"""Logs of other evaluation tools: rows with id, premise, hypothesis, label and prediction. One file for each tool."""

from assay.corpora.evaluation_logs.deepeval_log import DeepEvalLog as DeepEvalLog
from assay.corpora.evaluation_logs.inspect_log import InspectLog as InspectLog
from assay.corpora.evaluation_logs.lm_eval_log import LmEvalLog as LmEvalLog
from assay.corpora.evaluation_logs.promptfoo_log import PromptfooLog as PromptfooLog
