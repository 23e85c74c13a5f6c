"""Word categories and the relations between their words: those in data/categories, extended by a user's file."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from assay.core.errors import BadInputError, UserError, did_you_mean

Part = Literal["noun", "adjective", "verb", "adverb", "preposition", "name", "number", "ordinal"]
"""Kinds of words, which decide their forms and where they can be used."""

Takes = Literal["object", "no object"]

Relation = Literal["exclusive", "same", "broader", "narrower"]
"""The relation of the second word to the first: it excludes it, or is a synonym, a hypernym or a hyponym."""

CLOSED: Mapping[str, tuple[str, ...]] = {"part": get_args(Part), "takes": get_args(Takes)}
"""The fields of a set of words that allow only certain values."""

HINT = "docs/how-to/custom-templates.md explains the file of categories."

_WORD = re.compile(r"[^\W_]+(?:[-'. ]+[^\W_]+)*\.?")
_OPERATOR = re.compile(r"(=>|[/=<>])")


class WordSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of one kind."""

    part: Part
    entries: tuple[str, ...]
    """The relations between them; see `read_arrows`."""
    mass: tuple[str, ...] = ()
    """Uncountable nouns: they have no article and no plural."""
    both: tuple[str, ...] = ()
    """Nouns that can be countable or not: "a beer", and "beer"."""
    bare: bool = False
    """Countable nouns that can still be used without an article, as in "plays guitar"."""
    modifies: bool = False
    """Nouns that can precede another noun, as in "beer bottle", and adjectives that can only be used there."""
    on: tuple[str, ...] = ()
    """Places that take "on" instead of "in": "in the kitchen", but "on the porch"."""
    after: tuple[str, ...] = ()
    """Words or phrases, one of which must come before, such as "made of" before a material; empty if none is needed."""
    before: tuple[str, ...] = ()
    """Words, one of which must follow, such as "hair" after "blond"; empty if none is needed."""
    takes: Takes | None = None
    """Whether a verb must have an object, or must not have one."""


class Category(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that belong to one topic."""

    why: str
    """The reason why its words exclude each other, mean the same, or are kinds of each other."""
    sets: tuple[WordSet, ...]


class Arrow(NamedTuple):
    """A word, its possible replacement, and the relation between the two."""

    old: str
    new: str
    relation: Relation


def read_arrows(entry: str) -> Iterator[Arrow]:
    """A relation between words, as an entry writes it.

    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("red, blue")]
    ['red exclusive blue', 'blue exclusive red']
    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("hot / cold, icy")]
    ['hot exclusive cold', 'hot exclusive icy', 'cold exclusive hot', 'icy exclusive hot']
    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("near > far from")]
    ['near exclusive far from']
    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("ale < beer")]
    ['ale broader beer', 'beer narrower ale']
    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("big = large")]
    ['big same large', 'large same big']
    >>> [f"{old} {relation} {new}" for old, new, relation in read_arrows("gray | grey, pink")]
    ['gray exclusive pink', 'grey exclusive pink', 'pink exclusive gray', 'pink exclusive grey']
    """
    sides = [side.strip() for side in _OPERATOR.split(entry)]
    if len(sides) not in (1, 3):
        raise UserError(f"{entry!r}: use at most one of / > = => <.")
    left, right = _side_words(sides[0], entry), _side_words(sides[-1], entry)
    if len(sides) == 1:
        if len(left) < 2:
            raise UserError(f"{entry!r}: one word is not enough; give two or more, separated by commas.")
        sides = [sides[0], "/", sides[0]]
    there, back = _BY_SIGN[sides[1]]
    for one, other in product(left, right):
        if one != other:
            yield from (Arrow(old, new, there) for old, new in product(one, other))
    if back and left != right:
        for one, other in product(right, left):
            yield from (Arrow(old, new, back) for old, new in product(one, other))


_BY_SIGN: dict[str, tuple[Relation, Relation | None]] = {
    "/": ("exclusive", "exclusive"),
    ">": ("exclusive", None),
    "=": ("same", "same"),
    "=>": ("same", None),
    "<": ("broader", "narrower"),
}


def _side_words(side: str, entry: str) -> list[tuple[str, ...]]:
    """The words on one side of an entry; alternative spellings of a word are all included."""
    split_words = [tuple(each.strip() for each in word.split("|")) for word in side.split(",")]
    spellings = [each for word in split_words for each in word]
    for each in spellings:
        if not _WORD.fullmatch(each):
            raise UserError(f"{entry!r}: {each!r} is not a word or a phrase.")
    if len(set(spellings)) < len(spellings):
        raise UserError(f"{entry!r}: a word appears twice.")
    return split_words


@cache
def load_categories(text: str = "", *, name: str = "categories") -> dict[str, Category]:
    r"""Every category, extended by those of a user's TOML text; `name` is what errors call the text.

    A category with the same name as one of ours adds its words to ours.

    >>> "colors" in load_categories(), "tools" in load_categories('[tools]\nwhy = "They do different work."\nsets = []')
    (True, True)
    """
    if text:
        added = _decode(text, name)
        ours = load_categories()
        return {**ours, **{key: _merge_categories(ours.get(key), each, key, name) for key, each in added.items()}}
    categories: dict[str, Category] = {}
    for file in sorted((files("assay.language.resources.data") / "categories").iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            categories |= _decode(file.read_text(encoding="utf-8"), file.name)
    return categories


def _decode(text: str, name: str) -> dict[str, Category]:
    try:
        read = {key: _make_category(key, each) for key, each in msgspec.toml.decode(text, type=dict[str, Any]).items()}
    except (msgspec.DecodeError, UserError, RecursionError, ValueError) as error:
        raise BadInputError(str(error), where=name, hint=HINT) from error
    return read


def _make_category(name: str, read: Any) -> Category:
    _check_closed(name, read)
    try:
        category = msgspec.convert(read, Category)
    except msgspec.ValidationError as error:
        raise UserError(f"{name}: {error}") from error
    for number, words in enumerate(category.sets, 1):
        _check_category(words, f"{name}, set {number}")
    _refuse_conflicts(name, category)
    return category


def _check_closed(name: str, read: Any) -> None:
    """Refuse a set with a value that is not allowed, and list the allowed values."""
    sets = read.get("sets") if isinstance(read, Mapping) else None
    for number, words in enumerate(sets if isinstance(sets, list) else (), 1):
        if not isinstance(words, Mapping):
            continue
        where = f"{name}, set {number}"
        if "part" not in words:
            raise UserError(f"{where}: `part` is missing. It can be {', '.join(CLOSED['part'])}.")
        for field, possible in CLOSED.items():
            if field in words and words[field] not in possible:
                guess = did_you_mean(str(words[field]), possible)
                raise UserError(f"{where}: `{field}` can't be {words[field]!r}{guess} It can be {', '.join(possible)}.")


def _refuse_conflicts(name: str, category: Category) -> None:
    """Refuse a category that gives two words two different relations."""
    relations: dict[tuple[Part, str, str], tuple[Relation, str]] = {}
    for words in category.sets:
        for entry in words.entries:
            for old, new, relation in read_arrows(entry):
                before, first = relations.setdefault((words.part, old, new), (relation, entry))
                if before != relation:
                    raise UserError(
                        f"{name}: {entry!r} and {first!r} contradict each other: {new!r} can't be "
                        f"{_AS_WORDS[relation]} {old!r}, and {_AS_WORDS[before]} it."
                    )


_AS_WORDS: dict[Relation, str] = {
    "exclusive": "other than",
    "same": "the same as",
    "broader": "broader than",
    "narrower": "narrower than",
}


def _check_category(words: WordSet, where: str) -> None:
    try:
        known = set_members([words])
    except UserError as error:
        raise UserError(f"{where}: {error}") from error
    for field in ("mass", "both", "on"):
        marked: tuple[str, ...] = getattr(words, field)
        if stray := [word for word in marked if word not in known]:
            raise UserError(f"{where}: {stray[0]!r} is in `{field}`, but in no entry{did_you_mean(stray[0], known)}")
        if marked and words.part != "noun":
            raise UserError(
                f"{where}: `{field}` is allowed only for nouns, but these words have part = {words.part!r}."
            )


def _merge_categories(ours: Category | None, theirs: Category, key: str, name: str) -> Category:
    """Merge a user's category into the built-in one of the same name; refuse contradictions."""
    joined = msgspec.structs.replace(ours, sets=ours.sets + theirs.sets) if ours else theirs
    try:
        _refuse_conflicts(key, joined)
    except UserError as error:
        raise BadInputError(str(error), where=name, hint=HINT) from error
    return joined


def read_text(path: str | Path) -> str:
    """A user's file of categories as text, after validation; a recipe stores this text."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"the categories can't be read: {error}", where=str(path)) from error
    load_categories(text, name=str(path))
    if not _decode(text, str(path)):
        raise BadInputError("it has no categories", where=str(path), hint=HINT)
    return text


def set_members(words: Iterable[WordSet]) -> frozenset[str]:
    """Every word of the given sets."""
    arrows = (arrow for each in words for entry in each.entries for arrow in read_arrows(entry))
    return frozenset(word for arrow in arrows for word in (arrow.old, arrow.new))
