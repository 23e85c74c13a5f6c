"""Labels that answer a question, such as yes in a column `hallucinated`: the question decides what yes means."""

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from assay.core.errors import BadRecordError

YES = ("yes", "y", "true", "t", "1")
NO = ("no", "n", "false", "f", "0")

SAYS_YES: Mapping[str, bool] = MappingProxyType({**dict.fromkeys(YES, True), **dict.fromkeys(NO, False)})
"""Whether an answer is yes, lower-cased."""

LABELS_TOO = frozenset({"1", "0", "n"})
"""Answers that stand for a label where no question is known: numbers by convention, and neutral."""

SUPPORTING = frozenset(
    {
        *("supported", "supports", "entailed", "entails", "entailment"),
        *("faithful", "consistent", "factual", "grounded"),
    }
)
"""Questions to which yes means that the evidence supports the claim."""

OPPOSING = frozenset(
    {
        *("hallucinated", "hallucination", "hallucinations", "hallucinates"),
        *("unsupported", "unfaithful", "inconsistent", "nonfactual", "ungrounded"),
    }
)
"""Questions to which yes means that it does not. "Refuted" is none: no may mean supported, or unknown."""

FILLING = frozenset({"is", "was", "are", "has", "have", "contains", "gold", "label", "flag"})
"""Words that do not change a question."""

NEGATING = frozenset({"not", "non", "no"})
"""Words that turn a question into its opposite if it begins with one."""


class Question(NamedTuple):
    """What the name of a column asks."""

    column: str
    """The column."""
    supports: bool | None
    """Whether yes means that the evidence supports the claim; None if the name does not say."""

    def supported(self, answer: str) -> bool | None:
        """Whether the answer says that the claim is supported; None if it is neither yes nor no.

        >>> Question("hallucinated", False).supported("No")
        True
        >>> Question("flagged", None).supported("yes")
        Traceback (most recent call last):
        ...
        assay.core.errors.BadRecordError: 'yes' in the column 'flagged' could mean supported or not supported
        """
        folded = answer.lower()
        if folded not in SAYS_YES or (self.supports is None and folded in LABELS_TOO):
            return None
        if self.supports is None:
            one = f"--labels {answer}=entailment,{_other(answer)}=non-entailment"
            two = f"--labels {answer}=non-entailment,{_other(answer)}=entailment"
            raise BadRecordError(
                f"{answer!r} in the column {self.column!r} could mean supported or not supported",
                hint=f"Say which: {one} or {two}.",
            )
        return SAYS_YES[folded] is self.supports


@lru_cache(maxsize=256)
def question_in(column: str) -> Question:
    """The question that the name of a column asks.

    >>> [question_in(name).supports for name in ("Is_Hallucinated", "supported?", "no hallucination", "flagged")]
    [False, True, True, None]
    """
    words = "".join(char if char.isalnum() else " " for char in column.lower()).split()
    asked = [word for word in words if word not in FILLING]
    negated = bool(asked) and asked[0] in NEGATING
    rest = asked[negated:]
    if len(rest) != 1 or rest[0] not in SUPPORTING | OPPOSING:
        return Question(column, None)
    return Question(column, (rest[0] in SUPPORTING) is not negated)


def _other(answer: str) -> str:
    """The other answer, written alike.

    >>> _other("TRUE"), _other("No"), _other("f")
    ('FALSE', 'Yes', 't')
    """
    folded = answer.lower()
    found = NO[YES.index(folded)] if folded in YES else YES[NO.index(folded)]
    return found.upper() if answer.isupper() else found.title() if answer.istitle() else found
