"""What a model of a stored run got wrong, for annotators who sort its errors."""

from typing import NamedTuple

import msgspec
import numpy

from assay.bench.judge.named_models import named_models
from assay.bench.stored import Run, StoredRun, open_run, run_folder
from assay.core.case import Case
from assay.core.errors import UserError
from assay.core.label import Label
from assay.evaluate.accuracy import RIGHT
from assay.evaluate.count.columns import IN_TWO, LABELS, Encoder


class Errors(NamedTuple):
    """The errors of one model."""

    cases: list[Case]
    """What it got wrong; with several suites, an id begins with its suite's name."""
    answers: dict[str, Label]
    """What it said, by case id."""
    two_way: bool
    """Whether the run is judged by two labels."""
    names: dict[str, str]
    """The user's own names for labels, each with our name."""


def wrong_answers(run: Run, model: str | None = None) -> Errors:
    """The cases that a model of a run got wrong; if there are several models, one must be named."""
    record = open_run(run)
    chosen = named_models(record, [model] if model else [])
    if len(chosen) > 1:
        raise UserError(f"The run has several models: {', '.join(chosen)}.\n  Choose one with --model.")
    own = tuple(each for each in record.models if each.model in chosen)
    stored = StoredRun.of(run_folder(record), msgspec.structs.replace(record, models=own))
    cases: list[Case] = []
    answers: dict[str, Label] = {}
    for suite in record.suites:
        two_way = record.is_two_way(suite)
        for each in stored.joined(suite, Encoder(two_way=two_way)):
            said = IN_TWO[each.answers.label[0]] if two_way else each.answers.label[0]
            for row in numpy.flatnonzero(each.cases.claims & ~RIGHT[said, each.cases.label]).tolist():
                case = msgspec.json.decode(each.lines[row], type=Case)
                name = f"{suite}/{case.id}" if len(record.suites) > 1 else case.id
                cases.append(msgspec.structs.replace(case, id=name))
                answers[name] = LABELS[said[row]]
    if not cases:
        raise UserError(f"{chosen[0]} got nothing wrong in {record.id}: there are no errors to sort.")
    return Errors(cases, answers, any(map(record.is_two_way, record.suites)), record.own_names)
