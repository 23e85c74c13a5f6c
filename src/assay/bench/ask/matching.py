"""Which answer of a file belongs to which case."""

from collections.abc import Mapping

import msgspec

from assay.bench.ask.answer_files import BY_TEXT
from assay.core.case import Case, text_digest
from assay.core.errors import BadInputError
from assay.core.prediction import Prediction

AS_THEY_ARE = ("original", "heuristics")
"""Families whose cases are unchanged source pairs: files from elsewhere, as for HANS, use the pairs' ids."""


def by_text(name: str) -> bool:
    """Whether an answer has no id of its own and is matched by its texts."""
    return name.startswith(BY_TEXT)


class Answers:
    """Answers that were made elsewhere, by the ids of cases, or of source pairs if the case is the pair itself.

    Answers without an id belong to the cases with the same two texts: one answer to all of them, several in order.

    >>> from assay.core.case import Recipe, case_from
    >>> from assay.core.edit import Edit
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="ex0", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> case = case_from(pair, Edit(), family="original", recipe=Recipe(transform="original/v1", seed=0))
    >>> Answers("a.csv", {"ex0": Prediction(id="ex0", label=Label.NEUTRAL)}).to(case).id
    'original/v1:ex0'
    """

    def __init__(self, path: str, given: Mapping[str, Prediction]) -> None:
        self.path = path
        self.given = given
        self._texts: dict[str, str] = {}  # of the cases that got an answer
        self._repeats: dict[str, dict[str, int]] = {}  # by texts, the cases that have them, numbered in order

    def to(self, case: Case) -> Prediction | None:
        """The answer to a case, if there is one."""
        found = self.found(case)
        return found if found is None or found.id == case.id else msgspec.structs.replace(found, id=case.id)

    def found(self, case: Case) -> Prediction | None:
        """The same under its own name; an id that could mean two different questions is refused."""
        name = case.id if case.id in self.given or case.family not in AS_THEY_ARE else case.origin
        texts = text_digest(case.premise, case.hypothesis)
        found = self.given.get(name) or self._by_text(case, texts)
        if found is None:
            return None
        if self._texts.setdefault(found.id, texts) != texts:
            raise BadInputError(
                f"the answer {name!r} could belong to two cases with different texts, one of which is {case.id!r}",
                where=self.path,
                hint="Use the ids of the cases, and ask suites that share ids one at a time.",
            )
        return found

    def _by_text(self, case: Case, texts: str) -> Prediction | None:
        name = BY_TEXT + texts
        if f"{name}:0" not in self.given:
            return None
        if f"{name}:1" not in self.given:
            return self.given[f"{name}:0"]
        repeats = self._repeats.setdefault(texts, {})
        return self.given.get(f"{name}:{repeats.setdefault(case.id, len(repeats))}")

    @property
    def unused(self) -> int:
        """How many answers have not been matched to a case so far."""
        return len(self.given) - len(self._texts)
