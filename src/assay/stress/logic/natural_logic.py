"""Natural logic: the label that a change, a conditional, a chain of comparatives or two determiners imply."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from assay.core.label import Label
from assay.stress.logic.logic_lexicon import EntryError
from assay.stress.logic.operators import (
    FoundDeterminer,
    Operators,
    Polarity,
    compose_polarity,
    count_bounds,
    load_operators,
    unknown_word_error,
)
from assay.stress.logic.sentence_patterns import Braced, Piece, WordSlot, find_slots, only_sentence, split_sentences

CHANGE = "{"


def polarity_of(pattern: Braced, table: Operators | None = None) -> Polarity:
    """The polarity of the position in braces.

    >>> from assay.stress.logic.sentence_patterns import parse_braces
    >>> polarity_of(parse_braces("every <{PERSON}> ACT1")), polarity_of(parse_braces("every <PERSON> DEED {THING}"))
    ('down', 'up')
    >>> polarity_of(parse_braces("[NAME1 did not ACT1.base] , and NAME2 DEED {THING}"))
    'up'
    """
    table = table or load_operators()
    parts = (*pattern.before, CHANGE, *pattern.after)
    scopes: list[Polarity] = ["up"]
    waiting: list[tuple[Polarity, Polarity]] = []  # what is in brackets next, and what comes after
    after: list[Polarity | None] = []
    at = 0
    while at < len(parts):
        part = parts[at]
        if part == CHANGE:
            return scopes[-1]
        if part in ("[", "<"):
            inside: Polarity = "up"
            rest: Polarity | None = None
            if waiting:
                inside, rest = waiting.pop()
            if part == "<" and rest is None:
                raise unknown_word_error(str(parts[at - 1]) if at else part, table)
            scopes.append(compose_polarity(scopes[-1], inside))
            after.append(rest)
        elif part in ("]", ">"):
            scopes.pop()
            rest = after.pop()
            if rest is not None:
                scopes[-1] = compose_polarity(scopes[-1], rest)
        else:
            at += _note_operator(parts, at, scopes, waiting, table)
            continue
        at += 1
    raise AssertionError("a pattern has a place that changes")


def _note_operator(
    parts: Sequence[Piece], at: int, scopes: list[Polarity], waiting: list[tuple[Polarity, Polarity]], table: Operators
) -> int:
    """Record the operator that begins here, if any, and return its number of words."""
    words = [str(part) for part in parts[at : at + 6]]
    operator = table.determiner(words)
    if operator:
        rest = words[operator.words :]
        if rest[:1] == ["<"] or rest[:3] == ["of", "the", "<"]:
            waiting.append((operator.determiner.restrictor, operator.determiner.scope))
            return len(words) - len(rest) + 2 * (rest[:1] == ["of"])
    for size in (5, 2, 1):
        text = " ".join(words[:size])
        if text in table.negations:
            scopes[-1] = compose_polarity(scopes[-1], table.negations[text])
            return size
        if text in table.pronouns:
            scopes[-1] = compose_polarity(scopes[-1], table.pronouns[text])
            return size
        if text in table.subordinators and words[size : size + 1] == ["["]:
            does = table.subordinators[text]
            waiting.append((does.clause, does.main))
            return size
    return 1


def label_change(weaker: bool | None, *, denied: bool, also_denied: bool) -> Label:
    """The label of two texts that differ in one change; each may be denied.

    `weaker` says whether the second text says less than the first when neither is denied; None if neither says less.
    A text entails those that say less, and contradicts their denials; of denials, the one that denies less says more.

    >>> [label_change(True, denied=each, also_denied=each).value for each in (False, True)]
    ['entailment', 'neutral']
    """
    if weaker is None or weaker == denied:
        return Label.NEUTRAL
    return Label.ENTAILMENT if denied == also_denied else Label.CONTRADICTION


def is_more_specific(pattern: Braced) -> bool:
    """True if the first text says more than the second, before polarity is considered.

    >>> from assay.stress.logic.sentence_patterns import parse_braces
    >>> [is_more_specific(parse_braces(f"NAME1 {{{both} | ACT1}}")) for both in ("ACT1 and ACT2", "ACT1 or ACT2")]
    [True, False]
    """
    first, second = _normalise(pattern.first), _normalise(pattern.second)
    if len(first) == len(second) == 1 and {str(first[0]), str(second[0])} == _both_forms(first[0]):
        return first[0].form == ("specific",) if isinstance(first[0], WordSlot) else False
    for longer, shorter, yes in ((first, second, True), (second, first, False)):
        if _has_more(longer, shorter):
            return yes is ("or" not in longer)
    raise EntryError(
        f"the relation of {_text_of(pattern.first)!r} and {_text_of(pattern.second)!r} is not known",
        entry=_text_of(pattern.first),
        hint="One of the two must be the other with something added: a conjunct, an adjective, a place.",
    )


def _both_forms(piece: Piece) -> set[str]:
    if not isinstance(piece, WordSlot):
        return set()
    return {str(piece._replace(form=(form,))) for form in ("specific", "general")}


def _normalise(parts: Sequence[Piece]) -> list[Piece]:
    """The parts without words that add nothing, and with the article as a word."""
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, WordSlot) and part.kind == "THING" and not part.form:
            pieces += ["a", part._replace(form=("noun",))]
        elif part not in ("either", "both"):
            pieces.append(part)
    return pieces


def _has_more(longer: Sequence[Piece], shorter: Sequence[Piece]) -> bool:
    """True if the longer text is the shorter one with one contiguous addition."""
    more = len(longer) - len(shorter)
    return more > 0 and any(
        [*longer[:start], *longer[start + more :]] == [*shorter] for start in range(len(shorter) + 1)
    )


def _text_of(parts: Sequence[Piece]) -> str:
    return " ".join(map(str, parts))


class Literal(NamedTuple):
    """A simple clause, or its denial."""

    clause: tuple[str, ...]
    holds: bool

    @property
    def denied(self) -> "Literal":
        """The opposite."""
        return self._replace(holds=not self.holds)


class Implication(NamedTuple):
    """One clause leads to another."""

    condition: Literal
    result: Literal


WORDS = {"only if": (True, True), "if": (False, True), "unless": (False, False)}
"""Between two clauses: whether the first is the condition, and whether the condition is taken as it is."""


def conditional_label(premise: Sequence[Piece], hypothesis: Sequence[Piece]) -> Label | None:
    """The label of a claim, given rules and facts; None if logic and usage differ.

    >>> from assay.stress.logic.sentence_patterns import parse_pattern
    >>> said = parse_pattern("if NAME1 is STATE1 , NAME2 is STATE2 . NAME2 is not STATE2")
    >>> conditional_label(said, parse_pattern("NAME1 is STATE1")).value
    'contradiction'
    """
    rules, facts = [], set()
    for each in map(_read_clause, ([*map(str, each)] for each in split_sentences(premise))):
        if isinstance(each, Implication):
            rules += [each, Implication(each.result.denied, each.condition.denied)]
        else:
            facts.add(each)
    claim = _read_clause([*map(str, only_sentence(hypothesis))])
    if isinstance(claim, Literal):
        known = _close_literals(facts, rules)
        if claim in known:
            return Label.ENTAILMENT
        return Label.CONTRADICTION if claim.denied in known else Label.NEUTRAL
    for condition, result in (claim, Implication(claim.result.denied, claim.condition.denied)):
        known = _close_literals(facts | {condition}, rules)
        if result in known:
            return Label.ENTAILMENT
        if result.denied in known:  # "if A, B" and "if A, not B" can both hold, but sound like a contradiction
            return None
    return Label.NEUTRAL


def _close_literals(facts: set[Literal], rules: Sequence[Implication]) -> set[Literal]:
    known = set(facts)
    while more := {rule.result for rule in rules if rule.condition in known} - known:
        known |= more
    return known


def _read_clause(words: Sequence[str]) -> Implication | Literal:
    if words[:1] in (["if"], ["unless"]):
        if "," not in words:
            raise EntryError(
                f"{' '.join(words)!r} has no comma after its condition",
                entry=" ".join(words),
                hint=f'Write "{words[0]} NAME1 is STATE1, NAME2 is STATE2", without "then".',
            )
        comma = words.index(",")
        condition, result = _read_literal(words[1:comma]), _read_literal(words[comma + 1 :])
        return Implication(condition if words[0] == "if" else condition.denied, result)
    for text, (first_is_condition, as_it_is) in WORDS.items():
        size = len(text.split())
        for at in range(len(words)):
            if " ".join(words[at : at + size]) == text:
                first, second = _read_literal(words[:at]), _read_literal(words[at + size :])
                condition, result = (first, second) if first_is_condition else (second, first)
                return Implication(condition if as_it_is else condition.denied, result)
    return _read_literal(words)


def _read_literal(words: Sequence[str]) -> Literal:
    if not words or words[0] in (",", "if", "unless"):
        raise EntryError(
            f"{' '.join(words)!r} is not a simple clause",
            entry=" ".join(words) or "if",
            hint='Write "if NAME1 is STATE1, NAME2 is STATE2", with simple clauses.',
        )
    sentence = " ".join(words).replace("isn't", "is not").split()
    return Literal(tuple(word for word in sentence if word != "not"), "not" not in sentence)


SIGNS = {("more", False): ">", ("less", False): "<", ("more", True): "<=", ("less", True): ">="}
"""The sign of a comparative, and of its denial."""

TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "=": "="}
"""The same the other way round."""

ALLOWS = {">": {">"}, "<": {"<"}, ">=": {">", "="}, "<=": {"<", "="}, "=": {"="}}
"""The ways in which two can be related."""


class Link(NamedTuple):
    """The relation of two individuals on a scale."""

    first: str
    signs: tuple[str, ...]
    """Its possible meanings; "as tall as" has two."""
    second: str


def order_label(premise: Sequence[Piece], hypothesis: Sequence[Piece]) -> Label | None:
    """The label of a claim about two members of a chain; None if readings differ.

    >>> from assay.stress.logic.sentence_patterns import parse_pattern
    >>> chain = parse_pattern("NAME1 is SCALE.more than NAME2 . NAME2 is not SCALE.less than NAME3")
    >>> order_label(chain, parse_pattern("NAME3 is SCALE.more than NAME1")).value
    'contradiction'
    """
    links, claim = [*map(_read_link, split_sentences(premise))], _read_link(only_sentence(hypothesis))
    labels = set()
    for equal in (0, -1):
        relations = [(each.first, each.signs[equal], each.second) for each in links]
        allowed = _relate_members(claim.first, claim.second, relations)
        claimed = ALLOWS[claim.signs[equal]]
        if allowed <= claimed:
            labels.add(Label.ENTAILMENT)
        else:
            labels.add(Label.NEUTRAL if allowed & claimed else Label.CONTRADICTION)
    return labels.pop() if len(labels) == 1 else None


def _read_link(parts: Sequence[Piece]) -> Link:
    if [slot.kind for slot in find_slots(parts)] != ["NAME", "SCALE", "NAME"]:
        sentence = " ".join(map(str, parts))
        raise EntryError(
            f"{sentence!r} does not compare two people",
            entry=sentence,
            hint='Write "NAME1 is SCALE.more than NAME2" or "NAME1 is not as SCALE.as as NAME2".',
        )
    first, scale, second = find_slots(parts)
    denied = not {"not", "isn't"}.isdisjoint(map(str, parts))
    if scale.form == ("as",):
        return Link(str(first), ("<",) if denied else (">=", "="), str(second))
    return Link(str(first), (SIGNS[scale.form[0], denied],), str(second))


def _relate_members(first: str, last: str, links: Sequence[tuple[str, str, str]]) -> set[str]:
    """Possible relations of two members, found by following the links between them."""
    paths = [(first, set("="))]
    relations = set("<=>")
    for _ in links:
        paths = [
            (there, _chain_signs(so_far, sign))
            for here, so_far in paths
            for start, said, end in links
            for there, sign in ((end, said), (start, TURNED[said]))
            if here == (start if there == end else end)
        ]
        for here, so_far in paths:
            if here == last:
                relations &= so_far
    return relations


def _chain_signs(so_far: set[str], sign: str) -> set[str]:
    """Combine two links: more and then more or equal is more; more and then less can be anything."""
    relations: set[str] = set()
    for one in so_far:
        for other in ALLOWS[sign]:
            relations |= {one} if other in ("=", one) else {other} if one == "=" else set("<=>")
    return relations


Range = tuple[float, float]


def quantity_label(
    premise: Sequence[Piece], hypothesis: Sequence[Piece], table: Operators | None = None
) -> Label | None:
    """The label of two sentences that differ in their determiner; None if readings have different labels.

    >>> from assay.stress.logic.sentence_patterns import parse_pattern
    >>> said = [parse_pattern(f"{each} of the <PERSONS> ACT1") for each in ("all", "some", "at least three")]
    >>> [quantity_label(said[0], each).value for each in said[1:]]
    ['entailment', 'neutral']
    """
    table = table or load_operators()
    sides = [[str(part) for part in each] for each in (premise, hypothesis)]
    first, second = (table.determiner(each) for each in sides)
    if first is None or second is None or sides[0][first.words :] != sides[1][second.words :]:
        return None
    readings = ((_find_readings(first, plural), _find_readings(second, plural)) for plural in (1, 2))
    labels = {_label_ranges(one, other) for ones, others in readings for one, other in product(ones, others)}
    return labels.pop() if len(labels) == 1 else None


def _find_readings(found: FoundDeterminer, plural: int) -> list[tuple[Range, Range]]:
    """The count and the share of a determiner, for each reading."""
    determiner = found.determiner
    shares = determiner.share * (len(determiner.count) // len(determiner.share))
    return [
        (count_bounds(count, found.number, plural=plural), share)
        for count, share in zip(determiner.count, shares, strict=True)
    ]


def _label_ranges(one: tuple[Range, Range], other: tuple[Range, Range]) -> Label:
    if any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True)):
        return Label.CONTRADICTION
    inside = all(b[0] <= a[0] and a[1] <= b[1] for a, b in zip(one, other, strict=True))
    return Label.ENTAILMENT if inside else Label.NEUTRAL
