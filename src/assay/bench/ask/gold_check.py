"""Right labels that a file of answers brings along, compared with those of the suite or corpus."""

from collections.abc import Iterable, Iterator, Mapping

from assay.bench.ask.answer_files import EXAMPLES
from assay.bench.ask.matching import Answers
from assay.core.case import Case
from assay.core.label import Label
from assay.core.prediction import Prediction


class GoldCheck:
    """Counts the cases whose right label in the file is another one than theirs.

    Labels are compared as two if either side does not tell neutral from contradiction.
    """

    def __init__(self, gold: Mapping[str, Label], suite: str, *, two_way: bool = False) -> None:
        self._gold = gold
        self._suite = suite
        self._two_way = two_way
        self._examples: list[str] = []
        self.compared = 0
        """How many labels could be compared."""
        self.differ = 0
        """How many of them are different."""

    def joined(self, cases: Iterable[Case], answers: Answers) -> Iterator[tuple[Case, Prediction | None]]:
        """Each case with its answer, compared in the process."""
        for case in cases:
            found = answers.found(case)
            if found is not None and found.id in self._gold:
                self._compare(case, self._gold[found.id])
            yield case, answers.to(case)

    def _compare(self, case: Case, given: Label) -> None:
        own = case.label
        if own is None:
            return
        in_two = self._two_way or Label.NON_ENTAILMENT in (own, given)
        self.compared += 1
        if own is given or (in_two and own.two_way is given.two_way):
            return
        self.differ += 1
        if len(self._examples) < EXAMPLES:
            self._examples.append(f"{case.id!r} is {given} in the file and {own} here")

    @property
    def note(self) -> str:
        """How many labels differ and the first of them; empty if all agree."""
        if not self.differ:
            return ""
        more = "; ..." if self.differ > len(self._examples) else ""
        return (
            f"{self.differ:,} of the {self.compared:,} right labels in it differ from those of {self._suite}, which "
            f"are used: {'; '.join(self._examples)}{more}"
        )
