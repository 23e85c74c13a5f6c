"""Matching the answers of a file to cases, and comparing its gold labels with ours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from assay.core.case import ORIGINAL, THRESHOLD, Case, Prediction, text_digest
from assay.core.errors import BadInputError
from assay.core.label import Label, LabelReader
from assay.core.label_space import THREE_LABELS, TWO_LABELS, LabelSpace
from assay.models.adapters.answer_parsing import Threshold, named_labels, written_names
from assay.run.predict.answer_files import BY_TEXT, EXAMPLES, read_predictions

AS_THEY_ARE = (ORIGINAL, "heuristics")
"""Families whose cases are unchanged source pairs: files from elsewhere, as for HANS, use the pairs' ids."""


def by_text(name: str) -> bool:
    """True if an answer has no id of its own and is matched by its texts."""
    return name.startswith(BY_TEXT)


class MatchedAnswers:
    """Answers that were made elsewhere, by the ids of cases, or of source pairs if the case is the pair itself.

    Answers without an id belong to the cases with the same two texts: one answer to all of them, several in order.

    >>> from assay.core.case import Recipe, case_from
    >>> from assay.core.edit import Edit
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="ex0", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> case = case_from(pair, Edit(), family="original", recipe=Recipe(transform="original/v1", seed=0))
    >>> MatchedAnswers("a.csv", {"ex0": Prediction(id="ex0", label=Label.NEUTRAL)}).to(case).id
    'original/v1:ex0'
    """

    def __init__(self, path: str, given: Mapping[str, Prediction]) -> None:
        self.path = path
        self.given = given
        self._texts: dict[str, str] = {}  # of the cases that got an answer
        self._repeats: dict[str, dict[str, int]] = {}  # by texts, the cases that have them, numbered in order

    def to(self, case: Case) -> Prediction | None:
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
                hint="Use the ids of the cases, and score suites that share ids one at a time.",
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
        """Answers not matched to a case so far."""
        return len(self.given) - len(self._texts)


class GoldCheck:
    """Counts the cases whose right label in the file is another one than theirs.

    Labels are compared as two if either side does not tell neutral from contradiction.
    """

    def __init__(self, gold: Mapping[str, Label], suite: str, space: LabelSpace = THREE_LABELS) -> None:
        self._gold = gold
        self._suite = suite
        self._space = space
        self._examples: list[str] = []
        self.compared = 0  # number of compared labels
        self.differ = 0  # how many of them are different
        self.beside_scores = False  # true if the answers are scores; then nobody knows what the labels are

    def joined(self, cases: Iterable[Case], answers: MatchedAnswers) -> Iterator[tuple[Case, Prediction | None]]:
        """Each case with its answer, compared in the process."""
        for case in cases:
            found = answers.found(case)
            if found is not None and found.id in self._gold:
                self.beside_scores |= found.threshold is not None
                self._compare(case, self._gold[found.id])
            yield case, answers.to(case)

    def _compare(self, case: Case, given: Label) -> None:
        own = case.label
        if own is None:
            return
        space = TWO_LABELS if Label.NON_ENTAILMENT in (own, given) else self._space
        self.compared += 1
        if space.read(own) is space.read(given):
            return
        self.differ += 1
        if len(self._examples) < EXAMPLES:
            self._examples.append(f"{case.id!r} is {given} in the file and {own} here")

    @property
    def note(self) -> str:
        """Count of differing labels and the first of them; empty if all agree."""
        if not self.differ:
            return ""
        if self.beside_scores:
            return (
                "its labels are not read, because it has scores: if they are the model's answers, call their column "
                "`prediction`"
            )
        more = "; ..." if self.differ > len(self._examples) else ""
        return (
            f"{self.differ:,} of the {self.compared:,} right labels in it differ from those of {self._suite}, which "
            f"are used: {'; '.join(self._examples)}{more}"
        )


ONLY_UNMODIFIED = (
    "A file of predictions has answers only to the unmodified pairs: add --family original. To test it on the others, "
    "build a suite with `assay build`, and let the model answer its cases."
)


class Predictions(msgspec.Struct, frozen=True, kw_only=True):
    """A file of answers by id: jsonl, csv, tsv, HANS's prediction format, or the stress-test evaluator's."""

    what: str
    labels: str = ""
    """The meaning of its labels, if they are not the usual ones: `SUPPORTS:entailment,REFUTES:contradiction`."""
    threshold: Threshold = THRESHOLD
    """If the file has a column `score`, the support score from which an answer is entailment."""

    def with_names(self, names: Mapping[str, str]) -> "Predictions":
        """The same file, which may use the label names of a corpus."""
        return self if self.labels else msgspec.structs.replace(self, labels=written_names(names))

    def open(self) -> "StoredAnswers":
        own = named_labels(self.labels, option="labels")
        before = f"{self.labels.rstrip(',')}," if self.labels else ""
        option = f'--model "predictions:{self.what}?labels={before}{{}}:LABEL"'
        reader = LabelReader(own, option=option, needed=True, usual=True)
        gold: dict[str, Label] = {}
        answers = MatchedAnswers(
            self.what, read_predictions(self.what, reader=reader, threshold=self.threshold, gold=gold)
        )
        return StoredAnswers(answers, gold=gold, told=reader.note)


class StoredAnswers:
    """Answers by the ids of cases, or of source pairs if a case is the pair itself."""

    def __init__(self, answers: MatchedAnswers, *, gold: Mapping[str, Label] | None = None, told: str = "") -> None:
        self.answers = answers
        self._gold = gold or {}
        self.notes = [f"{answers.path}: {told}"] if told else []  # notes for users about the answers

    def foresee(self, cases: Iterable[Case]) -> None:
        """Count the cases that have no answer here, the answers that have no case, and right labels that differ."""
        total, only_unmodified = 0, True
        without: list[str] = []
        check = GoldCheck(self._gold, "the cases")
        for case, answer in check.joined(cases, self.answers):
            total += 1
            if answer is None:
                without.append(case.id)
            only_unmodified &= case.family != ORIGINAL if answer is None else case.family in AS_THEY_ARE
        path, given = self.answers.path, self.answers.given
        if total and len(without) == total:
            first = next(iter(given))
            ids = f"its first id is {first!r}, the first case's is {without[0]!r}"
            raise BadInputError(
                f"none of its {len(given):,} answers belongs to one of the {total:,} cases; "
                f"{'the answers have no ids, and no texts are equal' if by_text(first) else ids}",
                where=path,
                hint="The file probably belongs to another suite or corpus.",
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
