"""The words of the logic families: their forms, and which noun covers which."""

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

import msgspec

from assay.core.errors import BadInputError, UserError
from assay.language.resources.data import load_toml
from assay.language.words.inflection import article_for, conjugate, make_plural, with_degree


class EntryError(UserError):
    """An entry of a file can't be used; `entry` is the word or name to look for in the file."""

    def __init__(self, fact: str, *, entry: str, hint: str) -> None:
        self.fact, self.entry, self.hint = fact, entry, hint
        super().__init__(f"{fact}\n  {hint}")


def locate_error(error: EntryError, text: str, *, name: str) -> BadInputError:
    r"""The error, with the file's name and the line of the entry.

    >>> error = EntryError("no word 'dgo'", entry="dgo", hint="Add it.")
    >>> print(locate_error(error, 'names = []\n[people]\nanimal = ["dgo"]', name="mine.toml"))
    mine.toml:3: no word 'dgo'
      Add it.
    """
    return BadInputError(error.fact, where=name + _line_of(text, error.entry), hint=error.hint)


def decode_error(error: Exception, text: str, *, name: str, hint: str) -> BadInputError:
    r"""The error, with its line, for a file that is not TOML or has invalid contents.

    >>> error = ValueError("Object contains unknown field `actz`")
    >>> print(decode_error(error, 'names = []\nactz = ["snore"]', name="mine.toml", hint="Leave it out."))
    mine.toml:2: Object contains unknown field `actz`
      Leave it out.
    """
    fact = str(error)
    if place := _PLACE.search(fact):
        return BadInputError(fact[: place.start()].rstrip(), where=f"{name}:{place[1]}", hint=hint)
    named = _FIELD.search(fact)
    return BadInputError(fact, where=name + (_line_of(text, named[1] or named[2]) if named else ""), hint=hint)


_PLACE = re.compile(r"\(at line (\d+), column \d+\)")
_FIELD = re.compile(r"field `(\w+)`|at `\$\.(?:.*\.)?(\w+)")
"""The end of a decoder's message that names a line, or a field."""


def _line_of(text: str, entry: str) -> str:
    spaced = r"\s*".join(map(re.escape, entry.split()))  # a comma may be attached to its word or not
    whole = re.compile(rf"(?<![\w.]){spaced}(?!\w|\.\w)")
    return next((f":{number}" for number, line in enumerate(text.splitlines(), 1) if whole.search(line)), "")


Kind = Literal["name", "act", "deed", "person", "thing", "quality", "place", "scale"]
Form = Literal["", "past", "base", "ing", "one", "many", "more", "less", "as"]


class Theme(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Things, and verbs that fit all of them."""

    verbs: tuple[str, ...] = ()
    """Verbs that take any of the nouns as their object."""
    nouns: dict[str, tuple[str, ...]] = {}
    """For each general noun, the more specific nouns."""


class LogicWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tables of a file of words; a user's own file may lack any of them."""

    names: tuple[str, ...] = ()
    acts: tuple[str, ...] = ()
    exits: tuple[str, ...] = ()
    manners: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    looks: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    scales: dict[str, str] = {}
    people: dict[str, tuple[str, ...]] = {}
    things: dict[str, Theme] = {}


class WordForm(NamedTuple):
    """A form of a word."""

    kind: Kind
    lemma: str
    form: Form


class LogicNoun(NamedTuple):
    """The forms of a noun."""

    one: str
    many: str
    with_article: str


class Verb(NamedTuple):
    """The forms of a verb."""

    past: str
    base: str
    ing: str


class LogicLexicon(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """All words, with their forms.

    >>> lexicon = standard_logic_lexicon()
    >>> lexicon.covers("animal", "poodle"), lexicon.covers("poodle", "dog"), lexicon.tokens["saw"]
    (True, False, WordForm(kind='deed', lemma='see', form='past'))
    """

    words: LogicWords

    @cached_property
    def tokens(self) -> dict[str, WordForm]:
        """The word that each form belongs to; no form belongs to two words."""
        forms: dict[str, WordForm] = {}
        for form, token in self._forms():
            other = forms.setdefault(form, token)
            if other != token:
                raise EntryError(
                    f"{token.lemma!r}: {form!r} is already a form of {other.lemma!r} ({other.kind})",
                    entry=token.lemma,
                    hint="A word of these families has one meaning, and its forms differ; leave this one out.",
                )
        return forms

    def covers(self, general: str, specific: str) -> bool:
        """True if the first noun is more general than the second."""
        return (specific, general) in self.covered

    @cached_property
    def covered(self) -> frozenset[tuple[str, str]]:
        """All pairs of a noun and a more general noun."""
        return frozenset((one, other) for one, others in self.covering.items() for other in others)

    @cached_property
    def covering(self) -> Mapping[str, tuple[str, ...]]:
        """For each noun, all more general nouns."""
        direct: dict[str, list[str]] = {}
        for table in (self.words.people, *(theme.nouns for theme in self.words.things.values())):
            for general, ones in table.items():
                for one in ones:
                    direct.setdefault(one, []).append(general)

        def above(one: str, below: tuple[str, ...]) -> Iterator[str]:
            for general in direct.get(one, ()):
                if general in below:
                    raise EntryError(
                        f"{general!r} would cover itself: {' < '.join((*below, general))}",
                        entry=one,
                        hint="Remove one of these lines: a noun covers narrower ones only.",
                    )
                yield general
                yield from above(general, (*below, general))

        return {one: tuple(dict.fromkeys(above(one, (one,)))) for one in direct}

    def _forms(self) -> Iterator[tuple[str, WordForm]]:
        words = self.words
        for each in words.names:
            yield each, WordForm("name", each, "")
        for each in (*words.states, *words.traits, *words.looks):
            yield each, WordForm("quality", each, "")
        for each in words.places:
            yield each.rpartition(" ")[2], WordForm("place", each, "")
        for each in (*words.acts, *words.exits, *words.manners):
            yield from _of_verb(each, "act")
        for each in _verb_words(words):
            yield from _of_verb(each, "deed")
        for each in noun_words(words.people):
            yield from _of_noun(each, "person")
        for each in _thing_words(words):
            yield from _of_noun(each, "thing")
        for each, other in words.scales.items():
            base, more, less = make_scale(each, other)
            yield from ((base, WordForm("scale", each, "as")), (more, WordForm("scale", each, "more")))
            yield less, WordForm("scale", each, "less")


@cache
def make_noun(one: str) -> LogicNoun:
    """The forms of a noun.

    >>> make_noun("owl")
    LogicNoun(one='owl', many='owls', with_article='an owl')
    """
    many = make_plural(one)
    if not many or many == one:
        raise EntryError(f"{one!r} has no plural of its own", entry=one, hint="Use a noun whose things can be counted.")
    return LogicNoun(one, many, f"{article_for(one)} {one}")


@cache
def make_verb(base: str) -> Verb:
    """The forms of a verb.

    >>> make_verb("see")
    Verb(past='saw', base='see', ing='seeing')
    """
    return Verb(conjugate(base, "VBD"), base, conjugate(base, "VBG"))


def make_scale(word: str, other: str) -> tuple[str, str, str]:
    """The two adjectives of a scale, with both comparatives.

    >>> make_scale("tall", "short")
    ('tall', 'taller', 'shorter')
    """
    more, less = with_degree(word, "JJR"), with_degree(other, "JJR")
    if not more or not less:
        raise EntryError(
            f"{word!r} or {other!r} has no comparative in -er",
            entry=word,
            hint='Use adjectives such as tall = "short".',
        )
    return word, more, less


@cache
def standard_logic_lexicon() -> LogicLexicon:
    """The words that come with Assay."""
    return LogicLexicon(words=load_toml(__file__, "lexicon", LogicWords))


def extend_words(base: LogicLexicon, added: LogicWords) -> LogicLexicon:
    """A lexicon with more words; an invalid entry raises an `EntryError`."""
    merged = _merge(msgspec.to_builtins(base.words), msgspec.to_builtins(added))
    lexicon = LogicLexicon(words=msgspec.convert(merged, LogicWords))
    _check_lexicon(lexicon)
    return lexicon


def _merge(ours: Any, theirs: Any) -> Any:
    """Merge tables entry by entry, and lists word by word."""
    if isinstance(ours, dict):
        return ours | {name: _merge(ours[name], more) if name in ours else more for name, more in theirs.items()}
    return theirs if isinstance(ours, str) else list(dict.fromkeys((*ours, *theirs)))


def _check_lexicon(lexicon: LogicLexicon) -> None:
    words = lexicon.words
    for each in words.names:
        if not (each[:1].isupper() and each.isalpha()):
            raise EntryError(f"{each!r} is not a name", entry=each, hint="A name is one word with a capital.")
    simple = (
        *words.acts,
        *words.exits,
        *words.manners,
        *words.states,
        *words.traits,
        *words.looks,
        *_verb_words(words),
    )
    for each in (*simple, *noun_words(words.people), *_thing_words(words), *words.scales):
        if not (each.isalpha() and each.islower()):
            raise EntryError(f"{each!r} is not one word", entry=each, hint="Use a single word in lower case.")
    for each in words.places:
        if len(each.split()) != 3 or each.split()[1] != "the":
            raise EntryError(f"{each!r} is not a place", entry=each, hint='A place looks like "in the park".')
    for each in (*words.traits, *words.looks):
        if article_for(each) != "a":
            raise EntryError(f'{each!r} needs "an"', entry=each, hint="Use an adjective that goes with the article a.")
    for name, theme in words.things.items():
        if not theme.verbs or not theme.nouns:
            raise EntryError(
                f"things.{name} has no {'nouns' if theme.verbs else 'verbs'}",
                entry=f"things.{name}",
                hint="A theme has verbs, and nouns that fit all of them.",
            )
    _ = lexicon.tokens, lexicon.covering  # forms that clash, and nouns that cover themselves


def _of_verb(base: str, kind: Kind) -> Iterator[tuple[str, WordForm]]:
    forms = make_verb(base)
    yield from ((forms.past, WordForm(kind, base, "past")), (forms.base, WordForm(kind, base, "base")))
    yield forms.ing, WordForm(kind, base, "ing")


def _of_noun(one: str, kind: Kind) -> Iterator[tuple[str, WordForm]]:
    yield from ((one, WordForm(kind, one, "one")), (make_noun(one).many, WordForm(kind, one, "many")))


def noun_words(table: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The distinct nouns of a table."""
    return list(dict.fromkeys(each for general, ones in table.items() for each in (general, *ones)))


def _thing_words(words: LogicWords) -> list[str]:
    return list(dict.fromkeys(each for theme in words.things.values() for each in noun_words(theme.nouns)))


def _verb_words(words: LogicWords) -> list[str]:
    return list(dict.fromkeys(each for theme in words.things.values() for each in theme.verbs))
