"""Check of lexical inference: one word was replaced with a related one, in a context where the label follows."""

from functools import lru_cache

from assay.core.case import Case
from assay.core.edit import Replacement, Skip, replace
from assay.core.label import Label
from assay.language.text.analysis import Tagged, analyse, token_at
from assay.language.words.categories import Relation, load_categories
from assay.language.words.inflection import article_for
from assay.stress.contexts.token_context import TokenContext
from assay.stress.lexical.lexical_contexts import doubt_of_context
from assay.stress.lexical.lexical_relations import UNRELATED, VALUES, ChangedWord, find_relation
from assay.stress.lexical.running_text import doubt_in_text, doubt_of_another
from assay.stress.lexical.scene_captions import is_scene
from assay.stress.lexical.synonym_evidence import needs_evidence
from assay.stress.original import CHANGED, copied_premise

OTHER_PART = "perhaps another part of speech"
ALIKE = {"N": "NJ", "V": "V", "J": "JVN", "R": "RIJ", "I": "IRTJ", "T": "IT", "C": "CN"}
"""Parts of speech that a tagger may give to words that can occur in one place, by the tags' first letters."""


def doubt_of_new_tag(text: str, token: Tagged, changes: tuple[Replacement, ...]) -> str:
    """The reason why the word may have another part of speech in the changed text; empty if the tags agree.

    Where "little" is an adverb, "small" is read as an adjective.
    """
    change = changes[-1]
    shift = sum(len(each.new) - len(each.old) for each in changes[:-1])
    changed = analyse(replace(text, changes))
    j = token_at(changed, change.start + shift)
    if j < 0:
        return OTHER_PART
    one_word = " " not in change.old + change.new
    alike = changed[j].tag[:1] in ALIKE.get(token.tag[:1], token.tag[:1])
    return OTHER_PART if one_word and not alike else ""


LABELS: dict[Relation, Label] = {
    "exclusive": Label.CONTRADICTION,
    "same": Label.ENTAILMENT,
    "broader": Label.ENTAILMENT,
    "narrower": Label.NEUTRAL,
}
"""The label if the new word has this relation to the old one, where nothing turns the sense."""

ONE_WORD = Skip("not verified: the change is not exactly one word or phrase")
ARTICLE = Skip("not verified: the article does not fit the new word")


class LexicalCheck:
    """Check of the family lexical. It uses no category list: relations come from WordNet and the values of numbers."""

    def __init__(self, *, captions: bool = True) -> None:
        self._captions = captions

    def for_evidence(self, evidence: str) -> "LexicalCheck":
        """The check for a claim with this evidence: a short claim is not a caption if its evidence is running text."""
        return self if is_scene(analyse(evidence)) else LexicalCheck(captions=False)

    def __call__(self, case: Case) -> Skip | None:
        """Undo the edit, look up the two words, compare the label, and check the context."""
        edit, source = case.provenance.edit, copied_premise(case)
        if source is None or edit.premise or case.label is not edit.label:
            return CHANGED
        own = str(case.provenance.recipe.options.get("categories", ""))
        category = case.group.get("category", "")
        return doubt_of_change(source, edit.hypothesis, edit.label, category=category, own=own, captions=self._captions)


@lru_cache(maxsize=4096)  # the builder asks before it draws, and the check asks again
def doubt_of_change(
    text: str, changes: tuple[Replacement, ...], label: Label, *, category: str, own: str, captions: bool
) -> Skip | None:
    """The reason why a change does not give the label; None if it does.

    `own` is a user's text of categories. Without `captions`, no text is read as a caption.
    """
    change = _word_change(text, changes)
    if isinstance(change, Skip):
        return change
    tokens = analyse(text)
    span = _covered_tokens(tokens, change)
    if span is None:
        return Skip("not verified: the change does not cover whole words")
    spot = ChangedWord(tokens, span.start, span.stop - 1, change.new, category)
    relations = find_relation(spot.old, change.new, category=category, verb=spot.is_verb, own=own)
    if not relations:
        return UNRELATED
    relation = next((each for each in relations if LABELS[each] is label), None)
    if relation is None:
        return Skip("not verified: the relation of the two words implies another label")
    by_value = category in VALUES  # a number is known by its value, whatever its part of speech
    reason = doubt_of_context(spot, relation)
    many_uses = relation == "same" and needs_evidence(spot.old, change.new, tokens[span.start].tag)
    if not reason and category in load_categories() and (many_uses or not captions or not is_scene(tokens)):
        place = TokenContext.of(text, tokens, span.start, change.new)
        reason = doubt_in_text(spot, place, relation)
        if not captions and relation == "exclusive":
            reason = reason or doubt_of_another(spot, place)
        reason = reason or ("" if by_value else doubt_of_new_tag(text, tokens[span.start], changes))
        owner = span.stop < len(tokens) and tokens[span.stop].tag == "POS" and relation == "exclusive"
        reason = reason or ("what one has the other may have, too" if owner and not captions else "")
    return Skip(f"not verified: {reason}") if reason else None


def _word_change(text: str, changes: tuple[Replacement, ...]) -> Replacement | Skip:
    """The replacement of the word, if the only other changes are the necessary ones to an article or preposition."""
    if not changes:
        return ONE_WORD
    change = changes[-1]
    before = text[: change.start].rsplit(None, 1)
    article = before[-1].lower() if before else ""
    for article_change in changes[:-1]:
        swap = {article_change.old.lower(), article_change.new.lower()}
        between = text[article_change.start + len(article_change.old) : change.start].split()
        if article_change.old[0].isupper() != article_change.new[0].isupper():
            return ONE_WORD
        if swap == {"a", "an"} and not between:
            article = article_change.new.lower()
        elif swap != {"in", "on"} or not 1 <= len(between) <= 4 or article_change is not changes[0]:
            return ONE_WORD
    return ARTICLE if article in ("a", "an") and article != article_for(change.new) else change


def _covered_tokens(tokens: tuple[Tagged, ...], change: Replacement) -> range | None:
    """The tokens that a change covers, if it covers whole tokens."""
    first = last = token_at(tokens, change.start)
    end = change.start + len(change.old)
    while 0 <= last < len(tokens) and tokens[last].end < end:
        last += 1
    return range(first, last + 1) if 0 <= last < len(tokens) and tokens[last].end == end else None
