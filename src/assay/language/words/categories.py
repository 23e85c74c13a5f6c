"""Words by category, with what holds between them: ours in data/categories, and a user's own file over them."""

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
"""What kind of word it is, which decides how it is shaped and where it stands."""

Takes = Literal["object", "no object"]
"""What a verb has after it."""

Relation = Literal["exclusive", "same", "broader", "narrower"]
"""What the second word is to the first: one that excludes it, a synonym, a hypernym, a hyponym."""

CLOSED: Mapping[str, tuple[str, ...]] = {"part": get_args(Part), "takes": get_args(Takes)}
"""What a set of words may say where only some words will do."""

HINT = "docs/families/lexical.md shows what a file of categories may say."

_WORD = re.compile(r"[^\W_]+(?:[-'. ]+[^\W_]+)*\.?")
_OPERATOR = re.compile(r"\s*(=>|[/=<>])\s*")


class WordSet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of one kind."""

    part: Part
    """What kind of words they are."""
    entries: tuple[str, ...]
    """What holds between them; see `arrows`."""
    mass: tuple[str, ...] = ()
    """Nouns that are not counted: they stand without an article, and have no plural."""
    both: tuple[str, ...] = ()
    """Nouns that are counted or not: "a beer", and "beer"."""
    bare: bool = False
    """Nouns that are counted and may yet stand without an article, as in "plays guitar"."""
    modifies: bool = False
    """Nouns that may stand before another noun, as in "beer bottle", and adjectives that stand nowhere else."""
    on: tuple[str, ...] = ()
    """Places that one is on, where one is in the others: "in the kitchen", but "on the porch"."""
    after: tuple[str, ...] = ()
    """Words or phrases one of which must stand before, as "made of" before a material; none needed if empty."""
    before: tuple[str, ...] = ()
    """Words one of which must follow, as "hair" after "blond"; none needed if empty."""
    takes: Takes | None = None
    """Whether a verb must have an object after it, or must not."""


class Category(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words that belong to one topic."""

    why: str
    """What makes its words exclude each other, or mean the same, or one a kind of the other."""
    sets: tuple[WordSet, ...]
    """Its words."""


class Arrow(NamedTuple):
    """A word, what may stand in its place, and what holds between the two."""

    old: str
    new: str
    relation: Relation


def arrows(entry: str) -> Iterator[Arrow]:
    """What an entry says.

    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("red, blue")]
    ['red exclusive blue', 'blue exclusive red']
    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("hot / cold, icy")]
    ['hot exclusive cold', 'hot exclusive icy', 'cold exclusive hot', 'icy exclusive hot']
    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("near > far from")]
    ['near exclusive far from']
    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("ale < beer")]
    ['ale broader beer', 'beer narrower ale']
    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("big = large")]
    ['big same large', 'large same big']
    >>> [f"{old} {relation} {new}" for old, new, relation in arrows("gray | grey, pink")]
    ['gray exclusive pink', 'grey exclusive pink', 'pink exclusive gray', 'pink exclusive grey']
    """
    sides = _OPERATOR.split(entry)
    if len(sides) not in (1, 3):
        raise UserError(f"{entry!r}: one sign of / > = => < at the most.")
    left, right = _words(sides[0], entry), _words(sides[-1], entry)
    if len(sides) == 1:
        if len(left) < 2:
            raise UserError(f"{entry!r}: a word alone says nothing; give two or more, separated by commas.")
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


def _words(side: str, entry: str) -> list[tuple[str, ...]]:
    """The words of one side; a word that is spelt in several ways is one of them."""
    found = [tuple(each.strip() for each in word.split("|")) for word in side.split(",")]
    spellings = [each for word in found for each in word]
    for each in spellings:
        if not _WORD.fullmatch(each):
            raise UserError(f"{entry!r}: {each!r} is not a word or a phrase.")
    if len(set(spellings)) < len(spellings):
        raise UserError(f"{entry!r}: a word stands there twice.")
    return found


def categories(text: str = "", *, name: str = "categories") -> dict[str, Category]:
    r"""Every category, with those of a user's TOML text over them; `name` is how errors call the text.

    A category of the same name as one of ours adds its words to it.

    >>> "colors" in categories(), "tools" in categories('[tools]\nwhy = "They do different work."\nsets = []')
    (True, True)
    """
    return _load(text, name)


@cache
def _load(text: str, name: str) -> dict[str, Category]:
    if text:
        added = _decoded(text, name)
        ours = _load("", "")
        return {**ours, **{key: _joined(ours.get(key), each, key, name) for key, each in added.items()}}
    found: dict[str, Category] = {}
    for file in sorted((files("assay.language.resources.data") / "categories").iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            found |= _decoded(file.read_text(encoding="utf-8"), file.name)
    return found


def _decoded(text: str, name: str) -> dict[str, Category]:
    try:
        read = {key: _category(key, each) for key, each in msgspec.toml.decode(text, type=dict[str, Any]).items()}
    except (msgspec.DecodeError, UserError, RecursionError) as error:
        raise BadInputError(str(error), where=name, hint=HINT) from error
    return read


def _category(name: str, read: Any) -> Category:
    _check_closed(name, read)
    try:
        found = msgspec.convert(read, Category)
    except msgspec.ValidationError as error:
        raise UserError(f"{name}: {error}") from error
    for number, words in enumerate(found.sets, 1):
        _check(words, f"{name}, set {number}")
    _refuse_conflicts(name, found)
    return found


def _check_closed(name: str, read: Any) -> None:
    """Stop where a set says something else than what is possible, and say what is."""
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
    """Stop where two words are said to be two different things to each other."""
    said: dict[tuple[Part, str, str], tuple[Relation, str]] = {}
    for words in category.sets:
        for entry in words.entries:
            for old, new, relation in arrows(entry):
                before, first = said.setdefault((words.part, old, new), (relation, entry))
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


def _check(words: WordSet, where: str) -> None:
    try:
        known = members([words])
    except UserError as error:
        raise UserError(f"{where}: {error}") from error
    for field in ("mass", "both", "on"):
        marked: tuple[str, ...] = getattr(words, field)
        if stray := [word for word in marked if word not in known]:
            raise UserError(f"{where}: {stray[0]!r} is in `{field}`, but in no entry{did_you_mean(stray[0], known)}")
        if marked and words.part != "noun":
            raise UserError(f"{where}: `{field}` is for nouns; these are of part {words.part!r}.")


def _joined(ours: Category | None, theirs: Category, key: str, name: str) -> Category:
    """A user's category over ours of the same name, if the two do not contradict each other."""
    joined = msgspec.structs.replace(ours, sets=ours.sets + theirs.sets) if ours else theirs
    try:
        _refuse_conflicts(key, joined)
    except UserError as error:
        raise BadInputError(str(error), where=name, hint=HINT) from error
    return joined


def read_text(path: str | Path) -> str:
    """A user's file of categories as text, checked, which is what a recipe keeps of it."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"the categories can't be read: {error}", where=str(path)) from error
    categories(text, name=str(path))
    if not _decoded(text, str(path)):
        raise BadInputError("it names no category", where=str(path), hint=HINT)
    return text


def members(words: Iterable[WordSet]) -> frozenset[str]:
    """Every word of some sets."""
    return frozenset(
        word for each in words for entry in each.entries for arrow in arrows(entry) for word in (arrow.old, arrow.new)
    )
