"""The polarity of each word of a sentence by a parse: the meaning of each operator, and the part it is joined to.

The check uses it. It shares no table and no rule with the judgement of the builder (`language/polarity`). Polarities of
determiners are not listed: they follow from what determiners mean (`proof/statements`).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Literal, NamedTuple

from assay.language.numbers.number_words import COUNTING
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.trees.binary_trees import spans
from assay.language.trees.shift_reduce import load_parser
from assay.stress.logic.proof.statements import DETERMINERS, Senses

WORDS = load_words(__file__)

Judged = Literal["up", "down", "none", "unsure"]
Span = tuple[int, int]
N = 3
"""The number by which determiners with a number are tried; any other gives the same polarities."""

SENSES = Senses(few=3)
"""The senses of determiners in real sentences: "few" is less than a third."""
LONGEST = 4


class Operator(NamedTuple):
    """One or more words that affect the polarity of the part they are joined to."""

    start: int
    after: int
    effect: Judged
    """The effect on the part that the words are joined to."""
    rest: Judged | None = None
    """The effect of a determiner on the rest of its clause."""
    known: bool = False
    """True if the words introduce a presupposition, such as "the"."""


class ParsedReach(NamedTuple):
    """A range of words, and the effect of an operator on their polarity."""

    start: int
    end: int
    effect: Judged
    known: bool = False


def parsed_marks(words: Sequence[str]) -> list[Judged]:
    """The polarity of each word of a sentence.

    >>> parsed_marks("No man is playing a guitar .".split())[1], parsed_marks("A man is not here .".split())[1]
    ('down', 'up')
    """
    operators = _operators_of(words)
    if not operators:
        return ["up"] * len(words)  # whatever the parse
    parts = sorted(_parse_parts(words), key=lambda span: span[1] - span[0])
    reaches = [reach for each in operators for reach in _find_reaches(each, parts)]
    return [_judge([each for each in reaches if each.start <= i < each.end]) for i in range(len(words))]


def parsed_mark(words: Sequence[str], i: int) -> Judged:
    """The polarity of one word; parses only if the result may depend on it.

    A single operator that turns all the rest of its clause reaches whatever follows it in a sentence of one clause, as
    long as nothing that is already known comes between them.

    >>> parsed_mark("No man is playing a guitar .".split(), 5)
    'down'
    """
    low = [word.lower() for word in words]
    operators = _operators_of(words)
    turning = [each for each in operators if not each.known]
    if len(turning) == 1 and WORDS["clauses"].isdisjoint(low):
        only = turning[0]
        between = any(each.known and only.start < each.start < i for each in operators)
        turns_all = only.effect == "down" and (only.rest == "down" or low[only.start] == "not")
        if turns_all and only.after <= i and not between and (only.start == 0 or low[only.start] == "not"):
            return "down"
    return parsed_marks(words)[i]


def _operators_of(words: Sequence[str]) -> list[Operator]:
    """The operators of a sentence; empty if they leave everything upward."""
    operators = list(_find_operators([word.lower() for word in words]))
    turning = [each for each in operators if each.effect != "up" or each.rest not in (None, "up")]
    return [each for each in operators if each in turning or each.known] if turning else []


def _parse_parts(words: Sequence[str]) -> list[Span]:
    """The parts of a sentence."""
    return list(spans(load_parser().parse([words])[0]))


def joined_parts(words: Sequence[str], joiner: int, end: int) -> bool:
    """True if the parse joins the words from a joining word up to `end` to an earlier part.

    >>> joined_parts("A man sits and reads a book .".split(), 3, 7)
    True
    """
    parts = _parse_parts(words)
    after = end == joiner + 2 or any(start in (joiner, joiner + 1) and stop == end for start, stop in parts)
    return after and any(start < joiner and stop in (end, end + 1) for start, stop in parts)


def _judge(reaches: Sequence[ParsedReach]) -> Judged:
    effects = [each.effect for each in reaches]
    turned = effects.count("down")
    if "unsure" in effects or (turned and any(each.known for each in reaches)):
        return "unsure"
    if "none" in effects:
        return "none"
    return "down" if turned % 2 else "up"


def _find_operators(low: Sequence[str]) -> Iterator[Operator]:
    i = 0
    while i < len(low):
        size = 1
        for size in range(min(LONGEST, len(low) - i), 0, -1):
            operator = _operator_at(low, i, size)
            if operator:
                yield operator
                break
        i += size


def _operator_at(low: Sequence[str], i: int, size: int) -> Operator | None:
    words = list(low[i : i + size])
    after = i + size
    if words[-1] in COUNTING or words[-1].isdigit() or (size > 1 and words[-1] == "half"):
        words[-1] = "N"
    name = " ".join(words)
    if name in DETERMINERS:
        return Operator(i, after, *determiner_polarities(name))
    if name in WORDS["nobody"] or name in WORDS["denies"] or (size == 1 and _is_form(name, WORDS["denying_verbs"])):
        return Operator(i, after, "down")
    if name in WORDS["open"] or (size == 1 and _is_form(name, WORDS["open_verbs"])):
        return Operator(i, after, "unsure")
    return Operator(i, after, "up", known=True) if name in WORDS["known"] else None


def _find_reaches(operator: Operator, parts: Sequence[Span]) -> Iterator[ParsedReach]:
    start, after, effect, rest, known = operator
    end = _end_of_part(parts, start, after)
    yield ParsedReach(after, end, effect, known)
    if rest is not None:
        yield ParsedReach(end, _end_of_part(parts, start, end), rest)


def _end_of_part(parts: Sequence[Span], i: int, after: int) -> int:
    """The end of the smallest part that contains word `i` and extends beyond `after`; `after` if there is none."""
    return next((end for start, end in parts if start <= i and end > after), after)


@cache
def _is_form(word: str, lemmas: frozenset[str]) -> bool:
    return not lemmas.isdisjoint(wordnet().morphy(word, "v"))


@cache
def determiner_polarities(name: str) -> tuple[Judged, Judged]:
    """The polarities of a determiner's noun and of the rest of the clause, from its meaning.

    >>> determiner_polarities("every"), determiner_polarities("most"), determiner_polarities("at most N")
    (('down', 'up'), ('none', 'up'), ('down', 'down'))
    """

    def holds(both: int, every: int) -> bool:
        return bool(DETERMINERS[name](both, every, N, SENSES))

    more_nouns, more_rest = [], []
    for every, both in product(range(2 * N + 5), repeat=2):
        if both > every:
            continue
        now = holds(both, every)
        if both < every:
            more_rest.append((now, holds(both + 1, every)))
        more_nouns += [(now, holds(both, every + 1)), (now, holds(both + 1, every + 1))]
    return _polarity_of(more_nouns), _polarity_of(more_rest)


def _polarity_of(steps: Sequence[tuple[bool, bool]]) -> Judged:
    """The polarity of a position, from whether truth is preserved by more, or by less."""
    if all(later for now, later in steps if now):
        return "up"
    return "down" if all(now for now, later in steps if later) else "none"
