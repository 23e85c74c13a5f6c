"""The words of the fragment: their classes, the roles of each class, and the words that a user's file adds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Literal

import msgspec

from assay.core.errors import UserError, did_you_mean
from assay.language.fragment.chart_parser import LITERALS, FragmentToken, PhraseNode, parse_fragment
from assay.language.resources.data import load_toml

Kind = Literal["verb", "thing", "preposition", "relative", "subordinator", "adjective", "adverb"]
Frame = Literal["alone", "object", "place", "passive", "clause", "that"]
Means = Literal["both", "if", "unless", "true", "open"]

LONGEST = 40
"""Maximum number of tokens in a sentence that is worth parsing."""

_CAN: Mapping[str, tuple[str, ...]] = {
    "alone": ("VBD:alone",),
    "object": ("VBD:object",),
    "place": ("VBD:place", "VBN:place"),
    "passive": ("VBN:passive",),
    "clause": ("VBD:clause",),
    "that": ("VBD:that",),
    "thing": ("noun",),
    "preposition": ("IN:place",),
    "relative": ("relative",),
    "subordinator": ("IN:clause",),
    "adjective": ("JJ",),
    "adverb": ("RB:sentence",),
    "verb": (),
}


class WordClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Words that can fill the same slots."""

    kind: Kind
    words: tuple[str, ...]
    """The words; verbs in the past tense."""
    frames: tuple[Frame, ...] = ()
    factive: bool | None = None
    """True if the verb implies its complement clause; None if another class of the verb decides, or if unknown."""
    understood: bool = False
    """True if the verb implies an object even when none is mentioned ("ate")."""
    subject: Literal["plural"] | None = None
    """The grammatical number of the subject that a verb needs."""
    means: Means | None = None
    """The effect of a subordinator or an adverb on its clause."""


class AddedClass(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class in a user's file: new words for an existing class, or a new class."""

    words: tuple[str, ...]
    kind: Kind | None = None
    frames: tuple[Frame, ...] | None = None
    factive: bool | None = None
    understood: bool | None = None
    subject: Literal["plural"] | None = None
    means: Means | None = None


class FragmentWords(msgspec.Struct, frozen=True, kw_only=True):
    """The sections of a grammar file that define words."""

    nouns: dict[str, str] = {}
    classes: dict[str, AddedClass] = {}
    objects: dict[str, str] = {}


class FragmentLexicon(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All words, checked.

    >>> lexicon = standard_fragment_lexicon()
    >>> len(lexicon.words("N")), len(lexicon.words("VT")), lexicon.objects["ate"]
    (32, 16, 'FOOD')
    """

    nouns: dict[str, str]
    classes: dict[str, WordClass]
    objects: dict[str, str]

    def words(self, name: str) -> tuple[str, ...]:
        """The words of a class."""
        if name == "Ns":
            return tuple(self.nouns)
        if name == "Np":
            return tuple(self.nouns.values())
        if name == "N":
            return tuple(form for pair in self.nouns.items() for form in pair)
        return self.classes[name].words

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all classes."""
        return "N", "Ns", "Np", *self.classes

    @cached_property
    def tokens(self) -> dict[str, FragmentToken]:
        """All possible roles of each word."""
        can: dict[str, set[str]] = {word: {f"'{word}'"} for word in LITERALS}
        number: dict[str, str] = {}
        for singular, plural in self.nouns.items():
            can.setdefault(singular, set()).add("noun")
            can.setdefault(plural, set()).update(("noun", "plural"))
            number |= {singular: "singular", plural: "plural"}
        for found in self.classes.values():
            for word in found.words:
                can.setdefault(word, set()).update(_list_roles(found))
                number.setdefault(word, found.subject or ("singular" if found.kind == "thing" else ""))
        return {
            word: FragmentToken(word, frozenset(abilities), number.get(word, "")) for word, abilities in can.items()
        }

    def slot(self, name: str, stands_for: str) -> FragmentToken:
        """A pattern's slot, with the roles that all words of its class share."""
        every = [self.tokens[word] for word in self.words(stands_for)]
        numbers = {token.number for token in every}
        can = frozenset.intersection(*(token.can for token in every)) if stands_for in ("N", "Ns", "Np") else None
        return FragmentToken(
            name,
            can if can is not None else frozenset(_list_roles(self.classes[stands_for])),
            numbers.pop() if len(numbers) == 1 else "either",
        )

    @cached_property
    def lemmas(self) -> dict[str, str]:
        """The singular of each plural."""
        return {plural: singular for singular, plural in self.nouns.items()}

    def factive(self, verb: str) -> bool:
        """True if the verb implies its complement, like "knew"."""
        return any(found.factive for found in self._classes_of(verb))

    def understood(self, verb: str) -> bool:
        """True if the verb implies an object even when none is mentioned: whoever "ate" ate something."""
        return any(found.understood for found in self._classes_of(verb))

    def means(self, word: str) -> Means | None:
        """The effect of a subordinator or an adverb on its clause; None for other words."""
        return next((found.means for found in self._classes_of(word) if found.means), None)

    def split(self, text: str) -> list[FragmentToken] | None:
        """The tokens of a sentence, or None if a word is not in the fragment."""
        words = text.replace(",", " , ").replace(".", " . ").split()
        if not words or len(words) > LONGEST:
            return None
        words[0] = words[0][:1].lower() + words[0][1:]
        tokens: list[FragmentToken] = []
        position = 0
        while position < len(words):
            size = next((size for size in self._sizes if " ".join(words[position : position + size]) in self.tokens), 0)
            if not size:
                return None
            tokens.append(self.tokens[" ".join(words[position : position + size])])
            position += size
        return tokens

    def parse(self, text: str) -> list[PhraseNode]:
        """All trees of a sentence; empty if the fragment does not cover it.

        >>> from assay.language.fragment.chart_parser import write_binary, write_penn
        >>> (tree,) = standard_fragment_lexicon().parse("The doctors slept .")
        >>> write_penn(tree)
        '(ROOT (S (NP (DT The) (NNS doctors)) (VP (VBD slept)) (. .)))'
        >>> write_binary(tree)
        '( ( The doctors ) ( slept . ) )'
        >>> standard_fragment_lexicon().parse("The cook slept .")
        []
        """
        tokens = self.split(text)
        return parse_fragment(tokens) if tokens else []

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(sorted({len(word.split()) for word in self.tokens}, reverse=True))

    def _classes_of(self, word: str) -> Sequence[WordClass]:
        return self._by_word.get(word, ())

    @cached_property
    def _by_word(self) -> dict[str, list[WordClass]]:
        classes: dict[str, list[WordClass]] = {}
        for each in self.classes.values():
            for word in each.words:
                classes.setdefault(word, []).append(each)
        return classes


@cache
def standard_fragment_lexicon() -> FragmentLexicon:
    """The lexicon that comes with Assay."""
    nothing = FragmentLexicon(nouns={}, classes={}, objects={})
    return extend_lexicon(nothing, load_toml(__file__, "lexicon", FragmentWords))


def extend_lexicon(base: FragmentLexicon, added: FragmentWords) -> FragmentLexicon:
    """A lexicon with a user's words added; an invalid entry raises a `UserError` that names it."""
    classes = dict(base.classes)
    for name, more in added.classes.items():
        classes[name] = _extend_class(name, base.classes.get(name), more)
    lexicon = FragmentLexicon(
        nouns={**base.nouns, **added.nouns}, classes=classes, objects={**base.objects, **added.objects}
    )
    _check_classes(lexicon)
    return lexicon


def _extend_class(name: str, known: WordClass | None, more: AddedClass) -> WordClass:
    if name in ("N", "Ns", "Np"):
        raise UserError(f'classes.{name}: nouns are added under [nouns], as singular = "plural".')
    given_fields = {field: value for field, value in msgspec.structs.asdict(more).items() if value is not None}
    if known is None:
        try:
            return msgspec.convert(given_fields, WordClass)
        except msgspec.ValidationError as error:
            raise UserError(f"classes.{name}: {error}.") from error
    for field, value in given_fields.items():
        if field != "words" and value != getattr(known, field):
            raise UserError(f"classes.{name}: {field} is already {getattr(known, field)!r}; only words can be added.")
    return msgspec.structs.replace(known, words=tuple(dict.fromkeys((*known.words, *more.words))))


def _check_classes(lexicon: FragmentLexicon) -> None:
    for verb, name in lexicon.objects.items():
        if name not in lexicon.names:
            raise UserError(f"objects.{verb}: no class {name!r}{did_you_mean(name, lexicon.names)}")
    _check_nouns(lexicon)
    alone = {word for name in lexicon.names for word in lexicon.words(name)}
    for name, word_class in lexicon.classes.items():
        if not word_class.words:
            raise UserError(f"classes.{name}: a class must have words.")
        for word in word_class.words:
            if not _is_word(word):
                raise UserError(f"classes.{name}: {word!r} is not a word: use lower-case letters.")
            if " " in word and (word_class.kind != "thing" or alone & set(word.split())):
                raise UserError(
                    f"classes.{name}: {word!r} has several words. Only a thing may, and none of them may be in a class."
                )
            if word_class.kind == "verb" and _list_claims(lexicon, word, "factive") == {True, False}:
                raise UserError(f"classes.{name}: {word!r} is factive in one class and not in another.")
            if word_class.kind in ("subordinator", "adverb") and len(_list_claims(lexicon, word, "means")) != 1:
                raise UserError(f"classes.{name}: {word!r} must mean one thing (`means`).")
        if word_class.kind == "verb" and not word_class.frames:
            raise UserError(f"classes.{name}: a verb must have frames.")


def _list_claims(lexicon: FragmentLexicon, word: str, field: str) -> set[object]:
    values = {getattr(each, field) for each in lexicon.classes.values() if word in each.words}
    return values - {None}


def _check_nouns(lexicon: FragmentLexicon) -> None:
    forms = Counter(form for each in lexicon.nouns.items() for form in each)
    for singular, plural in lexicon.nouns.items():
        for form in (singular, plural):
            if not _is_word(form) or " " in form:
                raise UserError(f"nouns.{singular}: {form!r} is not a word: use lower-case letters.")
            if forms[form] > 1:
                raise UserError(f"nouns.{singular}: {form!r} is the form of more than one noun, or of both numbers.")
            if taken := [name for name, found in lexicon.classes.items() if form in found.words]:
                raise UserError(f"nouns.{singular}: {form!r} is already a word of {taken[0]}.")


def _is_word(text: str) -> bool:
    return text == text.lower() and bool(text.split()) and all(part.isalpha() for part in text.split(" "))


def _list_roles(found: WordClass) -> list[str]:
    return [ability for about in (found.kind, *found.frames) for ability in _CAN[about]]
