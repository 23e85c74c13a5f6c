"""predictions:FILE, answers that were made elsewhere, on the bench beside models that answer now."""

from collections.abc import Iterable, Sequence

import msgspec

from assay.bench.ask.answer_files import EXAMPLES, read_predictions
from assay.core.case import Case
from assay.core.errors import BadInputError, UserError
from assay.core.label import NAMES, Label, LabelReader
from assay.core.prediction import Prediction


class Predictions(msgspec.Struct, frozen=True, kw_only=True):
    """A file of answers by id: jsonl, csv, tsv, HANS's prediction format, or the stress-test evaluator's."""

    what: str
    """The file."""
    labels: str = ""
    """What its labels mean, where they are its own: `SUPPORTS:entailment,REFUTES:contradiction`."""

    def open(self) -> "StoredAnswers":
        """Read it."""
        own = {}
        for part in filter(None, self.labels.split(",")):
            value, found, label = part.partition(":")
            if not found or label.strip().lower() not in NAMES:
                raise UserError(
                    f"labels={self.labels}: {part!r} does not say what a label means, "
                    "as in labels=SUPPORTS:entailment.\n"
                    f"  The labels are {', '.join(Label)}."
                )
            own[value] = label
        before = f"{self.labels.rstrip(',')}," if self.labels else ""
        reader = LabelReader(own, option=f'--model "predictions:{self.what}?labels={before}{{}}:LABEL"', needed=True)
        return StoredAnswers(self.what, read_predictions(self.what, reader=reader), told=reader.note)


class StoredAnswers:
    """Answers by the ids of cases."""

    def __init__(self, path: str, answers: dict[str, Prediction], *, told: str = "") -> None:
        self.path = path
        self.answers = answers
        self.notes = [f"{path}: {told}"] if told else []
        """What a user should know about the answers."""

    def foresee(self, cases: Iterable[Case]) -> None:
        """Count the cases that have no answer here, and the answers that have no case."""
        total, without, unknown = 0, [], {*self.answers}
        for case in cases:
            total += 1
            unknown.discard(case.id)
            if case.id not in self.answers:
                without.append(case.id)
        if total and len(without) == total:
            raise BadInputError(
                f"none of its {len(self.answers):,} answers is to one of the {total:,} cases; "
                f"its first id is {next(iter(self.answers))!r}, and the first case's {without[0]!r}",
                where=self.path,
                hint="It answers another suite or corpus.",
            )
        if without:
            shown = ", ".join(map(repr, without[:EXAMPLES]))
            raise BadInputError(
                f"no answer for {len(without):,} of {total:,} cases, such as {shown}",
                where=self.path,
                hint="Answer them all, or say what a missing answer means: `assay score SUITE FILE --missing wrong`.",
            )

        if unknown:
            self.notes.append(f"{self.path}: {len(unknown):,} answers belong to no case here.")

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """The answers to cases that were foreseen."""
        return [self.answers[case.id] for case in cases]
