"""The forms of verbs: which forms a lemma has, by tag."""

import re
from functools import cache

from assay.language.resources.data import table

VERB_TAGS = ("VB", "VBZ", "VBG", "VBD", "VBN")
"""Base (also VBP), third person, present participle, past, past participle."""

_DOUBLES = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][bdgklmnprt]$")
_CONSONANT_Y = re.compile(r"[^aeiou]y$")
_HISSES = re.compile(r"(?:s|x|z|ch|sh|[^aeiou]o)$")


@cache
def conjugated(lemma: str, tag: str) -> str:
    """A form of a verb; in a verb of several words, the first is inflected.

    >>> [conjugated("stop", tag) for tag in ("VB", "VBZ", "VBG", "VBD", "VBN")]
    ['stop', 'stops', 'stopping', 'stopped', 'stopped']
    >>> conjugated("lie down", "VBG"), conjugated("carry", "VBZ"), conjugated("eat", "VBN"), conjugated("hug", "VBD")
    ('lying down', 'carries', 'eaten', 'hugged')
    """
    verb, blank, rest = lemma.partition(" ")
    if tag == "VBZ":
        shaped = _third(verb)
    elif tag == "VBG":
        shaped = _participle(verb)
    elif tag in ("VBD", "VBN"):
        irregular = table("irregular_verbs").get(verb)
        shaped = irregular[tag == "VBN"] if irregular else _past(verb)
    else:
        shaped = verb
    return shaped + blank + rest


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ies"
    return verb + ("es" if _HISSES.search(verb) else "s")


def _participle(verb: str) -> str:
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "ye", "oe")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return _doubled(verb) + "ing"


def _past(verb: str) -> str:
    if verb.endswith("e"):
        return verb + "d"
    if _CONSONANT_Y.search(verb):
        return verb[:-1] + "ied"
    return _doubled(verb) + "ed"


def _doubled(verb: str) -> str:
    ends = _DOUBLES.search(verb) or verb in (
        "begin",
        "forget",
        "admit",
        "permit",
        "prefer",
        "unplug",
        "unzip",
        "occur",
        "refer",
        "transfer",
        "commit",
    )
    return verb + verb[-1] if ends else verb
