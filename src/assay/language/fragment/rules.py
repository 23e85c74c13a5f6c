"""The rules of the fragment: which phrase is made of what, with the labels of the Penn Treebank.

A line is a rule's name, the phrase that it makes, and its parts. A suffix after a slash distinguishes phrases.
A part in lower case, or after a colon, names words by what they can do; `IN'in'` is this exact word with its tag.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

TABLE = """
clause       S/top         NP VP .
subordinate  S/top         SBAR/sub , S .
coordinate   S/top         S , CC'and' S .
coordinate   S/top         S , CC'or' S .
adverb       S/top         ADVP/sentence S .
adverb       S/top         PP/sentence S .
closed       S/top         SBAR/closed NP VP .

clause       S             NP VP

when         SBAR/sub      IN:clause S
whether      SBAR/sub      IN'whether' CC'or' RB'not' S
case         SBAR/sub      PP/case S
phrase       PP/case       IN'in' NP/case
phrase       NP/case       NN'case'
when         SBAR/closed   IN:clause S/closed
clause       S/closed      NP VP/closed
alone        VP/closed     VBD:alone

sure         ADVP/sentence RB:sentence
doubt        PP/sentence   IN'without' NP/doubt
phrase       NP/doubt      DT'a' NN'doubt'
course       PP/sentence   IN'of' NP/course
phrase       NP/course     NN'course'

the          NP            DT'the' noun
some         NP            plural
some         NP            JJ plural
both         NP            NP/the CC'and' NP/the
near         NP            NP/the PP/near
near         NP            NP/the ADVP/near
relative     NP            NP/the SBAR/relative
reduced      NP            NP/the VP/reduced
the          NP/the        DT'the' noun

place        PP/near       IN:place NP/the
front        PP/near       IN'in' NP/front
phrase       NP/front      NP/word PP/of
phrase       NP/word       NN'front'
phrase       PP/of         IN'of' NP/of
phrase       NP/of         NP/the
next         ADVP/near     JJ'next' PP/to
phrase       PP/to         TO'to' NP/the
in           PP/in         IN'in' NP/the

relative     SBAR/relative WHNP S/subject
relative     SBAR/relative WHNP S/object
phrase       WHNP          relative
subject      S/subject     VP
object       S/object      NP/the VP/gap
gap          VP/gap        VBD:object
participle   VP/reduced    VBN:place PP/in

alone        VP            VBD:alone
object       VP            VBD:object NP
place        VP            VBD:place PP/in
that         VP            VBD:clause SBAR/bare
that         VP            VBD:that SBAR/that
passive      VP            VBD'was' VP/passive
passive      VP            VBD'were' VP/passive
by           VP/passive    VBN:passive PP/by
phrase       PP/by         IN'by' NP/the
phrase       SBAR/bare     S
phrase       SBAR/that     IN'that' S
"""

TOP = "S/top"


class Part(NamedTuple):
    """One part of a rule."""

    symbol: str
    """A phrase, or the role of a word."""
    needs: str
    """What a word must be able to do: `'in'` means to be this exact word. Empty for a phrase."""


class Rule(NamedTuple):
    """How one kind of phrase can be made."""

    name: str
    """Its name in the code for meanings."""
    label: str
    """The label in the tree."""
    parts: tuple[Part, ...]
    """What it is made of, in order."""
    first: frozenset[str]
    """What its first word can be."""


def _rules() -> Mapping[str, tuple[Rule, ...]]:
    lines = [line.split() for line in TABLE.splitlines() if line]
    made_of: defaultdict[str, list[str]] = defaultdict(list)
    for _, made, first, *_ in lines:
        made_of[made].append(first)

    def part(text: str) -> Part:
        symbol, quote, word = text.partition("'")
        return Part(text, "") if text in made_of else Part(symbol, quote + word or _quoted(text))

    def first_words(text: str) -> frozenset[str]:
        if text not in made_of:
            return frozenset([part(text).needs])
        return frozenset().union(*map(first_words, made_of[text]))

    found: defaultdict[str, list[Rule]] = defaultdict(list)
    for name, made, *parts in lines:
        rule = Rule(name, made.partition("/")[0], tuple(map(part, parts)), first_words(parts[0]))
        found[made].append(rule)
    return {made: tuple(rules) for made, rules in found.items()}


def _quoted(text: str) -> str:
    return f"'{text}'" if text in (".", ",") else text


RULES = _rules()
"""Rules by the phrase that they make."""

AGREEMENT = {"was": "singular", "were": "plural"}
"""The number of the subject that a word in a rule needs."""

LITERALS = frozenset(
    part.needs.strip("'")
    for rules in RULES.values()
    for rule in rules
    for part in rule.parts
    if part.needs.startswith("'")
)
"""Words that rules name."""
