"""Reading: from the words of a sentence to its meaning, for every reading.

Words come as codes: a letter for the class, a number, and a letter for the form. `p0m` is the first noun of a person,
in the plural. The chart parser finds the trees, by the rules in `grammar_rules.txt`. Nothing here knows a template or a
polarity.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from assay.language.fragment.chart_parser import (
    FragmentToken,
    Leaf,
    PhraseNode,
    leaves,
    literals_of,
    parse_fragment,
    read_rules,
)
from assay.stress.formulas import Every, Not, Some, if_then
from assay.stress.logic.proof.statements import (
    NUMBERS,
    DoesTo,
    Has,
    Property,
    Quantified,
    ScaleStatement,
    Senses,
    Statement,
    TextMeaning,
    attribute,
)

RULES = read_rules(__file__)

SINGULAR = ("every", "not every", "no", "some")
PLURAL = ("all", "not all", "some", "no", "most", "few")
PARTITIVE = ("all", "not all", "some", "most", "few", "none")
"""Determiners before "of the"."""
COUNTING = ("at least", "at most", "exactly", "more than", "fewer than", "")
SHORT = {"isn't": ("is", "not"), "didn't": ("did", "not")}
ANYBODY: Property = Every(())
SIGNS = {"+": ">", "-": "<"}
_CODE = re.compile(r"([a-z]\d+)(\W|[a-z]|)")


def _find_determiners() -> dict[str, tuple[frozenset[str], str, int]]:
    """For each determiner as written: where it can be used, its name and its number."""
    roles = {"det:s": SINGULAR, "det:m": PLURAL, "det:of": PARTITIVE}
    found = {
        word: (frozenset(role for role, words in roles.items() if word in words), word, 0)
        for words in roles.values()
        for word in words
    }
    for start in COUNTING:
        for word, number in NUMBERS.items():
            form = "det:s" if number == 1 else "det:m"
            found[f"{start} {word}".strip()] = (frozenset((form, "det:of")), f"{start} N".strip(), number)
    return found


DETERMINERS = _find_determiners()
LITERALS = literals_of(RULES) | {word for each in DETERMINERS for word in each.split()} | {*SHORT, "."}
"""Words that are what they are; all others must be in the lexicon."""


def read_text(codes: Sequence[str], senses: Senses) -> list[TextMeaning]:
    """All readings of one or more sentences, each ended by a full stop; empty if one of them can't be read.

    Words that can be taken in several ways are taken in one sense.
    """
    sentences: list[list[str]] = [[]]
    for code in (full for each in codes for full in SHORT.get(each, (each,))):
        if code == ".":
            sentences.append([])
        else:
            sentences[-1].append(code)
    if sentences.pop():
        return []
    # Senses of amounts make no difference to how a sentence is read.
    senses = senses._replace(plural=1, few=2, number_is_exact=False, there_are=False)
    readings = [TextMeaning((), ())]
    for sentence in sentences:
        readings = [
            TextMeaning((*before.asserted, *more.asserted), (*before.presupposed, *more.presupposed))
            for before in readings
            for more in _read_sentence(tuple(sentence), senses)
        ]
    return readings


@lru_cache(maxsize=10_000)  # the forms of a template share their sentences
def _read_sentence(codes: tuple[str, ...], senses: Senses) -> list[TextMeaning]:
    trees = parse_fragment(_make_tokens(codes), RULES, "T")
    return list(dict.fromkeys(_SentenceReader(senses).read(tree) for tree in trees))


def _make_tokens(codes: Sequence[str]) -> list[FragmentToken]:
    """The words of a sentence with their roles; a determiner is one token."""
    tokens: list[FragmentToken] = []
    at = 0
    while at < len(codes):
        sizes = (size for size in (3, 2, 1) if " ".join(codes[at : at + size]) in DETERMINERS)
        size = next(sizes, 1)
        text = " ".join(codes[at : at + size])
        roles = {f"'{text}'"}
        if text in DETERMINERS:
            roles |= DETERMINERS[text][0]
        elif code := _CODE.fullmatch(text):
            text, roles = code[1], {code[1][0] + code[2]}
        tokens.append(FragmentToken(text, frozenset(roles)))
        at += size
    return tokens


class _SentenceReader:
    """Computes the meaning of a sentence's tree, rule by rule."""

    def __init__(self, senses: Senses) -> None:
        self._senses = senses
        self._presupposed: dict[str, Statement] = {}

    def read(self, tree: PhraseNode) -> TextMeaning:
        asserted = self._read_statement(tree)
        return TextMeaning((asserted,), tuple(self._presupposed.values()))

    def _read_statement(self, tree: PhraseNode) -> Statement:
        parts, words, codes = tree.phrases(), tree.words(), _codes_of(tree)
        match tree.rule:
            case "both":
                return _join_all([*map(self._read_statement, parts)])
            case "if" | "only":
                return if_then(*map(self._read_statement, parts))
            case "when":
                return if_then(*map(self._read_statement, reversed(parts)))
            case "except":
                return self._join_unless(*map(self._read_statement, parts))
            case "unless":
                return self._join_unless(*map(self._read_statement, reversed(parts)))
            case "deny":
                return Not(self._read_statement(parts[0]))
            case "there":
                return Quantified("no", 0, self._read_property(parts[0]), self._read_property(parts[1]), False)
            case "compare":
                first, scale, second = codes
                sign = next(leaf.symbol[1] for leaf in leaves(tree) if leaf.token.text == scale)
                statement = ScaleStatement(scale, SIGNS[sign], first, second)
                return Not(statement) if "not" in words else statement
            case "equal":
                first, scale, second = codes
                equal = "=" if self._senses.as_is_equal else ">="
                return ScaleStatement(scale, "<" if "not" in words else equal, first, second)
            case _:
                return self._read_subject(parts[0])(self._read_property(parts[1]))

    def _join_unless(self, main: Statement, exception: Statement) -> Statement:
        """The first holds if the second does not, and in one sense only then."""
        either: Statement = Some((main, exception))
        return Every((either, Not(Every((main, exception))))) if self._senses.unless_is_only else either

    def _read_subject(self, tree: PhraseNode) -> Callable[[Property], Statement]:
        """A function from a property to the statement that the subject has it."""
        words = tree.words()
        names = [leaf.token.text for leaf in leaves(tree) if leaf.symbol == "n"]
        match tree.rule:
            case "each":
                return lambda what: _join_all([attribute(what, name) for name in names])
            case "any" | "either" | "neither":
                return lambda what: self._join_names(names, what, tree.rule)
            case "the":
                who, noun = " ".join(leaf.token.text for leaf in leaves(tree)), self._read_property(tree.phrases()[0])
                self._presupposed.setdefault(who, attribute(noun, who))
                return lambda what: attribute(what, who)
            case "body":
                determiner = {"nobody": "no", "everybody": "every", "somebody": "some"}[words[0]]
                return lambda what: Quantified(determiner, 0, ANYBODY, what, False)
            case _:
                _, determiner, number = DETERMINERS[words[0]]
                noun, name = self._read_property(tree.phrases()[0]), determiner.replace("none", "no")
                return lambda what: Quantified(name, number, noun, what, tree.rule == "of")

    def _join_names(self, names: Sequence[str], what: Property, rule: str) -> Statement:
        each = tuple(attribute(what, name) for name in names)
        if rule == "either" and self._senses.either_is_one:
            return Every((Some(each), Not(Every(each))))
        return Not(Some(each)) if rule == "neither" else Some(each)

    def _read_property(self, tree: PhraseNode) -> Property:
        codes = _codes_of(tree)
        parts = tuple(self._read_property(part) for part in tree.phrases() if part.label not in ("W", "O"))
        match tree.rule:
            case "both":
                places = [Has(("at", *_codes_of(part))) for part in tree.phrases() if part.label == "W"]
                return _join_all([*(Has((code,)) for code in codes), *places, *parts])
            case "or":
                return Some(parts)
            case "not":
                return Not(_join_all([*(Has((code,)) for code in codes), *parts]))
            case "without":
                return Every((parts[0], Not(parts[1])))
            case "place":
                return Every((Has((codes[0],)), Has((codes[0], *_codes_of(tree.phrases()[0])))))
            case _:
                things = [node for node in _walk(tree) if node.rule == "thing"]
                done = tuple(DoesTo(codes[0], frozenset(_codes_of(thing))) for thing in things)
                return Some(done) if tree.phrases()[0].rule == "or" else _join_all(done)


def _join_all(parts: Sequence[Statement]) -> Statement:
    return parts[0] if len(parts) == 1 else Every(tuple(parts))


def _codes_of(tree: PhraseNode) -> list[str]:
    """The codes of the lexicon words directly below a phrase."""
    return [leaf.token.text for leaf in tree.children if isinstance(leaf, Leaf) and _CODE.fullmatch(leaf.token.text)]


def _walk(tree: PhraseNode) -> list[PhraseNode]:
    return [tree, *(node for part in tree.phrases() for node in _walk(part))]
