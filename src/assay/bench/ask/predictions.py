"""predictions:FILE, answers that were made elsewhere, measured along with models that answer now."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from assay.bench.ask.answer_files import EXAMPLES, read_predictions
from assay.bench.ask.gold_check import GoldCheck
from assay.bench.ask.matching import AS_THEY_ARE, Answers, by_text
from assay.core.case import Case
from assay.core.errors import BadInputError
from assay.core.label import Label, LabelReader
from assay.core.prediction import THRESHOLD, Prediction
from assay.models.answering.replies import Threshold, named_labels, written_names

ONLY_UNMODIFIED = (
    "A file of predictions knows only the unmodified pairs: add --family original. To test it on the others, build a "
    "suite with `assay build`, and let the model answer its cases."
)


class Predictions(msgspec.Struct, frozen=True, kw_only=True):
    """A file of answers by id: jsonl, csv, tsv, HANS's prediction format, or the stress-test evaluator's."""

    what: str
    """The file."""
    labels: str = ""
    """What its labels mean, if they are not the usual ones: `SUPPORTS:entailment,REFUTES:contradiction`."""
    threshold: Threshold = THRESHOLD
    """If the file has a column `score`, the support score from which an answer is entailment."""

    def with_names(self, names: Mapping[str, str]) -> "Predictions":
        """The same file, which may use the label names of a corpus."""
        return self if self.labels else msgspec.structs.replace(self, labels=written_names(names))

    def open(self) -> "StoredAnswers":
        """Read it."""
        own = named_labels(self.labels, option="labels")
        before = f"{self.labels.rstrip(',')}," if self.labels else ""
        option = f'--model "predictions:{self.what}?labels={before}{{}}:LABEL"'
        reader = LabelReader(own, option=option, needed=True, usual=True)
        gold: dict[str, Label] = {}
        answers = Answers(self.what, read_predictions(self.what, reader=reader, threshold=self.threshold, gold=gold))
        return StoredAnswers(answers, gold=gold, told=reader.note)


class StoredAnswers:
    """Answers by the ids of cases, or of source pairs if a case is the pair itself."""

    def __init__(self, answers: Answers, *, gold: Mapping[str, Label] | None = None, told: str = "") -> None:
        self.answers = answers
        self._gold = gold or {}
        self.notes = [f"{answers.path}: {told}"] if told else []
        """What a user should know about the answers."""

    def foresee(self, cases: Iterable[Case]) -> None:
        """Count the cases that have no answer here, the answers that have no case, and right labels that differ."""
        total, only_unmodified = 0, True
        without: list[str] = []
        check = GoldCheck(self._gold, "the cases")
        for case, answer in check.joined(cases, self.answers):
            total += 1
            if answer is None:
                without.append(case.id)
            only_unmodified &= (case.family in AS_THEY_ARE) is (answer is not None)
        path, given = self.answers.path, self.answers.given
        if total and len(without) == total:
            first = next(iter(given))
            ids = f"its first id is {first!r}, the first case's is {without[0]!r}"
            raise BadInputError(
                f"none of its {len(given):,} answers belongs to one of the {total:,} cases; "
                f"{'the answers have no ids, and no texts are equal' if by_text(first) else ids}",
                where=path,
                hint="It belongs to another suite or corpus.",
            )
        if without:
            shown = ", ".join(map(repr, without[:EXAMPLES]))
            raise BadInputError(
                f"no answer for {len(without):,} of {total:,} cases, such as {shown}",
                where=path,
                hint=ONLY_UNMODIFIED
                if only_unmodified
                else "Add the missing answers, or say how to count them: `assay score SUITE FILE --missing wrong`.",
            )
        if check.note:
            self.notes.append(f"{path}: {check.note}.")
        if self.answers.unused:
            self.notes.append(f"{path}: {self.answers.unused:,} answers belong to no case here.")

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """The answers to cases that were checked before."""
        return [answer for case in cases if (answer := self.answers.to(case))]
