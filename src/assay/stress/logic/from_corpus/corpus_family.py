"""Corpus cases of the logic families: texts derived from one sentence, in pairs.

Which texts are paired is drawn such that nothing on the surface of a pair goes with its label. For this, a sentence and
its edited copy are paired with the denials of both, too: so the same words are entailed, contradicted and left open.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from random import Random
from typing import Annotated, ClassVar, NamedTuple

import msgspec

from assay.core.case import text_digest
from assay.core.edit import Edit, Replacement, Side, Skip
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.language.polarity.surface_polarity import surface_marks
from assay.language.resources.data import load_toml
from assay.language.text.analysis import analyse
from assay.language.text.tokens import TextCache
from assay.stress.across.join_edits import AcrossSwitch, joins
from assay.stress.lexical.scene_captions import is_scene
from assay.stress.logic.from_corpus.check import LogicCorpusCheck
from assay.stress.logic.from_corpus.denial import DeniedSentence, deny_sentence
from assay.stress.logic.from_corpus.projection import marks_of
from assay.stress.logic.natural_logic import label_change

UNSURE = Skip("no word that could change has a clear polarity")
NOT_SEEN = Skip("not a caption: in other texts, a plain sentence may be a general statement or about somebody else")
UNDENIED = Skip("not a plain sentence with a clear denial")

ORDER = ("both", "specific", "one", "general", "either")
"""Names of texts; of two that are made of one sentence, the later one says less."""


class CorpusForm(NamedTuple):
    """Two of the texts derived from a sentence, and the label of the second, given the first."""

    premise: str
    hypothesis: str
    """Names of texts; a minus means denied."""
    label: Label
    weight: float = 1


@cache
def load_weights() -> dict[str, dict[str, dict[str, int]]]:
    """Weights of forms by table, premise and hypothesis."""
    return load_toml(__file__, "weights", dict[str, dict[str, dict[str, int]]])


def make_form(names: str, weight: float = 1) -> CorpusForm:
    """The form with these names: `specific/-general` pairs one text with the denial of the other.

    >>> [make_form(names).label.value for names in ("specific/general", "-specific/-general", "one/-either")]
    ['entailment', 'neutral', 'contradiction']
    """
    premise, hypothesis = names.split("/")
    weaker = ORDER.index(hypothesis.removeprefix("-")) > ORDER.index(premise.removeprefix("-"))
    label = label_change(weaker, denied=premise.startswith("-"), also_denied=hypothesis.startswith("-"))
    return CorpusForm(premise, hypothesis, label, weight)


class SentenceChange(NamedTuple):
    """A possible change of a text."""

    subcase: str
    replacements: tuple[Replacement, ...]
    at: int
    """The index of the token whose polarity decides."""
    category: str = ""
    """The category of the words, if one word replaces another."""
    words: str = ""
    """The words that change, if cases of the same words are limited."""


class OfferedCase(NamedTuple):
    """The texts derived from a sentence, and their pairs."""

    change: SentenceChange
    texts: Mapping[str, tuple[Replacement, ...]]
    """Replacements in the sentence, by the name of the text."""
    forms: Sequence[CorpusForm]
    one_place: bool = False
    """True if one position changes, which is upward, and downward in the denial."""


class CorpusLogic(AcrossSwitch, frozen=True, kw_only=True):
    """Changes a text of a pair. The text, its edited copy and their denials are paired."""

    per_pair: Annotated[int, msgspec.Meta(ge=0)] = 2
    """The number of cases drawn for each pair; 0 takes all."""

    on_request: ClassVar[bool] = True
    check: ClassVar[type[Check]] = LogicCorpusCheck
    uses: ClassVar[tuple[str, ...]] = ("wordnet", "tagger")

    def offers(self, text: str) -> list[OfferedCase] | Skip:
        """The cases that can be built from a text, or the reason why there are none."""
        raise NotImplementedError

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        sources: dict[Side, str] = {"premise": pair.premise, "hypothesis": pair.hypothesis}
        offers: list[tuple[Side, OfferedCase]] = []
        reasons: list[Skip] = []
        for side, text in sources.items():
            found = _find_offers(text, self)
            if isinstance(found, Skip):
                reasons.append(found)
            else:
                offers += [(side, each) for each in found]
        if not offers:
            return max(reasons, key=_rank_reason)
        if not self.per_pair:
            return [_make_edit(sources[side], side, each, form) for side, each in offers for form in each.forms]
        offers.sort(key=lambda _: rng.random())
        drawn: dict[tuple[int, CorpusForm], None] = {}
        for turn in range(self.per_pair):
            n = turn % len(offers)
            forms = offers[n][1].forms
            drawn[n, rng.choices(forms, [form.weight for form in forms])[0]] = None
        return [_make_edit(sources[offers[n][0]], *offers[n], form) for n, form in drawn]

    def claim_edits(self, claim: Pair, rng: Random) -> list[Edit] | Skip:
        """Edits of a claim that join with its label, `per_pair` of them."""
        edits = msgspec.structs.replace(self, per_pair=0)(claim, rng)
        if isinstance(edits, Skip):
            return edits
        joined = [edit for edit in edits if joins(claim.label, edit)]
        return rng.sample(joined, self.per_pair) if 0 < self.per_pair < len(joined) else joined


def _rank_reason(reason: Skip) -> int:
    """The rank of a skip reason: how far the text got."""
    return 3 if reason is UNSURE else (NOT_SEEN, UNDENIED, reason).index(reason)


@TextCache
def _find_offers(text: str, family: CorpusLogic) -> list[OfferedCase] | Skip:
    return family.offers(text)


class DenyingLogic(CorpusLogic, frozen=True, kw_only=True):
    """Changes one position of a sentence. The label follows from its polarity, and from that in the denial."""

    nothing: ClassVar[Skip]
    """The reason why there is no case if a text has nothing to change."""

    def changes(self, text: str) -> Iterator[SentenceChange]:
        """The changes that could be made in a text."""
        raise NotImplementedError

    def deny_change(self, change: SentenceChange, denies: DeniedSentence) -> OfferedCase:
        """The texts of a change at an upward position, which the denial makes downward."""
        raise NotImplementedError

    def offers(self, text: str) -> list[OfferedCase] | Skip:
        """The forms that the certain changes of a text allow."""
        tokens = analyse(text)
        if not is_scene(tokens):
            return NOT_SEEN
        denies = deny_sentence(tokens) if tokens else None
        if denies is None:
            return UNDENIED
        changes = list(self.changes(text))
        if not changes:
            return self.nothing
        marks, below = marks_of(tokens), surface_marks(denies.tokens)
        turned = (each for each in changes if (marks[each.at], below[denies.place(each.at)]) == ("up", "down"))
        return [self.deny_change(each, denies) for each in turned] or UNSURE


def _make_edit(text: str, side: Side, offer: OfferedCase, form: CorpusForm) -> Edit:
    change = offer.change
    facts = {name: said for name, said in (("category", change.category), ("words", change.words)) if said}
    return Edit(
        label=form.label,
        premise_from=side,
        hypothesis_from=side,
        premise=offer.texts[form.premise],
        hypothesis=offer.texts[form.hypothesis],
        facts={"text": text_digest(text, ""), "kind": change.subcase, **facts},
        group={"subcase": f"corpus-{change.subcase}", **_describe_place(offer, form)},
    )


def _describe_place(offer: OfferedCase, form: CorpusForm) -> dict[str, str]:
    """The polarity and direction of the change, if it is the only one."""
    denied = form.premise.startswith("-")
    if not offer.one_place or denied != form.hypothesis.startswith("-"):
        return {}
    premise, hypothesis = (ORDER.index(each.removeprefix("-")) for each in (form.premise, form.hypothesis))
    return {"polarity": "down" if denied else "up", "change": "general" if hypothesis > premise else "specific"}


def drop_span(text: str, start: int, end: int) -> Replacement:
    """The replacement that removes a span of characters and the blanks before it."""
    while start > 0 and text[start - 1] == " ":
        start -= 1
    return Replacement(start, text[start:end], "")


def join_replacements(replacements: Sequence[Replacement | None]) -> tuple[Replacement, ...]:
    """Replacements in order, without those that change nothing."""
    return tuple(sorted((each for each in replacements if each), key=lambda each: each.start))


def combine_changes(change: Sequence[Replacement], denies: DeniedSentence) -> tuple[Replacement, ...]:
    """A change together with a denial; "no" takes the place of an article, and comes before a noun that changes."""
    (denial_,) = denies.replacements
    clashing = next((each for each in change if each.start == denial_.start and denial_.old), None)
    if clashing is None:
        return join_replacements([denial_, *change])
    others = [each for each in change if each is not clashing]
    if clashing.old == denial_.old:
        return join_replacements([denial_, *others])
    new = denial_.new[:3] + clashing.new[:1].lower() + clashing.new[1:]
    return join_replacements([Replacement(clashing.start, clashing.old, new), *others])
