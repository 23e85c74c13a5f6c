"""The labels that two scenes allow: how the contents of the two are related, word by word."""

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from assay.audit.scene_reader import Action, Circumstance, Scene, Thing, in_active_voice, read_scenes
from assay.core.label import Label
from assay.language.resources.data import load_words, word_list
from assay.language.resources.installed import wordnet
from assay.stress.lexical import lexical_relations
from assay.stress.logic.from_corpus.doubts import HEDGES, NOT_A_KIND
from assay.stress.logic.from_corpus.phrase_relations import UNDECIDED, word_relation
from assay.stress.logic.from_corpus.projection import MEASURES

WORDS = load_words(__file__)
GROUPS = WORDS["groups"]
UNNAMED = WORDS["unnamed"]
OPAQUE = frozenset({"without", "to do"})  # conjunctions before clauses that need not be true
ALIKE = WORDS["alike"]
UNREAL = WORDS["unreal"]
COVERED = WORDS["covered"]
EXCLUSIVE = WORDS["exclusive"]

E, N, C = Label.ENTAILMENT, Label.NEUTRAL, Label.CONTRADICTION


class Reading(NamedTuple):
    labels: frozenset[Label] = frozenset()  # empty if nothing is certain
    reason: str = ""  # the reason for the labels, or why nothing follows


class Relation(NamedTuple):
    """The hypothesis's part compared with the premise's."""

    sign: Literal["same", "broader", "narrower", "opposite", "other"]
    near: bool = False  # true if people may treat the two as the same, so that they do not exclude each other
    why: tuple[str, ...] = ()  # the changes, in words


class Context(NamedTuple):
    counted: bool  # true if the number of things matters; False under "no"
    denied: bool  # true if one of the texts denies it


PLAIN = Context(counted=True, denied=False)
SAME = Relation("same")
OTHER = Relation("other")
NEAR = Relation("same", near=True)


def read_labels(premise: str, hypothesis: str) -> Reading:
    """The labels that two short texts about one situation allow, and why.

    >>> found = read_labels("A man is playing a guitar.", "There is no person playing a guitar.")
    >>> sorted(label.value for label in found.labels), found.reason
    (['contradiction'], 'the hypothesis denies it; "person" covers "man"')
    """
    first, second = read_scenes(premise), read_scenes(hypothesis)
    if isinstance(first, str) or isinstance(second, str):
        side, why = ("premise", first) if isinstance(first, str) else ("hypothesis", second)
        return Reading(reason=f"the {side} is not read: {why}")
    if len(first) == len(second) == 1:
        return _compare_scenes(first[0], second[0])
    return _compare_several(first, second)


def _compare_several(first: Sequence[Scene], second: Sequence[Scene]) -> Reading:
    """Several clauses: all of the hypothesis's must follow, or one must be excluded."""
    every: list[list[Reading]] = [[_compare_scenes(one, other) for one in first] for other in second]
    if all(any(found.labels == {E} for found in row) for row in every):
        reasons = [next(found.reason for found in row if found.labels == {E}) for row in every]
        return Reading(frozenset({E}), "; ".join(dict.fromkeys(reasons)))
    if len(first) == len(second):
        pairs = [every[k][k] for k in range(len(first))]
        odd = [found for found in pairs if found.labels != {E}]
        if len(odd) == 1 and odd[0].labels:
            return odd[0]
    return Reading(reason="the relation between its clauses is unknown")


def _compare_scenes(one: Scene, other: Scene) -> Reading:
    if one.past != other.past:
        return Reading(reason="the tenses differ")
    if any(each.passive for each in one.actions) != any(each.passive for each in other.actions):
        one, other = in_active_voice(one), in_active_voice(other)
    if "not" in (one.denial, other.denial):
        return _compare_denied(one, other)
    denied = bool(one.denial or other.denial)
    relation = _relate_described(one, other, how=Context(counted=not denied, denied=denied))
    if denied and one.who.noun != other.who.noun and "person" in (one.who.noun, other.who.noun):
        relation = relation._replace(near=True)  # people take a person for the man who was named
    return _label(relation, one.denial, other.denial)


def _label(relation: Relation, denies: str, denied: str) -> Reading:
    """The labels of two scenes with or without a denial of the whole."""
    sign, near, why = relation
    if sign == "other":
        return Reading(reason="the relation of the old words to the new ones is unknown")
    if sign == "opposite":
        return Reading() if denies or denied else Reading(frozenset({C}), _told(why))
    follows: tuple[str, ...] = ("same", "broader") if denied or not denies else ("same", "narrower")
    certain = E
    if denies and denied:
        follows, why = ("same", "narrower"), (*why, "both deny it")
    elif denies or denied:
        certain, why = C, (f"the {'hypothesis' if denied else 'premise'} denies it", *why)
    if sign in follows:
        return Reading(frozenset({certain}), _told(why) or "it says the same")
    return Reading(reason="it means nearly the same") if near else Reading(frozenset({N}), _told(why))


def _told(why: Sequence[str]) -> str:
    return "; ".join(dict.fromkeys(why))


def _compare_denied(one: Scene, other: Scene) -> Reading:
    """Scenes of which at least one says that somebody does not do something."""
    if "none" in (one.denial, other.denial):
        return Reading(reason="it is unclear whether anybody is there")
    if not all(each.who.amount in ("one", "the", "own") or isinstance(each.who.amount, int) for each in (one, other)):
        return Reading(reason="some of them may do it and others not")
    who = _relate_things(one.who, other.who)
    said, claimed = ([Circumstance("who", None, each) for each in scene.actions] for scene in (one, other))
    does = _relate_circumstances(said, claimed, free=True, how=Context(counted=True, denied=True))
    if one.denial and other.denial:
        if who.sign in ("same", "broader") and does.sign in ("same", "narrower"):
            return Reading(frozenset({E}), _told((*who.why, *does.why, "both deny it")))
        if who.sign == "same" and does.sign == "broader" and not does.near:
            return Reading(frozenset({N}), _told((*does.why, "both deny it")))
        return Reading(reason="the relation of the old words to the new ones is unknown")
    if who.sign != "same" or who.why:
        return Reading(reason="it is unclear whether both are about the same people")
    found = _label(does, one.denial, other.denial)
    return found if found.labels == {C} else Reading(reason="it is unclear which part is denied")


# --- Descriptions: somebody with everything that is said of them. ---


def _relate_described(one: Scene, other: Scene, *, how: Context) -> Relation:
    bare = [
        each.who._replace(about=tuple(detail for detail in each.who.about if detail.link == "of"))
        for each in (one, other)
    ]
    who = _relate_things(*bare, how=how)
    if who.sign == "other":
        return OTHER
    said, claimed = (
        [*(detail for detail in each.who.about if detail.link != "of"), *_properties(each.actions)]
        for each in (one, other)
    )
    rest = _relate_circumstances(said, claimed, free=True, how=how)
    signs = who.sign, rest.sign
    return OTHER if "opposite" in signs and signs != ("same", "opposite") else _joined(who, rest)


def _properties(actions: Sequence[Action]) -> Iterator[Circumstance]:
    for action in actions:
        if action.verb == "be" and not action.objects and not action.quality and not action.passive:
            yield from action.around
        else:
            yield Circumstance("who", None, action)


def _joined(*relations: Relation) -> Relation:
    """The relation of two wholes, from the relations of their parts."""
    signs = {each.sign for each in relations} - {"same"}
    why = tuple(reason for each in relations for reason in each.why)
    if not signs:
        return Relation("same", any(each.near for each in relations), why)
    if len(signs) > 1 or "other" in signs:
        return OTHER
    (sign,) = signs
    near = all(each.near for each in relations if each.sign == sign)
    return Relation(sign, near, why)


def _relate_things(one: Thing, other: Thing, *, how: Context = PLAIN) -> Relation:
    if one.joined or other.joined:
        return _relate_joined(one, other, how=how)
    if (inside := _members(one)) and not _members(other) and other.many:
        return _joined(_relate_things(inside, other, how=how._replace(counted=False)), Relation("broader", near=True))
    if (inside := _members(other)) and not _members(one) and one.many:
        return _joined(_relate_things(one, inside, how=how._replace(counted=False)), Relation("narrower", near=True))
    parts = [
        _relate_counts(one, other) if how.counted else SAME,
        _relate_nouns(one, other),
        _relate_kinds(one, other),
        _relate_circumstances(one.about, other.about, free=False, how=how),
    ]
    found = _joined(*parts)
    if found.sign != "same" and one.amount == "many":
        return OTHER  # many of few may be few of many
    if how.denied and found.sign in ("broader", "narrower") and {"the", "own"} & {one.amount, other.amount}:
        return OTHER  # who does not see the red car may see no car at all
    return found


def _members(thing: Thing) -> Thing | None:
    """The people of "a group of people"."""
    if thing.noun in GROUPS and thing.amount in ("one", "the") and thing.about and thing.about[0].link == "of":
        inside = thing.about[0].thing
        return inside._replace(about=(*inside.about, *thing.about[1:])) if inside and inside.many else None
    return None


def _relate_joined(one: Thing, other: Thing, *, how: Context) -> Relation:
    mine = [one._replace(joined=()), *one.joined]
    theirs = [other._replace(joined=()), *other.joined]
    if len(mine) != len(theirs):
        return OTHER
    pairs = [_relate_things(a, b, how=how) for a, b in zip(mine, theirs, strict=True)]
    if any(each.sign == "other" for each in pairs) and len(mine) == 2:
        pairs = [_relate_things(a, b, how=how) for a, b in zip(mine, reversed(theirs), strict=True)]
    return _joined(*pairs)


def _relate_counts(one: Thing, other: Thing) -> Relation:
    if one.amount == other.amount and one.many == other.many:
        return SAME
    if "other" in (one.amount, other.amount) or "many" in (one.amount, other.amount):
        return OTHER
    if other.amount == "own" and one.amount != "the":
        return OTHER
    if one.amount == "own" and other.amount != "the":
        return Relation("broader", near=True) if one.many == other.many else OTHER
    if isinstance(one.amount, int) and isinstance(other.amount, int):
        return OTHER
    if one.many != other.many and not (one.amount == 1 or other.amount == 1):
        return OTHER
    if isinstance(one.amount, int):
        if one.amount == 1:
            return NEAR if not other.many else OTHER
        return Relation("broader", near=True) if other.amount in ("bare", "several") else OTHER
    if isinstance(other.amount, int):
        return NEAR if other.amount == 1 and not one.many else OTHER
    return NEAR


def _relate_nouns(one: Thing, other: Thing) -> Relation:
    if one.noun == other.noun:
        return SAME
    if not (one.noun and other.noun) and {one.noun, other.noun} & UNNAMED:
        return NEAR
    if not other.noun:
        return Relation("broader", False, (f'"{one.noun}" is not named in the hypothesis',))
    if not one.noun:
        return Relation("narrower", False, (f'"{other.noun}" is named only in the hypothesis',))
    found = _relate_words(one.noun, other.noun, "n")
    kinds = {*one.kinds, *other.kinds}
    if found.sign != "same" and not all(wordnet().morphy(kind, "a") for kind in kinds):
        return OTHER  # a mixing table is not a piece of furniture
    if found.sign in ("broader", "narrower") and (kinds & MEASURES or kinds & NOT_A_KIND):
        return OTHER  # a large mouse is a small animal, and the same mouse is not the same animal
    return found


def _relate_kinds(one: Thing, other: Thing) -> Relation:
    """The words before a noun: fewer of them cover more."""
    lost = [word for word in one.kinds if not any(_mean_same(word, each) for each in other.kinds)]
    new = [word for word in other.kinds if not any(_mean_same(word, each) for each in one.kinds)]
    if not lost and not new:
        return SAME if one.kinds == other.kinds else NEAR
    if lost and new:
        return OTHER
    changed = lost or new
    if any(word in NOT_A_KIND or word in HEDGES or word in UNREAL for word in changed):
        return OTHER
    told = " ".join(changed)
    if lost:
        return Relation("broader", False, (f'the hypothesis leaves out "{told}"',))
    return Relation("narrower", False, (f'only the hypothesis says "{told}"',))


def _relate_circumstances(
    mine: Sequence[Circumstance], theirs: Sequence[Circumstance], *, free: bool, how: Context
) -> Relation:
    """The modifiers of a thing or an action. The words of one are matched with those of the other, in order.

    If they are `free`, each describes the same people, so that the order says nothing.
    """
    left = [*range(len(mine))]
    parts: list[Relation] = []
    new: list[Circumstance] = []
    last = -1
    for claim in theirs:
        options = [(k, _relate_details(mine[k], claim, how=how)) for k in left if free or k > last]
        options = [each for each in options if each[1].sign != "other"]
        if not options:
            new.append(claim)
            continue
        best = min(options, key=lambda each: (each[1].sign != "same", each[1].sign != "broader", each[0]))
        left.remove(best[0])
        last = best[0]
        parts.append(best[1])
    lost = [mine[k] for k in left]
    if (lost and new) or not all(map(_may_drop, (*lost, *new))) or _hangs_on(mine if lost else theirs, lost or new):
        return OTHER
    if lost:
        parts.append(Relation("broader", False, tuple(f'the hypothesis leaves out "{_words(each)}"' for each in lost)))
    if new:
        parts.append(Relation("narrower", False, tuple(f'only the hypothesis says "{_words(each)}"' for each in new)))
    return _joined(*parts) if parts else SAME


def _hangs_on(whole: Sequence[Circumstance], dropped: Sequence[Circumstance]) -> bool:
    """True if the words after a dropped phrase may belong to it: "with a dog on a leash" without "with a dog"."""
    return any(
        each in dropped and each.thing and following not in dropped and following.thing
        for each, following in pairwise(whole)
    )


def _may_drop(detail: Circumstance) -> bool:
    if detail.action is None and detail.thing is None:
        return detail.link not in HEDGES and detail.link not in UNREAL
    return detail.link not in ("of", "about")


def _words(detail: Circumstance) -> str:
    if detail.thing:
        return f"{detail.link} {_phrase(detail.thing)}"
    if detail.action:
        action = detail.action
        return " ".join([action.quality or action.verb, *(_phrase(each) for each in action.objects)])
    return detail.link


def _phrase(thing: Thing) -> str:
    return " ".join([*thing.kinds, thing.noun or "something"])


def _relate_details(one: Circumstance, other: Circumstance, *, how: Context) -> Relation:
    if OPAQUE.intersection((one.link, other.link)):
        return SAME if one == other else OTHER
    if one.action and other.action:
        return _relate_action(one.action, other.action, how=how)
    if one.action or other.action or bool(one.thing) != bool(other.thing):
        return OTHER
    things = _relate_things(one.thing, other.thing, how=how) if one.thing and other.thing else SAME
    if _mean_same(one.link, other.link):
        return things
    if things.sign == "same" and _exclude(one.link, other.link):
        return Relation("opposite", False, (f'"{other.link}" excludes "{one.link}"',))
    return OTHER


def _relate_action(one: Action, other: Action, *, how: Context) -> Relation:
    if one.passive != other.passive:
        return OTHER
    around = _relate_circumstances(one.around, other.around, free=False, how=how)
    by = SAME
    if one.by and other.by:
        by = _relate_things(one.by, other.by, how=how)
    elif one.by:
        by = Relation("broader", False, ("the hypothesis does not say by whom",))
    elif other.by:
        by = Relation("narrower", False, ("only the hypothesis says by whom",))
    if len(one.objects) != len(other.objects):
        return OTHER
    objects = [_relate_things(a, b, how=how) for a, b in zip(one.objects, other.objects, strict=True)]
    if any(each.sign == "opposite" for each in objects):
        return OTHER
    verbs = _relate_verbs(one, other)
    if verbs.sign == "opposite" or around.sign == "opposite":
        rest = _joined(*objects, by, *([around] if verbs.sign == "opposite" else [verbs]))
        if rest.sign != "same":
            return OTHER
        return Relation("opposite", False, (*verbs.why, *around.why))
    return _joined(verbs, by, *objects, around)


def _relate_verbs(one: Action, other: Action) -> Relation:
    if one.verb != other.verb:
        return OTHER if "be" in (one.verb, other.verb) else _relate_words(one.verb, other.verb, "v")
    if one.quality == other.quality:
        return SAME
    if one.quality and other.quality:
        if _mean_same(one.quality, other.quality):
            return NEAR
        if _exclude(one.quality, other.quality):
            return Relation("opposite", False, (f'"{other.quality}" excludes "{one.quality}"',))
    return OTHER


# --- Words. ---


@lru_cache(maxsize=1 << 14)
def _relate_words(one: str, other: str, pos: str) -> Relation:
    if f"{one}/{other}" in UNDECIDED or f"{other}/{one}" in UNDECIDED:
        return OTHER
    if _mean_same(one, other):
        return Relation("same", True, (f'"{other}" is "{one}"',))
    if _exclude(one, other):
        return Relation("opposite", False, (f'"{other}" excludes "{one}"',)) if pos == "v" else OTHER
    if pos == "v" and f"{one}/{other}" in COVERED:
        return Relation("broader", False, (f'"{other}" covers "{one}"',))
    if pos == "v" and f"{other}/{one}" in COVERED:
        return Relation("narrower", False, (f'"{other}" is a kind of "{one}"',))
    found = word_relation(one, other, pos)
    if found is None or found.relation == "exclusive":
        return OTHER
    if found.relation == "same":
        return Relation("same", True, (f'"{other}" is "{one}"',))
    why = f'"{other}" covers "{one}"' if found.relation == "broader" else f'"{other}" is a kind of "{one}"'
    return Relation(found.relation, found.near, (why,))


@cache
def _listed(name: str) -> frozenset[tuple[str, str]]:
    pairs = set()
    listed = EXCLUSIVE if name == "exclusive" else word_list(name, lexical_relations.__file__)
    for each in (*listed, *(ALIKE if name == "equivalents" else ())):
        one, _, other = each.replace("_", " ").partition("/")
        pairs |= {(one, other), (other, one)}
    return frozenset(pairs)


def _mean_same(one: str, other: str) -> bool:
    return one == other or (one, other) in _listed("equivalents")


def _exclude(one: str, other: str) -> bool:
    return any((one, other) in _listed(name) for name in ("contraries", "contraries_of_verbs", "exclusive"))
