"""The labels of a pair, and what other people call them."""

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from assay.core.errors import BadRecordError, UnknownLabelError, UserError, did_you_mean

_WORDS: dict[str, Any] = tomllib.loads((files("assay.core") / "label_words.toml").read_text("utf-8"))

YES: Sequence[str] = _WORDS["yes"]
NO: Sequence[str] = _WORDS["no"]
SAYS_YES: Mapping[str, bool] = MappingProxyType({**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)})
SUPPORTING, OPPOSING = frozenset(_WORDS["supporting"]), frozenset(_WORDS["opposing"])


class ColumnQuestion(NamedTuple):
    """The question that the name of a column asks."""

    column: str
    supports: bool | None  # True if yes means that the evidence supports the claim; None if the name does not say

    def supported(self, answer: str) -> bool | None:
        """True if the answer says that the claim is supported; None if it is neither yes nor no.

        >>> ColumnQuestion("hallucinated", False).supported("No")
        True
        >>> ColumnQuestion("flagged", None).supported("yes")
        Traceback (most recent call last):
        ...
        assay.core.errors.BadRecordError: 'yes' in the column 'flagged' could mean supported or not supported
        """
        folded = answer.lower()
        if folded not in SAYS_YES or (self.supports is None and folded in _WORDS["labels_too"]):
            return None
        if self.supports is None:
            one = f"--labels {answer}=entailment,{_opposite_answer(answer)}=non-entailment"
            two = f"--labels {answer}=non-entailment,{_opposite_answer(answer)}=entailment"
            raise BadRecordError(
                f"{answer!r} in the column {self.column!r} could mean supported or not supported",
                hint=f"Say which: {one} or {two}.",
            )
        return SAYS_YES[folded] is self.supports


@lru_cache(maxsize=256)
def question_in(column: str) -> ColumnQuestion:
    """The question that the name of a column asks.

    >>> [question_in(name).supports for name in ("Is_Hallucinated", "supported?", "no hallucination", "flagged")]
    [False, True, True, None]
    """
    words = "".join(char if char.isalnum() else " " for char in column.lower()).split()
    asked = [word for word in words if word not in _WORDS["filling"]]
    negated = bool(asked) and asked[0] in _WORDS["negating"]
    rest = asked[negated:]
    if len(rest) != 1 or rest[0] not in SUPPORTING | OPPOSING:
        return ColumnQuestion(column, None)
    return ColumnQuestion(column, (rest[0] in SUPPORTING) is not negated)


def _opposite_answer(answer: str) -> str:
    """The opposite answer, in the same spelling style.

    >>> _opposite_answer("TRUE"), _opposite_answer("No"), _opposite_answer("f")
    ('FALSE', 'Yes', 't')
    """
    folded = answer.lower()
    found = NO[YES.index(folded)] if folded in YES else YES[NO.index(folded)]
    return found.upper() if answer.isupper() else found.title() if answer.istitle() else found


class Label(StrEnum):
    """The relation of a premise to a hypothesis.

    `NON_ENTAILMENT` is the label of two-way sets: neutral or contradiction, without saying which.

    >>> Label("neutral")
    <Label.NEUTRAL: 'neutral'>
    """

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"
    NON_ENTAILMENT = "non-entailment"


THREE_WAY = (Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION)
"""The labels that a three-way model chooses from, in the order in which ties are broken."""

UNLABELLED = frozenset(_WORDS["unlabelled"])  # a missing gold label, or a withheld test label


def _labels_by_name(names: Mapping[str, Sequence[str]]) -> Mapping[str, Label]:
    return MappingProxyType({name: Label(label) for label, spelled in names.items() for name in spelled})


NAMES = _labels_by_name(_WORDS["names"])  # spellings in the field

USUAL_NAMES = _labels_by_name(_WORDS["usual_names"])
"""Spellings in sets of claims and of questions, with spaces; a note says so if a file uses them."""

YES_NO = frozenset({"yes", "no"})
"""Usual names that mean something else next to a third label, so the user's own names switch them off."""

NUMBERS: Mapping[str, Label] = MappingProxyType({"0": Label.ENTAILMENT, "1": Label.NEUTRAL, "2": Label.CONTRADICTION})
"""Numeric labels by the Hugging Face convention of SNLI and MultiNLI."""


_MEANING = re.compile(r"""(["']?)\{\}\1(\W+?)\1LABEL\1""")  # the meaning of one label, in an option that gives it


class LabelReader:
    """Reads labels as people write them, with the user's own spellings on top.

    If a label is `needed`, as in an answer, no error suggests leaving it out. `usual` accepts what data sets of claims
    write too, such as REFUTES.

    >>> read = LabelReader({"SUPPORTS": "entailment"})
    >>> read("SUPPORTS"), read("Not_Entailment"), read("-")
    (<Label.ENTAILMENT: 'entailment'>, <Label.NON_ENTAILMENT: 'non-entailment'>, None)
    >>> LabelReader()(2), LabelReader(usual=True)("NOT ENOUGH INFO")
    (<Label.CONTRADICTION: 'contradiction'>, <Label.NEUTRAL: 'neutral'>)
    """

    def __init__(
        self,
        own: Mapping[str, str] | None = None,
        *,
        option: str = "--labels {}=LABEL",
        needed: bool = False,
        usual: bool = False,
    ) -> None:
        self._option = option  # how a user says what a label means; {} is the label
        self._possible = ", ".join(Label) if needed else f"{', '.join(Label)}, or - for none"
        self.numbers: Counter[str] = Counter()
        """Numbers that were read by convention, because the user gave no names for them."""
        self.words: dict[str, Label] = {}  # usual names that were read by convention, as they are written
        self.flags: dict[ColumnQuestion, dict[str, Label]] = {}
        """Answers to the question that a column asks, as they are written. Elsewhere, yes means yes."""
        self._usual = usual
        self._own: dict[str, Label | None] = {}
        for value, name in (own or {}).items():
            label = NAMES.get(name.strip().lower())
            if label is None and name.strip().lower() not in UNLABELLED:
                guess = did_you_mean(name, [known.value for known in Label])
                raise UserError(f"--labels {value}={name}: {name!r} is not a label{guess} Use {self._possible}.")
            self._own[value.strip()] = label
        self._folded = {value.lower(): label for value, label in self._own.items()}
        self._seen: dict[str, Label | None] = {}

    @property
    def own(self) -> bool:
        """True if the user has said what labels mean."""
        return bool(self._own)

    def __call__(self, value: object, question: ColumnQuestion | None = None) -> Label | None:
        """The label, or None if the value says that there is none; with a question, yes and no are answers to it."""
        text = value if type(value) is str else _spell_label(value)
        if question is not None and (flag := self._flag(text.strip(), question)):
            return flag
        try:
            return self._seen[text]
        except KeyError:
            label = self._read(text)
            if text.strip() not in self.numbers:  # numbers are counted each time
                self._seen[text] = label
            return label

    def ambiguity(self, place: str, *, of_claims: bool = False) -> BadRecordError | None:
        """The error about numbers whose meaning was assumed and is not confirmed; `place` says where they are.

        If 0, 1 and 2 all occur, they follow SNLI and MultiNLI. Fewer numbers may mean supported and not supported, in
        either order, and data sets of claims number their labels in several ways.

        >>> read = LabelReader()
        >>> labels = [read(number) for number in "0110"]
        >>> print(read.ambiguity("in the column 'label'"))
        the numbers 0 (2) and 1 (2) in the column 'label' can be read in several ways
        >>> labels.append(read("2"))
        >>> read.ambiguity("in the column 'label'")
        """
        found = sorted(self.numbers)
        if not found or (len(found) == len(NUMBERS) and not of_claims):
            return None
        entailment, neutral, contradiction = THREE_WAY
        readings: dict[str, tuple[Label, ...]]
        if len(found) == len(NUMBERS):
            readings = {
                "If 1 means neutral": THREE_WAY,
                "If 1 means contradiction": (entailment, contradiction, neutral),
            }
        else:
            readings = {
                f"If {found[0]} means supported": (entailment, Label.NON_ENTAILMENT),
                f"If {found[0]} means not supported": (Label.NON_ENTAILMENT, entailment),
                "If it is part of a set that numbers labels as SNLI does": tuple(NUMBERS[number] for number in found),
            }
        meanings = {when: dict(zip(found, labels, strict=False)) for when, labels in readings.items()}
        *others, last = (f"{number} ({self.numbers[number]:,})" for number in found)
        listed = f"{', '.join(others)} and {last}" if others else last
        return BadRecordError(
            f"the number{'s' if others else ''} {listed} {place} can be read in several ways",
            hint="\n  ".join(f"{when}: {written_option(self._option, meaning)}" for when, meaning in meanings.items()),
        )

    @property
    def names(self) -> dict[str, str]:
        """The user's own names for labels, each with ours: those that were declared, and usual ones that were read.

        >>> read = LabelReader({"SUPPORTED": "entailment"}, usual=True)
        >>> label = read("REFUTES")
        >>> read.names
        {'REFUTES': 'contradiction', 'SUPPORTED': 'entailment'}
        """
        return own_names({**self.words, **{value: label or "" for value, label in self._own.items()}})

    @property
    def note(self) -> str:
        """A note about labels that were read by convention, and how to override it; empty if there are none.

        >>> read = LabelReader()
        >>> label = read("1")
        >>> read.note
        'numeric labels were read as 1=neutral; --labels 1=LABEL overrides'
        """
        found = [
            self._told("numeric labels", {number: NUMBERS[number] for number in sorted(self.numbers)}),
            self._told("labels", self.words),
            *(self._told(f"{_explain_question(question)}, so labels", read) for question, read in self.flags.items()),
        ]
        return "; ".join(filter(None, found))

    def _told(self, what: str, read: Mapping[str, Label]) -> str:
        if not read:
            return ""
        told = ", ".join(f"{value}={label}" for value, label in read.items())
        option = self._option.replace("{}", next(iter(read)))
        return f"{what} were read as {told}; {option} overrides"

    def _flag(self, text: str, question: ColumnQuestion) -> Label | None:
        """The label that an answer to a question means; None if it is another answer, or the user's own name."""
        if text.lower() in self._folded:
            return None
        supported = question.supported(text)
        if supported is not None:
            label = Label.ENTAILMENT if supported else Label.NON_ENTAILMENT
            return self.flags.setdefault(question, {}).setdefault(text, label)
        if question.supports is not None and text in NUMBERS:
            raise UnknownLabelError(text, option=self._option, possible=self._possible)
        return None

    def _read(self, value: str) -> Label | None:
        text = value.strip()
        if text in self._own:
            return self._own[text]
        folded = text.lower()
        if folded in NAMES:
            return NAMES[folded]
        if folded in self._folded:
            return self._folded[folded]
        if folded in UNLABELLED:
            return None
        if folded in NUMBERS and not self._own:
            self.numbers[folded] += 1
            return NUMBERS[folded]
        plain = _with_spaces(folded)
        if self._usual and plain in USUAL_NAMES and not (self._own and plain in YES_NO):
            return self.words.setdefault(text, USUAL_NAMES[plain])
        raise UnknownLabelError(value, option=self._option, possible=self._possible)


def written_option(option: str, meanings: Mapping[str, str]) -> str:
    """An option that says what labels mean, ready to paste; in `option`, {} is a label and LABEL its meaning.

    >>> written_option("--labels {}=LABEL", {"true": "entailment", "mostly true": "neutral"})
    "--labels 'true=entailment,mostly true=neutral'"
    >>> written_option('--model "predictions:a.csv?labels={}:LABEL"', {"true": "LABEL", "false": "LABEL"})
    '--model "predictions:a.csv?labels=true:LABEL,false:LABEL"'
    >>> written_option('labels={"{}": "LABEL"}', {"0": "entailment", "1": "neutral"})
    'labels={"0": "entailment", "1": "neutral"}'
    """
    before, quote, between, after = _MEANING.split(option)
    separator = ", " if quote else ","
    listed = separator.join(f"{quote}{value}{quote}{between}{quote}{label}{quote}" for value, label in meanings.items())
    if " " in listed and before.endswith(" "):  # as a word of the shell
        listed = f"'{listed}'"
    return f"{before}{listed}{after}"


def named_label(name: str) -> Label | None:
    """The label that a name means in the field or in sets of claims; None for any other name.

    >>> named_label("Entailment"), named_label("NOT_ENOUGH_INFO"), named_label("LABEL_0")
    (<Label.ENTAILMENT: 'entailment'>, <Label.NEUTRAL: 'neutral'>, None)
    """
    folded = name.strip().lower()
    return NAMES.get(folded) or USUAL_NAMES.get(_with_spaces(folded))


def own_names(declared: Mapping[str, str]) -> dict[str, str]:
    """The user's own names for labels, each with our name, from what `--labels` says about the values of a corpus.

    Numbers are not names. If one of our names gets another meaning, as in `neutral=non-entailment`, it keeps its own
    meaning outside of that corpus.

    >>> own_names({"SUPPORTED": "entailment", "REFUTED": "not_entailment", "1": "neutral", "neutral": "-"})
    {'SUPPORTED': 'entailment', 'REFUTED': 'non-entailment'}
    """
    found = {}
    for value, name in declared.items():
        text, label = value.strip(), NAMES.get(name.strip().lower())
        if label and text.lower() not in NAMES and not text.lstrip("+-").isdecimal():
            found[text] = label.value
    return found


def _with_spaces(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").split())


def _explain_question(question: ColumnQuestion) -> str:
    return f"the column {question.column!r} says whether a claim is {'' if question.supports else 'not '}supported"


def _spell_label(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
