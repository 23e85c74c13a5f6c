"""Word overlap, negation and length mismatch (Naik et al. 2018): a clause that is always true is added."""

import re
from functools import cache
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.pair import Pair
from assay.core.protocols import Check, Fidelity
from assay.language.text.clauses import find_obstacle, trails_off
from assay.language.text.tokens import tokens
from assay.stress.fidelity import set_switches
from assay.stress.tautology.check import TautologyCheck

_STOPS = ".!?\u2026"
_CLOSERS = "\"'\u201d\u2019)]"
_ABBREVIATION = re.compile(r"(?:\W*(?:\w\.){2,}|.*\b(?:[Ee]tc|Inc|Ltd|Jr|Sr)\.)")
_SHORTENED = ("etc.", "Etc.", "Inc.", "Ltd.", "Jr.", "Sr.")
_ENDED = re.compile(rf"[{_STOPS}][{re.escape(_CLOSERS)}\s]*$")
_LETTER = re.compile(r"[^\W\d_]")
_FIRST_STOP = re.compile(r"[.!?]")
_STOP_TOKEN = re.compile(r"[.!?][\s)]")

TAIL = 40
"""The number of final characters searched for abbreviations: a pathological text must not take quadratic time."""


class TautologySwitches(NamedTuple):
    """The switches that depend on the fidelity, with their final values."""

    first_stop: bool = False
    final_stop: bool = True
    blank_after: bool = False
    parses: bool = False
    own_sentence: bool = False


STRICT = TautologySwitches(own_sentence=True)
CODE = TautologySwitches(first_stop=True, blank_after=True, parses=True)


class Tautology(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """Adds `tautology` to one text of the pair, `times` times; the label stays."""

    tautology: str
    """The clause; "and" is put before it if it has none."""
    times: int = 1
    """The number of times that it is added."""
    fidelity: Fidelity = "strict"
    """The rules to follow: ours, the paper's, or those of the released code."""
    first_stop: bool | None = None
    """Put the clause before the first `.`, `!` or `?` of the text, even in "3.5", and drop everything after it."""
    final_stop: bool | None = None
    """Keep the punctuation that ends the text."""
    blank_after: bool | None = None
    """Add a blank after the clause, so that the final stop is separate."""
    parses: bool | None = None
    """Use the pair's own tree, if it has one, to decide whether there is a stop; only matters with `first_stop`."""
    own_sentence: bool | None = None
    """If the clause can't be joined, for instance to a question, add it as a separate sentence."""

    family: ClassVar[str]
    check: ClassVar[type[Check]] = TautologyCheck
    side: ClassVar[Side] = "hypothesis"
    strength: ClassVar[str] = "times"
    english: ClassVar[bool] = True
    """Strict mode skips what is plainly not English, although no resource is used."""
    quirks: ClassVar[dict[Fidelity, TautologySwitches]] = {"strict": STRICT, "paper": TautologySwitches(), "code": CODE}

    def __post_init__(self) -> None:
        if not self.tautology.strip():
            raise ValueError("the tautology is empty")

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:  # noqa: ARG002 - nothing to decide
        text = pair.hypothesis if self.side == "hypothesis" else pair.premise
        if self.fidelity == "strict" and not _LETTER.search(text):
            return Skip(f"no word in the {self.side}")
        if not self.times:
            return [Edit()]
        quirks = quirks_of(self)
        clauses = clauses_of(self)
        facts: dict[str, str] = {}
        if quirks.first_stop:
            tree = self._tree_of(pair) if quirks.parses else None
            facts["tokens"] = "ours" if tree is None else "the pair's parse"
            change = _cut_at_stop(text, tree, clauses)
        else:
            change = self._add_clauses(text, quirks, clauses)
        if self.side == "hypothesis":
            return [Edit(hypothesis=(change,), facts=facts)]
        return [Edit(premise=(change,), facts=facts)]

    def _add_clauses(self, text: str, quirks: TautologySwitches, clauses: str) -> Replacement:
        """The clauses joined to the text, or as a sentence after it."""
        end = clause_end(text)
        obstacle = find_obstacle(text, end) if quirks.own_sentence else ""
        if obstacle not in ("", "unfinished") or (quirks.own_sentence and self.side == "premise" and trails_off(text)):
            ended = text.rstrip()
            stop = "" if _ENDED.search(ended) else "?" if obstacle == "question" else "."
            return Replacement(len(ended), "", f"{stop} {clauses[1:2].upper()}{clauses[2:]}.")
        return Replacement(end, "" if quirks.final_stop else text[end:], clauses)

    def _tree_of(self, pair: Pair) -> str | None:
        if pair.parses is None:
            return None
        return pair.parses.hypothesis_binary if self.side == "hypothesis" else pair.parses.premise_binary


@cache
def quirks_of(tautology: Tautology) -> TautologySwitches:
    """The switches that follow the fidelity, set once per family."""
    return set_switches(tautology, tautology.quirks)


@cache
def clauses_of(tautology: Tautology) -> str:
    """The text that is added; a clause without its conjunction gets one."""
    clause = tautology.tautology.strip()
    joined = clause if clause.lower().startswith("and ") else f"and {clause}"
    return f" {joined}" * tautology.times + (" " if quirks_of(tautology).blank_after else "")


def clause_end(text: str) -> int:
    """The offset for a clause: before the final punctuation, and before the blank that tokenised text puts there.

    >>> texts = ("It rains.", "It rains .", 'He said "no."', "It rains (today)", "in the U.S.", "No end")
    >>> [text[: clause_end(text)] for text in texts]
    ['It rains', 'It rains', 'He said "no', 'It rains (today)', 'in the U.S.', 'No end']
    """
    text = text.rstrip()
    if text.endswith("."):
        last = text[-TAIL:].rpartition(" ")[2]
        if (last.count(".") > 1 or last.endswith(_SHORTENED)) and _ABBREVIATION.fullmatch(last):
            return len(text)
        if last[-2:-1].isalnum():  # as nearly always
            return len(text) - 1
    inside = text.rstrip(_CLOSERS).rstrip()
    return len((inside if inside.endswith(tuple(_STOPS)) else text).rstrip(_STOPS).rstrip())


def _cut_at_stop(text: str, tree: str | None, clauses: str) -> Replacement:
    """As in the released code: the tree says whether there is a stop, and the text where the first one is."""
    if tree is None:
        tree = " ".join(token.text for token in tokens(text)) + " )"
    stop = _FIRST_STOP.search(text) if _STOP_TOKEN.search(tree) else None
    if stop is None:
        return Replacement(len(text), "", clauses)
    return Replacement(stop.start(), text[stop.start() :], clauses + stop.group())


class WordOverlap(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds words that the premise lacks to the hypothesis; it misleads models that count shared words.

    >>> from random import Random
    >>> from assay.core.label import Label
    >>> from assay.core.pair import Pair
    >>> pair = Pair(id="1", premise="It rains.", hypothesis="It is wet.", label=Label.ENTAILMENT)
    >>> WordOverlap()(pair, Random(0))[0].apply(pair)[1], LengthMismatch(times=2)(pair, Random(0))[0].apply(pair)[0]
    ('It is wet and true is true.', 'It rains and true is true and true is true.')
    """

    tautology: str = "and true is true"

    family: ClassVar[str] = "word-overlap"


class Negation(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds a clause with "not" to the hypothesis; it misleads models that take "not" for contradiction."""

    tautology: str = "and false is not true"

    family: ClassVar[str] = "negation"


AT_THE_VERY_END = TautologySwitches(final_stop=False)
"""The paper's example; the released script has no version for premises."""


class LengthMismatch(Tautology, frozen=True, kw_only=True, cache_hash=True):
    """Adds a tautology to the premise five times; it misleads models that get lost in long premises."""

    tautology: str = "and true is true"
    times: int = 5

    family: ClassVar[str] = "length-mismatch"
    side: ClassVar[Side] = "premise"
    quirks: ClassVar[dict[Fidelity, TautologySwitches]] = {
        "strict": STRICT,
        "paper": AT_THE_VERY_END,
        "code": AT_THE_VERY_END,
    }
