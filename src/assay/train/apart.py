"""Added cases that have nothing to do with a test: no premise, no words and no template of it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Literal, NamedTuple, get_args

from assay.core.case import Case
from assay.core.edit import Replacement
from assay.core.pair import premise_cluster

Shared = Literal["premises", "words", "templates"]
SHARED: tuple[Shared, ...] = get_args(Shared)

TEMPLATE = ("subcase", "template")
"""Groups that name the template of a generated case."""


class Mark(NamedTuple):
    """Something that training and a test must not share."""

    kind: Shared
    value: str


class Apart:
    """Tells cases that share something with the cases of a test."""

    def __init__(self, test: Iterable[Case], by: Collection[Shared] = SHARED) -> None:
        self.by = by
        self._marks = {mark for case in test for mark in marks_of(case)}

    def shared(self, case: Case) -> Shared | None:
        """The first thing that a case shares with the test."""
        return next((mark.kind for mark in marks_of(case) if mark.kind in self.by and mark in self._marks), None)

    def split(self, cases: Iterable[Case]) -> tuple[list[Case], Counter[str]]:
        """The cases that share nothing, and how many share what."""
        kept, left_out = [], Counter[str]()
        for case in cases:
            if kind := self.shared(case):
                left_out[kind] += 1
            else:
                kept.append(case)
        return kept, left_out


def marks_of(case: Case) -> Iterator[Mark]:
    """The premises of a case and of its source pair, the words that its edit exchanges, and its template.

    A text that an edit adds, such as "and true is true", is a template: the same for all pairs.
    """
    yield Mark("premises", case.cluster)
    yield Mark("premises", premise_cluster(case.premise))
    edit = case.provenance.edit
    for change in (*edit.premise, *edit.hypothesis):
        yield from _of_change(change)
    if all(name in case.group for name in TEMPLATE):
        yield Mark("templates", " ".join(case.group[name] for name in TEMPLATE))


def _of_change(change: Replacement) -> Iterator[Mark]:
    old, new = (" ".join(text.lower().split()) for text in (change.old, change.new))
    if not old:
        yield Mark("templates", new)
        return
    for text in (old, new):
        if text:
            yield Mark("words", text)
