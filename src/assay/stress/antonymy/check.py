"""Check of antonyms: one word was replaced by one that excludes it, in a context where both can't be true."""

from collections.abc import Sequence
from functools import cache

from assay.core.case import Case
from assay.core.edit import Edit, Replacement, Skip, replace
from assay.core.label import Label
from assay.language.resources.data import word_pairs
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse, sentence_around, token_at
from assay.language.words.inflection import article_for, inflect_like
from assay.stress.antonymy.antonym_contexts import doubt_of_antonym
from assay.stress.contexts.token_context import Kind, TokenContext, WordContrast
from assay.stress.original import CHANGED, copied_text

PARTS = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a"}
"""The part of speech in WordNet of each tag whose words may change."""

TAGS = {"n": {"NN", "NNS"}, "a": {"JJ", "JJR", "JJS", "VBN", "VBD", "RB", "RBR"}}
"""Tags that the antonym may have there: participles and "ugly" are adjectives that taggers take for something else."""

LISTS: dict[Kind, str] = {
    "descriptive": "opposites",
    "predicate": "opposites_in_predicates",
    "after be": "opposites_after_be",
    "person": "opposites_of_people",
    "spouse": "opposites_of_spouses",
    "noun": "opposites_of_nouns",
    "happening": "opposites_of_happenings",
    "amount": "opposites_of_amounts",
    "place": "opposites_of_places",
}
"""The file that lists the pairs of each kind."""
EXHAUSTIVE = "opposites_without_middle"
"""The file of word pairs of which one must be true, whatever their kind."""

LABEL = Skip("not verified: the label of an antonym pair is contradiction")
ONE_TEXT = Skip("not verified: the two texts are not a sentence and its edited copy")
ONE_WORD = Skip("not verified: the change is not exactly one word")
INSIDE = Skip("not verified: the changed word is not a noun or an adjective")
NO_ANTONYM = Skip("not verified: not an antonym of the word's most frequent sense")
LOOSE = Skip("not verified: both words can apply at once in some contexts")
RETAGGED = Skip("not verified: the antonym is another part of speech there")


class AntonymyCheck:
    """Check of the family antonymy."""

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, look up the two words, and check their context."""
        edit = case.provenance.edit
        if case.label is not Label.CONTRADICTION or edit.label is not Label.CONTRADICTION:
            return LABEL
        text = _text_of(case, edit)
        if isinstance(text, Skip):
            return text
        change = _word_change(text, edit.premise or edit.hypothesis)
        if change is None:
            return ONE_WORD
        tokens = analyse(text)
        i = token_at(tokens, change.start)
        if i < 0 or tokens[i].text != change.old or tokens[i].tag not in PARTS:
            return INSIDE
        contrast = _find_contrast(tokens[i], change.new, edit.facts)
        if isinstance(contrast, Skip):
            return contrast
        reason = doubt_of_antonym(TokenContext(text, tokens, i, contrast))
        if reason:
            return Skip(f"not verified: {reason}")
        return _check_new_tag(text, tokens, i, edit.premise or edit.hypothesis)


def _text_of(case: Case, edit: Edit) -> str | Skip:
    """The source text of both sides: one side is the text itself, the other its edited copy."""
    if edit.premise_from != edit.hypothesis_from or bool(edit.premise) == bool(edit.hypothesis):
        return ONE_TEXT
    if bool(edit.hypothesis) != (edit.premise_from == "premise"):
        return ONE_TEXT
    return copied_text(case) or CHANGED


def _word_change(text: str, changes: tuple[Replacement, ...]) -> Replacement | None:
    """The replacement of the word, if nothing else changes except the article before it, and that correctly."""
    change = changes[-1]
    if len(changes) == 1:
        return change
    article = changes[0]
    between = text[article.start + len(article.old) : change.start]
    fits = {article.old.lower(), article.new.lower()} == {"a", "an"} and not any(map(str.isalnum, between))
    fits = fits and article.old[0].isupper() == article.new[0].isupper()
    return change if len(changes) == 2 and fits and article.new.lower() == article_for(change.new) else None


def _find_contrast(token: Tagged, new: str, facts: dict[str, str]) -> WordContrast | Skip:
    """The contrast between a word and its replacement, or a skip."""
    lookup = wordnet()
    pos = PARTS[token.tag]
    form = token.text.lower()
    senses = lookup.synsets(form, pos)
    if not senses or senses[0].name != facts.get("sense"):
        return NO_ANTONYM
    own = {word.lower() for word in senses[0].words}.intersection(lookup.morphy(form, pos))
    if token.tag == "JJ" and form not in own:
        return NO_ANTONYM  # "warmer" that is taken for a word in its plain form
    for antonym in (*lookup.antonyms(senses[0]), *lookup.indirect_antonyms(senses[0])):
        if inflect_like(token.text, token.tag, antonym.word) == new:
            other = antonym.word.lower()
            pair = next(((lemma, other) for lemma in own if (lemma, other) in opposite_kinds()), None)
            if pair is None:
                return LOOSE
            words = frozenset((form, new.lower(), other, *own))
            return WordContrast(opposite_kinds()[pair], new.lower(), words, pair in load_opposites(EXHAUSTIVE))
    return NO_ANTONYM


def _check_new_tag(text: str, tokens: Sequence[Tagged], i: int, changes: tuple[Replacement, ...]) -> Skip | None:
    """A skip if the antonym gets a different tag in the changed text."""
    sentence = sentence_around(tokens, i)
    start = tokens[sentence.start].start
    if changes[0].start < start:
        return ONE_WORD
    here = [Replacement(change.start - start, change.old, change.new) for change in changes]
    changed = analyse(replace(text[start : tokens[sentence.stop - 1].end], here))
    same = len(changed) == len(sentence) and changed[i - sentence.start].tag in TAGS[PARTS[tokens[i].tag]]
    return None if same else RETAGGED


@cache
def opposite_kinds() -> dict[tuple[str, str], Kind]:
    """The kind of contrast for each listed pair of opposites, in either order."""
    return {pair: kind for kind, name in LISTS.items() for pair in load_opposites(name)}


def load_opposites(name: str) -> frozenset[tuple[str, str]]:
    """The pairs of a list, in either order."""
    return word_pairs(name, __file__)
