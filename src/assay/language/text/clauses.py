"""Obstacles to adding a clause with "and" to a text: a question, a command, a heading or a quotation."""

import re
from functools import cache, lru_cache
from typing import Literal

from assay.language.resources.data import load_patterns, load_words

WORDS = load_words(__file__)
PATTERNS = load_patterns(__file__)

Obstacle = Literal["question", "bracket", "fragment", "speech", "command", "unfinished", ""]

QUESTION_WORDS = 12
"""Speech with more words than this seldom ends as the question that it began as."""


TRAILING = WORDS["unfinished_by"] | WORDS["trailing"]


_MAY_COMMAND = WORDS["commands"] | {"please", "let", "lets", "do", "don", "never", "always", "just"}

FEW = 5
"""Up to this many words, a hypothesis must show that it is a sentence, not a heading or an answer."""
FEW_IN_PREMISE = 2
"""The same for a premise, which may be speech: what is added takes nothing away from what it says."""


@lru_cache(maxsize=256)  # builders and checks of several families ask about the same texts
def find_obstacle(text: str, end: int) -> Obstacle:
    """The reason why a clause can't be added to a text at `end`; usually empty.

    >>> [find_obstacle(text, len(text) - 1) for text in ("It rained.", "Did it rain?", "Rain at night.", "Let us go.")]
    ['', 'question', 'fragment', 'command']
    """
    before, after = text[:end], text[end:]
    folded = before.lower()
    obstacle = _no_statement(before, after, folded, few=FEW)
    if obstacle:
        return obstacle
    if _in_speech(before, after):
        return "speech"
    first = PATTERNS["word"].search(folded)
    if first and first.group() in _MAY_COMMAND and PATTERNS["command"].match(folded):
        return "command"
    return "unfinished" if breaks_off(folded, at_words=True) else ""


def obstacle_in_premise(text: str, end: int) -> Obstacle:
    """The same for a premise, with less strict rules: an added clause does not weaken what the premise says.

    >>> [obstacle_in_premise(text, len(text) - 1) for text in ("Rain at night.", "Rain.", "Let us go home.")]
    ['', 'fragment', '']
    """
    if not find_obstacle(text, end):  # as nearly always, and the builder has already asked
        return "unfinished" if trails_off(text) else ""
    before, after = text[:end], text[end:]
    folded = before.lower()
    obstacle = _no_statement(before, after, folded, few=FEW_IN_PREMISE)
    if obstacle:
        return obstacle
    return "unfinished" if trails_off(text) or breaks_off(folded, at_words=bool(after.strip())) else ""


def _no_statement(before: str, after: str, folded: str, *, few: int) -> Obstacle:
    """The obstacle if a text is a question or a heading, or has an open bracket; otherwise empty."""
    if "?" in after or (not after.strip() and _is_question(folded)):
        return "question"
    if in_brackets(before) or before.count(")") > before.count("("):
        return "bracket"
    return "fragment" if is_fragment(folded, few) else ""


def is_fragment(folded: str, few: int) -> bool:
    """True if a lower-case text has few words and no sign of being a sentence.

    >>> [is_fragment(text, 5) for text in ("the harbour at night", "never", "it rained", "dogs like us")]
    [True, True, False, False]
    """
    if _more_words_than(few).match(folded):
        return False
    return len(PATTERNS["word"].findall(folded)) == 1 or not PATTERNS["predicate"].search(folded)


@cache
def _more_words_than(number: int) -> re.Pattern[str]:
    return re.compile(rf"\W*+(?:\w++\W++){{{number}}}\w")


def _is_question(folded: str) -> bool:
    return folded.count(" ") < QUESTION_WORDS and PATTERNS["inverted"].match(folded) is not None


def breaks_off(folded: str, *, at_words: bool) -> bool:
    """True if a lower-case text stops in mid-sentence.

    >>> breaks_off("it rained,", at_words=True), breaks_off("it rained and", at_words=True)
    (True, True)
    """
    folded = folded.rstrip()
    return folded.endswith(("-", ",", ";", ":")) or (at_words and folded.rpartition(" ")[2] in WORDS["unfinished_by"])


def trails_off(text: str) -> bool:
    """True if speech without a full stop ends in a word that needs another one after it.

    >>> [trails_off(text) for text in ("yeah i know but", "It was what he dreamt of.", "yeah i know it")]
    [True, False, False]
    """
    return text.rstrip().rpartition(" ")[2].lower() in TRAILING


def in_brackets(before: str) -> bool:
    """True if a bracket is open at the end of a text.

    >>> in_brackets("It rained (at night"), in_brackets("It rained (at night)")
    (True, False)
    """
    return any(mark in before and before.rfind(mark) > before.rfind(end) for mark, end in ("()", "[]"))


def _in_speech(before: str, after: str) -> bool:
    """True if the clause would be inside a quotation that covers only part of the text.

    In a hypothesis, this reports a statement. In a premise, it is harmless, because the statement is still reported.
    """
    if "\u201c" in before and before.rfind("\u201c") > max(before.rfind("\u201d"), 0):
        return True
    if "``" in before and before.rfind("``") > max(before.rfind("''"), 0):
        return True
    mark = before.rfind('"')
    if mark > 0 and before[mark - 1].isspace():
        stands_apart = before[mark + 1 : mark + 2].isspace()
        if not stands_apart or before.count('"') % 2:
            return True
    if "'" not in after and "\u2019" not in after:
        return False
    return any(match.start() > 0 for match in PATTERNS["single"].finditer(before))


def in_open_quotation(text: str) -> bool:
    """True if a quotation is open at the end of a text.

    >>> [in_open_quotation(text) for text in ('He said, "No.', 'He said, "No."', "He said, 'No.'", "He said, 'No")]
    [True, False, False, True]
    """
    if text.count('"') % 2 or text.count("\u201c") > text.count("\u201d") or text.count("``") > text.count("''"):
        return True
    opened = [match.start() for match in PATTERNS["single"].finditer(text)]
    return bool(opened) and not PATTERNS["single_end"].search(text, opened[-1] + 1)
