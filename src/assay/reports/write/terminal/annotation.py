"""The results of annotation, in the terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from assay.core.label import LabelNames


def merged_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Gold labels, why cases have none, and the figures of the layout's paper; `found` is plain data."""
    names = LabelNames(found["names"])
    people = ", ".join(found["annotators"])
    if found["layout"] == "errors":
        yield from _sources(found, people)
    elif found["layout"] == "notes":
        unanswered = sum(found["discarded"].values())
        yield f"{found['drawn'] - unanswered:,} of {found['drawn']:,} cases have notes from {people}"
    else:
        yield f"{sum(found['gold'].values()):,} of {found['drawn']:,} cases have a gold label from {people}"
        yield from (f"{count:>7,}  {names(label)}" for label, count in found["gold"].items())
        yield from (f"{count:>7,}  have none: {reason}" for reason, count in found["discarded"].items())
        yield f"{found['confirmed']:>7,}  have the label that they were built with"
        yield from _figures(found, names)
    if found["adjudicated"]:
        yield f"{found['adjudicated']:>7,}  decided by adjudication"
    for column, kappa in found["kappas"].items():
        yield f"Fleiss' kappa of {column}: {'-' if kappa is None else f'{kappa:.4f}'}"


def _sources(found: Mapping[str, Any], people: str) -> Iterator[str]:
    yield f"The sources of {found['drawn']:,} errors, according to {people}"
    for each in found["figures"]:
        yield f"{_percent(each):>9}  {each['what']}"
    for reason, count in found["discarded"].items():
        yield f"{count:>7,}  {reason}"


def _figures(found: Mapping[str, Any], names: LabelNames) -> Iterator[str]:
    shares = {each["what"]: each for each in found["figures"]}
    if found["layout"] == "label" and shares:
        yield f"Accuracy of people, on average: {_percent(shares.pop('all'))}"
        for what, each in shares.items():
            yield f"{_percent(each):>9}  {'by' if what.startswith('annotator ') else 'on'} {_person(what, names)}"
    if found["layout"] == "check" and shares:
        yield "More than half of the people agree:"
        yield f"{_percent(shares['label']):>9}  on the label that a case was built with"
        yield f"{_percent(shares['grammatical']):>9}  that it is grammatical"
        yield f"{_percent(shares['easy']):>9}  that it is easy"
        yield f"{_percent(shares['single labels']):>9}  of single labels match the label that the case was built with"


def _person(what: str, names: LabelNames) -> str:
    return what.removeprefix("annotator ") if what.startswith("annotator ") else names(what)


def _percent(share: Mapping[str, Any]) -> str:
    return f"{100 * share['share']:.1f} %"
