"""Cases that a model of the run can't take, however much of their premises is cut off.

They are left out for every model, so that all are compared on the same cases, and counted in the suite's manifest.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from assay.bench.ask.checks import call_model
from assay.bench.ask.gathering import CaseTexts
from assay.bench.ask.long_input import by_family
from assay.bench.ask.opening import opened
from assay.bench.build.left_out import without
from assay.bench.shards import in_batches
from assay.core.protocols import Adapter, Learner, Model, TextModel, offers
from assay.core.suite import Suite

LEAST = 200
"""A hypothesis of fewer words fits into 512 tokens, so no model is loaded to find that out."""


def fitting(
    suites: Mapping[str, Suite],
    models: Sequence[str],
    given: Mapping[str, Model | Learner | Adapter],
    names: Mapping[str, str],
) -> Iterator[tuple[str, Suite, str]]:
    """Each suite with its name, without what a model can't take, and what a user should know about that."""
    asked = {name: [case for case in suite.decoded(CaseTexts) if _is_long(case)] for name, suite in suites.items()}
    reasons: dict[str, str] = {}
    for model in models if any(asked.values()) else ():
        with opened(model, given.get(model), names) as ready:
            if offers(ready, TextModel):
                cases = [case for some in asked.values() for case in some if case.id not in reasons]
                why = f"its hypothesis is longer than {model} takes"
                reasons |= {case.id: why for case in _refused(model, ready, cases)}
    for name, suite in suites.items():
        gone = [case for case in asked[name] if case.id in reasons]
        said = (
            f"{len(gone):,} cases are left out{by_family(gone)} for every model: {reasons[gone[0].id]}, and only "
            "premises are ever cut."
            if gone
            else ""
        )
        yield name, without(suite, {case.id: reasons[case.id] for case in gone}) if gone else suite, said


def _is_long(case: CaseTexts) -> bool:
    return len(case.hypothesis) > LEAST and len(case.hypothesis.split(None, LEAST)) > LEAST


def _refused(name: str, model: TextModel, cases: Sequence[CaseTexts]) -> Iterator[CaseTexts]:
    for chunk in in_batches(cases, 256):
        ready = call_model(name, partial(model.ready, [case.texts for case in chunk]))
        yield from (case for case, each in zip(chunk, ready, strict=True) if not each.fits)
