"""Proof for added tautologies: each clause is parsed, evaluated and removed, and what remains must be the source."""

import re
from functools import cache, lru_cache

from assay.core.case import Case, text_digest
from assay.core.edit import Replacement, Skip
from assay.stress.checks.source import CHANGED, source_of

_CLAUSE = re.compile(r"\s+and (\w+) is (not )?(\w+)")

EXCLUDING = (
    {"true", "false"},
    {"green", "red", "blue", "yellow", "black", "white", "brown", "pink", "orange", "purple", "grey"},
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"},
)
"""Words of which two different ones never mean the same."""

_AUXILIARY = r"(?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should)(?: ?n['\u2019]t)?"
_SUBJECT = r"(?:you|he|she|it|we|they|i|there|that|this)"
_FILLERS = r"(?:(?:uh|um|oh|ah|well|yeah|yes|no|so|and|but|now|okay|right|huh|hm|really)\b\W*)*"
_INVERTED = re.compile(rf"\W*{_FILLERS}(?:(?:what|how|why|where) )?{_AUXILIARY} {_SUBJECT}\b")
"""Telephone talk has no question marks: "uh do you like it", "what are you reading"."""
QUESTION_WORDS = 12
"""Talk of more words than these seldom ends as the question that it began as."""

UNFINISHED_BY = frozenset(("and", "or", "but", "nor", "because", "if", "unless", "whether", "the", "my", "your", "our"))
"""Words after which something was still to come, so that a clause with "and" has nothing to follow."""

_SINGLE = re.compile(r"(?<!\S)['\u2018`](?=\w)")
"""What opens a quotation in single marks."""
_WORD = re.compile(r"\w+")

_COMMANDS = (
    r"agree|allow|appear|apply|argue|ask|avoid|be|become|begin|believe|belong|break|bring|build|buy|call|carry|"
    r"choose|click|come|consider|contact|contain|continue|create|decide|depend|describe|develop|die|donate|eat|"
    r"enjoy|expect|explain|fail|fall|feel|find|follow|forget|get|give|go|grow|happen|hate|have|hear|help|hold|"
    r"ignore|imagine|improve|include|increase|indicate|involve|join|keep|know|lead|learn|leave|let|lie|listen|look|"
    r"lose|make|mean|meet|move|occur|open|own|pay|prefer|prove|provide|push|put|raise|reach|read|realize|receive|"
    r"recommend|refer|refuse|remain|remember|represent|require|respond|return|rise|run|save|say|see|seem|sell|send|"
    r"serve|show|sit|sleep|speak|spend|stand|start|stay|stop|suffer|suggest|take|talk|teach|tell|tend|think|treat|"
    r"try|turn|understand|use|wait|walk|want|warn|watch|wear|wish|wonder|worry|write"
)
"""Verbs that begin commands."""
_OTHER_VERBS = (
    r"care|cause|change|check|claim|cost|cover|hope|lack|last|like|live|love|matter|need|note|offer|play|report|"
    r"share|support|thank|travel|trust|visit|vote|work"
)
"""Verbs that may well be nouns where a sentence begins."""
_PASTS = (
    r"ate|became|began|blew|bore|bought|brought|broke|built|came|caught|chose|cut|dealt|drank|drew|drove|fed|fell|"
    r"felt|fled|flew|forgot|fought|found|gave|got|grew|heard|held|hid|hit|hung|hurt|kept|knew|laid|lay|led|left|"
    r"lent|lost|made|meant|met|paid|put|quit|ran|rang|read|rode|rose|said|sang|sat|saw|sent|set|shook|shot|shut|"
    r"slept|sold|sought|spent|spoke|spread|stole|stood|struck|stuck|swam|swept|taught|threw|told|took|tore|"
    r"understood|went|woke|won|wore|wrote"
)
_PREDICATE = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|do|does|did|can|cannot|could|will|would|may|might|must|shall|should)\b"
    r"|n['\u2019]t\b|\w['\u2019](?:m|re|ve|ll|d)\b|\b(?:he|she|it|that|this|there|who|what|here)\s?['\u2019]s\b"
    r"|\b(?:i|you|he|she|it|we|they|this|these|that|those|who|there|nobody|nothing|everybody|everyone|everything"
    r"|somebody|someone|something|people)\s+[a-z]"
    rf"|\b\w{{3,}}ed\b|\b(?:{_PASTS})\b|(?<=\w )(?:{_COMMANDS}|{_OTHER_VERBS})s?\b"
    r"|s (?:a|an|the|to|that|it|him|her|them|his|their|its|your|my|our|you|me|us|no|up|out|very|too|so|not|all|one|two"
    r"|three|four|five|\w+ly)\b"
)
"""What tells a sentence: an auxiliary, a pronoun before a word, a past, or a common verb in its place."""
_COMMAND = re.compile(
    r"\W*(?:please\b|let['\u2019]?s\b|let (?:us|me)\b|(?:never |always |just )?(?:do(?: not| ?n['\u2019]t) )?"
    rf"(?:{_COMMANDS})\b(?! (?:is|are|was|were|has|had|of|and|in|at)\b|,))"
)
_MAY_COMMAND = frozenset(_COMMANDS.split("|")) | {"please", "let", "lets", "do", "don", "never", "always", "just"}

FEW = 5
"""Words up to which a hypothesis must show that it is a sentence, and no heading or answer."""
FEW_IN_PREMISE = 2
"""The same for a premise, which may be talk: what is added to it takes nothing away from what it says."""

COMMAND = Skip("not proven: the clause is added to a command")
FALSE = Skip("not proven: the added clause is not known to be true")
FRAGMENT = Skip("not proven: the clause is added to what is no sentence")
MOVED = Skip("not proven: the clause does not stand at the end of the sentence")
BRACKET = Skip("not proven: the clause is added inside of a bracket")
SPOKEN = Skip("not proven: the clause is added to what somebody says")
QUESTION = Skip("not proven: a clause added to a question does not leave it as it was")
TIMES = Skip("not proven: the clause is not added as often as was asked for")
TWICE = Skip("not proven: more than one place was changed")
UNFINISHED = Skip("not proven: the clause is added to a sentence that breaks off")
WRONG_SIDE = Skip("not proven: the clause is added to the wrong text")


class TautologyCheck:
    """For the families word-overlap, negation and length-mismatch."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo, evaluate, and look at where the clause was put."""
        edit = case.provenance.edit
        source = source_of(case)
        if source is None or text_digest(*source) != case.provenance.source or edit.label is not None:
            return CHANGED
        changes = edit.premise + edit.hypothesis
        if not changes:
            return None if case.provenance.recipe.options.get("times") == 0 else TIMES  # the lowest rung of a ladder
        if len(changes) > 1:
            return TWICE
        in_premise = bool(edit.premise)
        if in_premise != (case.family == "length-mismatch"):
            return WRONG_SIDE
        times = case.provenance.recipe.options.get("times", 5 if in_premise else 1)
        if times != clauses_in(changes[0].new):
            return TIMES if clauses_in(changes[0].new) else FALSE
        return _check_change(source[0 if in_premise else 1], changes[0], in_premise=in_premise)


def _check_change(text: str, change: Replacement, *, in_premise: bool) -> Skip | None:
    if change.old:
        return CHANGED
    before, after = text[: change.start], text[change.start :]
    if not before or (after != "." and _WORD.search(after)):
        return MOVED
    folded = before.lower()
    if "?" in after or (not after.strip() and _is_question(folded)):
        return QUESTION
    if _in_brackets(before):
        return BRACKET
    if is_fragment(folded, FEW_IN_PREMISE if in_premise else FEW):
        return FRAGMENT
    if in_premise:
        # Talk without punctuation breaks off and starts anew by itself.
        return UNFINISHED if _breaks_off(folded, at_words=bool(after.strip())) else None
    if _in_speech(before, after):
        return SPOKEN
    first = _WORD.search(folded)
    if first and first.group() in _MAY_COMMAND and _COMMAND.match(folded):
        return COMMAND
    return UNFINISHED if _breaks_off(folded, at_words=True) else None


@lru_cache(maxsize=1024)
def clauses_in(added: str) -> int:
    """How many clauses a string is that hold whatever happens; 0 if it has anything else.

    >>> [clauses_in(c) for c in (" and true is true", " and red is not green" * 2, " and red is green")]
    [1, 2, 0]
    """
    position = count = 0
    while match := _CLAUSE.match(added, position):
        subject, negated, complement = match.groups()
        same = subject == complement
        different = any({subject, complement} <= words for words in EXCLUDING) and not same
        if not (different if negated else same):
            return 0
        position, count = match.end(), count + 1
    return count if position == len(added) else 0


def is_fragment(folded: str, few: int) -> bool:
    """Whether a text in small letters has few words and nothing that tells a sentence.

    >>> [is_fragment(text, 5) for text in ("the harbour at night", "never", "it rained", "dogs like us")]
    [True, True, False, False]
    """
    if _more_words_than(few).match(folded):
        return False
    return len(_WORD.findall(folded)) == 1 or not _PREDICATE.search(folded)


@cache
def _more_words_than(number: int) -> re.Pattern[str]:
    return re.compile(rf"\W*+(?:\w++\W++){{{number}}}\w")


def _is_question(folded: str) -> bool:
    return folded.count(" ") < QUESTION_WORDS and _INVERTED.match(folded) is not None


def _breaks_off(folded: str, *, at_words: bool) -> bool:
    folded = folded.rstrip()
    return folded.endswith(("-", ",", ";", ":")) or (at_words and folded.rpartition(" ")[2] in UNFINISHED_BY)


def _in_brackets(before: str) -> bool:
    return ("(" in before and before.rfind("(") > before.rfind(")")) or (
        "[" in before and before.rfind("[") > before.rfind("]")
    )


def _in_speech(before: str, after: str) -> bool:
    """Whether the clause came into a quotation which only a part of the text stands in.

    In a hypothesis this claims that more was said. In a premise it does no harm: what was said is still said.
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
    return any(match.start() > 0 for match in _SINGLE.finditer(before))
