"""The polarity of each word of a sentence by the words around it: the scope of each operator, by tags and punctuation.

Builders use it for sentences of a corpus. In templates, marks show what an operator reaches (`natural_logic`).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

import msgspec

from assay.language.polarity.phrase_bounds import FINITE, NOUNS, Sentence, sentence_of
from assay.language.resources.data import load_toml, load_words
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged

Effect = Literal["up", "down", "none", "unsure", "definite"]
"""The effect of a word on its reach; a definite noun phrase keeps the direction unless something turns it."""
Mark = Literal["up", "down", "none", "unsure"]
"""The polarity of a place: a more general word is entailed there, a more specific one, or neither."""

LONGEST = 4


class PolarityWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The polarity effects of words, by the kind of word."""

    determiners: dict[str, tuple[Effect, Effect]]
    """Effects on the noun that a determiner restricts, and on the rest of the clause."""
    pronouns: dict[str, Effect]
    adverbs: dict[str, Effect]
    """Effects on the rest of the verb phrase."""
    denying: dict[str, Effect]
    """Effects of denying verbs and adjectives, by lemma."""
    prepositions: dict[str, Effect]
    """Effects on the noun phrase that follows."""
    clauses: dict[str, Effect]
    times: dict[str, Effect]
    """Effects of conjunctions of time; a clause in the past tense is not affected."""
    factive: dict[str, Effect]
    """Effects of verbs and adjectives before "that", by lemma."""

    def determiner(self, low: Sequence[str], tags: Sequence[str], i: int) -> tuple[int, str] | None:
        """The longest determiner that begins at token `i`: its number of words, and its name in the table.

        >>> table = polarity_words()
        >>> table.determiner(["at", "most", "two", "dogs"], ["IN", "JJS", "CD", "NNS"], 0)
        (3, 'at most N')
        """
        for size in range(min(LONGEST, len(low) - i), 0, -1):
            words = list(low[i : i + size])
            if tags[i + size - 1] == "CD" or (size > 1 and words[-1] == "half"):
                words[-1] = "N"
            name = " ".join(words)
            if name in self.determiners:
                return size, name
        return None

    def at(self, kind: dict[str, Effect], low: Sequence[str], i: int) -> tuple[int, Effect] | None:
        """The longest entry of `kind` that begins at token `i`: its number of words, and its effect."""
        for size in range(min(LONGEST, len(low) - i), 0, -1):
            if effect := kind.get(" ".join(low[i : i + size])):
                return size, effect
        return None


MOST_TURNED = 2
"""People lose count of more negations."""


def join_marks(effects: Sequence[Effect]) -> Mark:
    """The polarity of a position in the scopes of several words.

    >>> join_marks([]), join_marks(["down", "down"]), join_marks(["definite"]), join_marks(["definite", "down"])
    ('up', 'up', 'up', 'unsure')
    """
    turned = effects.count("down")
    if "unsure" in effects or ("definite" in effects and turned) or turned > MOST_TURNED:
        return "unsure"
    if "none" in effects:
        return "none"
    return "down" if turned % 2 else "up"


@cache
def polarity_words() -> PolarityWords:
    """The table that comes with Assay."""
    return load_toml(__file__, "effects", PolarityWords)


WORDS = load_words(__file__)

EPISODIC = frozenset({"VBD", "VBG", "VBN"})
"""Tags of verbs that tell of something that happens or happened; others may speak in general."""

TOO = (("JJ", "TO"), ("VBN", "TO"), ("RB", "TO"))
"""Tags after "too" where it denies what follows."""
FALSE = WORDS["false"]
DEFINING = (("is", "a"), ("is", "an"))
DESCRIBING = (("WP",), ("WDT",), ("IN",), ("VBG",), ("VBN",))
"""Tags after a pronoun that show that it is modified."""
DESCRIBED = (("VBG",), ("VBN",), ("IN",), ("JJ",), ("RB",))
"""Tags after "not" where it belongs to the noun before it."""
BARE = NOUNS | {"JJ", "JJR", "VBG", "VBN"}


class SurfaceReach(NamedTuple):
    """A range of tokens, and the effect of an operator on their polarity."""

    start: int
    end: int
    effect: Effect


def surface_marks(tokens: Sequence[Tagged]) -> list[Mark]:
    """The polarity of each token of a sentence.

    >>> words = [("No", "DT"), ("dogs", "NNS"), ("bark", "VBP"), (".", ".")]
    >>> surface_marks([Tagged(text, 0, 0, tag, 0) for text, tag in words])
    ['up', 'down', 'down', 'up']
    """
    sentence, table = sentence_of(tokens), polarity_words()
    if not sentence.low or sentence.low[-1] == "?":
        return ["unsure"] * len(sentence.low)
    reaches = list(_find_reaches(sentence, table))
    marks = [join_marks([each.effect for each in reaches if each.start <= i < each.end]) for i in range(len(tokens))]
    for i in range(len(tokens)):
        if sentence.low[i] == "any":  # some under a negation, otherwise all
            end = sentence.of_end(sentence.phrase_end(i + 1))
            for k in range(i + 1, end):
                marks[k] = marks[k] if marks[i] in ("down", "none") else "unsure"
    return marks


def _find_reaches(sentence: Sentence, table: PolarityWords) -> Iterator[SurfaceReach]:
    yield from _generic_subjects(sentence)
    yield from _find_falsities(sentence)
    i = 0
    while i < len(sentence.low):
        operators = list(_operator_at(sentence, table, i))
        if operators:
            size, reaches = operators[0]
            yield from reaches
            i += size
        else:
            i += 1


def _find_falsities(sentence: Sentence) -> Iterator[SurfaceReach]:
    """Clauses that the sentence calls false: "it is a lie that dogs bark", "the claim that dogs bark is untrue"."""
    low, end = sentence.low, len(sentence.low)
    for k in range(end - 1):
        if low[k + 1] != "that":
            continue
        if low[k] in FALSE and {"it", "is"} <= {*low[max(0, k - 5) : k]}:
            yield SurfaceReach(k + 2, end, "down")
        elif low[k] in WORDS["stated"]:
            start, is_true = _verdict_on(low)
            if not is_true:
                yield SurfaceReach(k + 2, start, "unsure" if is_true is None else "down")


def _verdict_on(low: Sequence[str]) -> tuple[int, bool | None]:
    """Start of a final verdict such as "is untrue", and whether it says true; None without a verdict."""
    end = len(low) - (low[-1] in (".", "!"))
    if low[end - 1] not in FALSE | WORDS["true"]:
        return len(low), None
    start = end - 1
    start -= low[start - 1] in ("a", "the", "totally", "completely")
    denied = low[start - 1] in WORDS["negations"]
    start -= 1 + denied
    if low[start] not in ("is", "was", "'s"):
        return len(low), None
    return start, (low[end - 1] in WORDS["true"]) != denied


def _operator_at(sentence: Sentence, table: PolarityWords, i: int) -> Iterator[tuple[int, list[SurfaceReach]]]:
    """The operators that begin at token `i`, longest first: number of words, and scope."""
    operators: list[tuple[int, list[SurfaceReach]]] = []
    if entry := table.determiner(sentence.low, sentence.tags, i):
        size, name = entry
        reaches = list(_of_determiner(sentence, i, i + size, table.determiners[name]))
        if reaches and name != "any" and not _is_no_determiner(sentence, name, i):
            operators.append((size, reaches))
    for kind, reach in (
        (table.pronouns, _of_pronoun),
        (table.adverbs, _of_adverb),
        (table.prepositions, _of_preposition),
        (table.clauses, _of_clause),
        (table.times, _of_time),
    ):
        if word := table.at(kind, sentence.low, i):
            operators.append((word[0], list(reach(sentence, i, i + word[0], word[1]))))
    if sentence.low[i] == "too" and sentence.tags[i + 1 : i + 3] in TOO:  # "too tired to eat"
        operators.append((1, [SurfaceReach(i + 2, sentence.clause_end(i), "down")]))
    if sentence.tags[i] in ("WP", "WP$") and i and not sentence.is_relative(i):  # "knows who owns a dog"
        operators.append((1, [SurfaceReach(i + 1, len(sentence.low), "unsure")]))
    if effect := _denying_effect(sentence, table, i):
        operators.append((1, [SurfaceReach(i + 1, sentence.clause_end(i), effect)]))
    if sentence.low[i] in WORDS["ranking"] or sentence.tags[i] in ("JJS", "RBS"):
        operators.append((1, [SurfaceReach(i + 1, max(i + 1, sentence.phrase_end(i + 1)), "unsure")]))
    yield from sorted(operators, key=lambda each: -each[0])[:1]


def _is_no_determiner(sentence: Sentence, name: str, i: int) -> bool:
    """True if a word that looks like a determiner is not one: "both dogs and cats", "they are all dogs"."""
    before = sentence.low[i - 1] if i else ""
    return (
        (name == "both" and "and" in sentence.low[i : i + 8])
        or (name == "all" and before in WORDS["floating"])
        or (name == "most" and sentence.tags[i] == "RBS")
    )


def _of_determiner(sentence: Sentence, i: int, after: int, does: Sequence[Effect]) -> Iterator[SurfaceReach]:
    restrictor, scope = does
    if sentence.low[after : after + 1] == ("of",):
        after += 1
    head = sentence.phrase_end(after)
    if head == after:
        if scope == "down":  # "no use crying", "few if any": what is denied is not clear
            yield SurfaceReach(after, sentence.clause_end(i), "unsure")
        return
    head = sentence.of_end(head)
    verb = sentence.main_verb(head)
    no_verb_yet = verb >= 0 and not sentence.has_verb(sentence.clause_start(i), i)
    describes = i > 1 and sentence.tags[i - 1] == "IN" and sentence.tags[i - 2] in NOUNS
    if no_verb_yet and describes and scope == "down":  # "a man with no hat sits"
        yield SurfaceReach(after, head, restrictor)
        yield SurfaceReach(head, verb, "unsure")
        return
    if no_verb_yet and i and sentence.tags[i - 1] in ("IN", "TO"):  # "in every city, there is a park"
        comma = next((k for k in range(head, verb) if sentence.low[k] == ","), head)
        yield SurfaceReach(after, head, restrictor)
        yield SurfaceReach(head, comma, "unsure")
        yield SurfaceReach(comma, sentence.clause_end(verb), scope)
        return
    if no_verb_yet:
        if sentence.low[i] in ("a", "an") and sentence.low[verb : verb + 2] in DEFINING:
            restrictor = "unsure"  # "a whale is a mammal" speaks of all whales
        last = _first_of_joined(sentence, after, verb)
        yield SurfaceReach(after, head if restrictor == "definite" else last, restrictor)
        yield SurfaceReach(verb, sentence.clause_end(verb), scope)
        return
    end = sentence.clause_end(i)
    yield SurfaceReach(after, head, restrictor)
    follows = scope if restrictor in (scope, "definite") else "unsure"
    last = _first_of_joined(sentence, head, end)
    yield SurfaceReach(head, last, follows)
    if last < end and follows == "down":
        yield SurfaceReach(last, end, "unsure")  # "no grades and students with no homework"
    if scope == "down":  # "has no dog" denies the having, too
        start = _verb_before(sentence, i)
        yield SurfaceReach(start, i, "down")


def _first_of_joined(sentence: Sentence, start: int, end: int) -> int:
    """The position where a second noun phrase with its own determiner is joined; `end` if there is none."""
    own = polarity_words().determiners
    for k in range(start, end - 1):
        if sentence.low[k] in ("and", "or") and (sentence.low[k + 1] in own or "no" in sentence.low[k + 1 : end]):
            return k
    return end


def _verb_before(sentence: Sentence, i: int) -> int:
    """The verb that governs token `i`; `i` itself if its clause has none."""
    for k in range(i - 1, sentence.clause_start(i) - 1, -1):
        if sentence.tags[k].startswith("V"):
            return k
        if sentence.tags[k] in NOUNS:
            break
    return i


def _of_pronoun(sentence: Sentence, i: int, after: int, effect: Effect) -> Iterator[SurfaceReach]:
    if sentence.low[after : after + 1] == ("of",):
        return
    verb = sentence.main_verb(after)
    described = sentence.tags[after : after + 1] in DESCRIBING
    if verb > after and described and not sentence.has_verb(sentence.clause_start(i), i):  # "everyone who owns a dog"
        some = sentence.low[i].startswith("some")
        yield SurfaceReach(after, verb, effect if some or effect == "unsure" else "down")
        after = verb
    yield SurfaceReach(after, sentence.clause_end(max(i, after)), effect)


def _of_adverb(sentence: Sentence, i: int, after: int, effect: Effect) -> Iterator[SurfaceReach]:
    end = sentence.clause_end(i)
    before = sentence.tags[i - 1] if i else ","
    described = DESCRIBED if sentence.low[i] == "not" else DESCRIBED[:2]
    if sentence.tags[after : after + 1] in described and before in NOUNS | {","}:
        end = _participle_end(sentence, after, end)  # "a man not wearing a hat sits on a bench"
    end = next((k for k in range(after, end) if sentence.low[k] == "but"), end)  # "not tea but coffee"
    end = next((k for k in range(after, end) if _is_factive(sentence, k)), end)  # "not proud that he fell"
    yield SurfaceReach(after, end, effect)
    if sentence.low[end : end + 1] in (("because",), ("since",)) and sentence.low[end - 1] != ",":
        yield SurfaceReach(end, len(sentence.low), "unsure")  # what is denied may be the reason


def _participle_end(sentence: Sentence, start: int, end: int) -> int:
    for k in range(start + 1, end):
        if sentence.tags[k] in FINITE or sentence.low[k] == ",":
            return k
        if sentence.tags[k] == "VBG" and sentence.tags[k - 1] in NOUNS:
            return k
    return end


def _of_preposition(sentence: Sentence, i: int, after: int, effect: Effect) -> Iterator[SurfaceReach]:
    start = after
    if sentence.tags[after : after + 1] == ("VBG",):
        after += 1
        while sentence.tags[after : after + 1] in (("IN",), ("TO",), ("RP",)):
            after += 1
    head = sentence.of_end(sentence.phrase_end(after))
    head = max(head, after)
    end = sentence.clause_end(i)
    verb = sentence.main_verb(head)
    if verb >= 0 and not sentence.has_verb(sentence.clause_start(i), i):
        end = min(end, verb)
    while head < end and sentence.low[head] in ("or", "and"):  # without a hat or a coat
        further = sentence.of_end(sentence.phrase_end(head + 1))
        if further == head + 1:
            break
        head = further
    yield SurfaceReach(start, head, effect)
    if sentence.low[head : head + 1] != (",",):
        yield SurfaceReach(head, end, "unsure" if effect == "down" else effect)


def _is_factive(sentence: Sentence, k: int) -> bool:
    """True if "that" at `k` begins a clause that the verb before it presupposes to be true ("knew that")."""
    if sentence.low[k] != "that" or k == 0 or not sentence.has_verb(k + 1, len(sentence.low)):
        return False
    word = sentence.low[k - 1]
    return not polarity_words().factive.keys().isdisjoint((word, *wordnet().morphy(word, "v")))


def _of_time(sentence: Sentence, i: int, after: int, effect: Effect) -> Iterator[SurfaceReach]:
    verb = next((tag for tag in sentence.tags[after:] if tag in FINITE), "")
    yield from _of_clause(sentence, i, after, "up" if verb == "VBD" else effect)


def _of_clause(sentence: Sentence, i: int, after: int, effect: Effect) -> Iterator[SurfaceReach]:
    if sentence.tags[i] in ("VB", "VBP", "RP") or (sentence.low[i] == "before" and i + 1 == len(sentence.low)):
        return
    end = sentence.clause_end(after)
    verbs = 0
    for k in range(after, end):
        presents = (("MD",), ("VBP",), ("VBZ",))
        starts = verbs > 0 and sentence.tags[k] == "PRP" and sentence.tags[k + 1 : k + 2] in presents
        if sentence.low[k] in (",", "then") or starts:
            end = k
            break
        verbs += sentence.tags[k] in FINITE
    yield SurfaceReach(after, end, effect)


def _denying_effect(sentence: Sentence, table: PolarityWords, i: int) -> Effect | None:
    word, tag = sentence.low[i], sentence.tags[i]
    if tag.startswith("J"):
        return table.denying.get(word)
    if not tag.startswith("V"):
        return None
    lemma = next((each for each in wordnet().morphy(word, "v") if each in table.denying), None)
    denied = WORDS["negations"].intersection(sentence.low[max(0, i - 3) : i])
    if lemma and denied and lemma not in WORDS["sure_denials"]:
        return "unsure"  # who does not deny something need not say it
    return table.denying[lemma] if lemma else None


def _generic_subjects(sentence: Sentence) -> Iterator[SurfaceReach]:
    """Subjects without a determiner, which may make the sentence a general statement: "Dogs bark"."""
    for verb in range(1, len(sentence.low)):
        if sentence.tags[verb] not in FINITE or sentence.tags[verb - 1] not in ("NNS", "NN"):
            continue
        start = verb
        own = polarity_words().determiners
        while start > 0 and sentence.tags[start - 1] in BARE and sentence.low[start - 1] not in own:
            start -= 1
        bare = start == 0 or sentence.tags[start - 1] not in ("DT", "PRP$", "POS", "CD", "PDT")
        if bare and (start == 0 or sentence.low[start - 1] not in polarity_words().determiners):
            helpers = sentence.tags[verb : verb + 4]
            if not EPISODIC & {*helpers} or sentence.tags[verb] == "MD":
                yield SurfaceReach(start, verb, "unsure")
