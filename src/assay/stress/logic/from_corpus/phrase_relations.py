"""Relations of two words or phrases, and changes that decide a label by themselves."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from assay.core.label import Label
from assay.language.numbers.number_words import COUNTING
from assay.language.polarity.phrase_bounds import FINITE, Sentence, sentence_of
from assay.language.resources.data import load_words
from assay.language.resources.installed import wordnet
from assay.language.resources.wordnet_database import HYPERNYM, HYPONYM, Synset
from assay.stress.lexical.lexical_relations import is_listed
from assay.stress.logic.from_corpus.alignment import AGREEING, AlignedTexts, DifferenceSite
from assay.stress.logic.natural_logic import quantity_label
from assay.stress.logic.operators import NUMBERS

WORDS = load_words(__file__)

Relation = Literal["broader", "narrower", "same", "exclusive"]

RANKS = 6
"""The highest joint rank of the senses of two nouns for things, if one covers many kinds."""
FEWER_RANKS = 1
"""The same for all other words, whose rare senses are related to too many."""
SURE = 2
"""How much more frequent the senses of one relation must be than those of another."""
FARTHEST = 12
"""Maximum number of steps between a noun and one that covers it."""
KINDS = 25
"""The number of kinds that a noun must cover, so that a text with it is surely about more than one of them."""
MORE_KINDS = 100
"""The same for other words: people take a wish and a desire for the same."""
THINGS = frozenset({3, 5, 6, 8, 13, 15, 17, 18, 20, 25, 27})
"""WordNet's files of what can be seen: from animals to shapes and substances, and the most general words."""
PERSONS = 18
"""WordNet's file of nouns for people."""
TIMES = 28
"""WordNet's file of times: what lasts all day lasts all afternoon, and what happens at noon happens by day."""

POS = {"N": "n", "V": "v", "J": "a", "R": "r"}
"""WordNet's parts of speech by the first letter of a tag."""

TURNED: dict[Relation, Relation] = {
    "broader": "narrower",
    "narrower": "broader",
    "same": "same",
    "exclusive": "exclusive",
}


class WordRelation(NamedTuple):
    """The relation of two words."""

    relation: Relation
    near: bool
    """True if one covers little more than the other, so that people may treat them as the same."""


@lru_cache(maxsize=1 << 14)
def word_relation(first: str, second: str, pos: str) -> WordRelation | None:
    """The relation of two words or compounds in their most frequent senses that are related at all.

    `word_relation("dog", "animal", "n")` is `broader`, `word_relation("guest", "visitor", "n")` too, but they are near.
    """
    if NOBODY.intersection((first.lower(), second.lower())) or _is_undecided(first.lower(), second.lower(), pos):
        return None
    if is_listed(first.lower(), second.lower(), "equivalents"):
        return WordRelation("same", near=True)
    ranks: dict[Relation, int] = {}
    near: dict[Relation, bool] = {}
    for a, one in enumerate(_find_senses(first, pos)):
        for b, other in enumerate(_find_senses(second, pos)):
            relation = _relate_senses(one, other)
            sure = relation and not relation.near and {one.file, other.file} <= THINGS
            if relation and a + b < min(ranks.get(relation.relation, RANKS), RANKS if sure else FEWER_RANKS):
                ranks[relation.relation], near[relation.relation] = a + b, relation.near
    if not ranks:
        return None
    best, *others = sorted(ranks, key=ranks.__getitem__)
    if others and ranks[others[0]] - ranks[best] < SURE:
        return None
    narrow, wide = (first, second) if best == "broader" else (second, first)
    if best != "same" and pos == "n" and _is_insult(narrow, wide):
        return None
    return WordRelation(best, near[best])


def _is_undecided(first: str, second: str, pos: str) -> bool:
    one, other = (next(iter(wordnet().morphy(word, pos)), word) for word in (first, second))
    return f"{one}/{other}" in UNDECIDED or f"{other}/{one}" in UNDECIDED


def _is_insult(narrow: str, wide: str) -> bool:
    """True if the wider noun applies only as a term for people: a dog is a person only as an insult."""
    senses = _find_senses(narrow, "n")
    above = {each.name for each in _find_senses(wide, "n")}
    covered = [sense for sense in senses if above & synsets_above(sense)]
    return bool(covered) and covered[0].file == PERSONS != senses[0].file


def _relate_senses(one: Synset, other: Synset) -> WordRelation | None:
    if TIMES in (one.file, other.file):
        return None
    if one.name == other.name:
        return WordRelation("same", near=True)
    if other.name in synsets_above(one):
        return WordRelation("broader", near=_is_near(one, other))
    if one.name in synsets_above(other):
        return WordRelation("narrower", near=_is_near(other, one))
    return None


def _is_near(narrow: Synset, wide: Synset) -> bool:
    kinds = _count_kinds(wide)
    return kinds < (KINDS if wide.file in THINGS else MORE_KINDS) or 2 * _count_kinds(narrow) > kinds


@cache
def _count_kinds(synset: Synset) -> int:
    """The number of synsets below a synset."""
    names: set[str] = set()
    level = [synset]
    while level:
        level = [each for wide in level for each in wordnet().related(wide, HYPONYM) if each.name not in names]
        names.update(each.name for each in level)
    return len(names)


@cache
def synsets_above(synset: Synset) -> frozenset[str]:
    """The names of all synsets above a synset."""
    lookup = wordnet()
    names: set[str] = set()
    level = [synset]
    for _ in range(FARTHEST):
        level = [each for below in level for each in lookup.related(below, HYPERNYM) if each.name not in names]
        names.update(each.name for each in level)
    return frozenset(names)


def _find_senses(words: str, pos: str) -> Sequence[Synset]:
    """The senses of a word or compound; none for a compound that WordNet does not know."""
    form = words.lower().replace(" ", "_")
    senses = wordnet().synsets(form, pos)
    if not senses and ("_" in form or "-" in form):
        senses = wordnet().synsets(form.replace("-", "_"), pos) or wordnet().synsets(form.replace("_", ""), pos)
    return senses


@cache
def are_antonyms(first: str, second: str, pos: str) -> bool:
    """True if WordNet calls two words antonyms in frequent senses: `are_antonyms("known", "unknown", "a")`."""
    lookup = wordnet()
    lemmas = {*lookup.morphy(second.lower(), pos), second.lower()}
    return any(
        antonym.word.lower() in lemmas
        for sense in lookup.synsets(first.lower(), pos)[:3]
        for antonym in (*lookup.antonyms(sense), *lookup.indirect_antonyms(sense))
    )


DIGITS = {str(number): word for number, word in enumerate(NUMBERS)}
"""Small numbers in digits, as words."""
NOBODY = WORDS["nobody"]
UNDECIDED = WORDS["undecided"]


def opposing_label(pair: AlignedTexts, site: DifferenceSite) -> tuple[Label, str] | None:
    """The label of a change such as an antonym, and its kind; None for other or uncertain changes."""
    one, other = sentence_of(pair.first), sentence_of(pair.second)
    ours = one.low[site.start : site.end]
    theirs = other.low[site.other_start : site.other_end]
    if found := _label_determiners(one, other, site):
        return found, "determiner"
    if not _is_definite(one, site.start):
        return None
    if (
        _is_number(ours)
        and _is_number(theirs)
        and not WORDS["vague"].intersection(one.low[max(0, site.start - 3) : site.end + 2])
        and not _is_named(pair, site)
    ):
        return Label.CONTRADICTION, "number"
    if _is_negation_of(ours, theirs) or _is_negation_of(theirs, ours):
        return Label.CONTRADICTION, "negation"
    if len(ours) == len(theirs) == 1 and _are_opposite(pair, site):
        return Label.CONTRADICTION, "antonym"
    return None


def _is_named(pair: AlignedTexts, site: DifferenceSite) -> bool:
    """True if a number may be part of a name: "the 569 Group"."""
    after = pair.first[site.end : site.end + 1]
    return bool(after) and after[0].text[:1].isupper()


def neither_nor(premise: Sentence, hypothesis: Sentence) -> Label | None:
    """The label of a hypothesis about one of two things that the premise denies: "neither A nor B"."""
    low = premise.low
    if low.count("neither") != 1 or low.count("nor") != 1 or low.index("nor") < low.index("neither"):
        return None
    first, second = low.index("neither"), low.index("nor")
    if first == 0:
        return _neither_of_subjects(premise, second, hypothesis)
    before, after = low[:first], low[second + 1 :]
    end = next((k for k, word in enumerate(after) if word in (",", ";")), len(after))
    for one, rest in ((low[first + 1 : second], after[end:]), (after[:end], after[end:])):
        if hypothesis.low in ((*before, "not", *one, *rest), (*before, "n't", *one, *rest)):
            return Label.ENTAILMENT
        if hypothesis.low == (*before, *one, *rest):
            return Label.CONTRADICTION
    return None


def _neither_of_subjects(premise: Sentence, second: int, hypothesis: Sentence) -> Label | None:
    """The same if the denied parts are subjects: "neither the cook nor the baker was there"."""
    verb = next((k for k in range(second, len(premise.low)) if premise.tags[k] in FINITE), -1)
    if verb < 0 or premise.low[verb] not in WORDS["helping"]:
        return None
    helping = [{premise.low[verb]}, *(forms for forms in AGREEING if premise.low[verb] in forms)]
    forms = {form for each in helping for form in each}
    for subject in (premise.low[1:second], premise.low[second + 1 : verb]):
        same_subject = hypothesis.low[: len(subject)] == subject and hypothesis.low[len(subject) : len(subject) + 1]
        if not same_subject or same_subject[0] not in forms:
            continue
        rest = hypothesis.low[len(subject) + 1 :]
        if rest == premise.low[verb + 1 :]:
            return Label.CONTRADICTION
        if rest[:1] in (("not",), ("n't",)) and rest[1:] == premise.low[verb + 1 :]:
            return Label.ENTAILMENT
    return None


def _is_definite(sentence: Sentence, i: int) -> bool:
    """True if the clause describes a named or known person or thing."""
    start = sentence.clause_start(i)
    if WORDS["unsettled"].intersection(sentence.low[start : sentence.clause_end(i)]):
        return False
    verb = next((k for k in range(start, len(sentence.low)) if sentence.tags[k] in FINITE), -1)
    if verb < 0 or verb > i:
        return False
    comma = max((k for k in range(start, verb) if sentence.low[k] == ","), default=start - 1)
    if comma + 1 == verb:
        comma = start - 1
    first = comma + 1
    return sentence.tags[first] in ("PRP", "NNP", "PRP$") or sentence.low[first] in WORDS["definite"]


def _is_number(words: tuple[str, ...]) -> bool:
    return len(words) == 1 and (words[0] in COUNTING or words[0].replace(",", "").replace(".", "").isdigit())


def _is_negation_of(more: tuple[str, ...], less: tuple[str, ...]) -> bool:
    """True if one list of words is the other with a negation: "does not run" and "runs" count as such."""
    kept = tuple(word for word in more if word not in WORDS["negations"])
    return len(kept) == len(more) - 1 and kept == less


def _are_opposite(pair: AlignedTexts, site: DifferenceSite) -> bool:
    before, after = pair.first[site.start], pair.second[site.other_start]
    pos = POS.get(before.tag[:1])
    if pos not in ("a", "v") or POS.get(after.tag[:1]) not in ("a", "v"):
        return False
    return any(are_antonyms(before.text, after.text, each) for each in ("a", "v"))


def _label_determiners(one: Sentence, other: Sentence, site: DifferenceSite) -> Label | None:
    """The label of two determiners over the same nouns, at the beginning of the texts."""
    if site.start != 0 and not (site.start <= 3 and one.low[0] in ("at", "exactly", "more", "fewer", "not")):
        return None
    return quantity_label(_as_words(one.low), _as_words(other.low))


def _as_words(low: tuple[str, ...]) -> list[str]:
    return [DIGITS.get(word, word) for word in low]
