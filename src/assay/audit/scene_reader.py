"""Scenes: who does what to whom, where and how, from the words of a short text in the present or past tense.

Every word must have a place in the scene. A text with any other word is rejected, because a proof that skips a word
proves nothing.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from assay.language.numbers.number_words import value_of
from assay.language.polarity.phrase_bounds import NOUNS
from assay.language.resources.data import load_words, table
from assay.language.resources.installed import wordnet
from assay.language.text.analysis import Tagged, analyse
from assay.stress.logic.from_corpus.doubts import ATTITUDES, HEDGES

WORDS = load_words(__file__)

LONGEST = 40  # tokens of a text, at most
BE = frozenset({"is", "are", "was", "were", "'s", "'re"})
NOT = frozenset({"not", "n't"})
ADJECTIVES = frozenset({"JJ"})
BEFORE_NOUN = ADJECTIVES | {"VBN", "VBG", "NNP"}
COMPARED = frozenset({"JJR", "JJS", "RBR", "RBS"})
VERBS = frozenset({"VBG", "VBZ", "VBP", "VBD", "VBN", "VB"})
PAST = frozenset({"was", "were", "did", "had"})
EMPTY = WORDS["empty"]
PERSONS = WORDS["persons"]
NOBODY = WORDS["nobody"]
PRONOUNS = WORDS["pronouns"]
SEVERAL = WORDS["several"]
OWNERS = WORDS["owners"]
UNREAD = WORDS["unread"]
PARTICLES = WORDS["particles"]
LONG_PREPOSITIONS = tuple(tuple(each.split()) for each in sorted(WORDS["long_prepositions"]))
PREPOSITIONS = WORDS["prepositions"]
PLACES = WORDS["places"]
GENERAL = WORDS["general"]
POSTURES = WORDS["postures"]
STATES = WORDS["states"]

Amount = Literal["one", "the", "bare", "several", "many", "own", "other"] | int
Denial = Literal["", "none", "not"]


class Thing(NamedTuple):
    noun: str  # the lemma of its head; empty for somebody or something that is not named
    amount: Amount  # its determiner: a number, or one, the, several or none
    many: bool  # true if it is a plural
    kinds: tuple[str, ...] = ()  # words before the noun that describe it
    about: tuple["Circumstance", ...] = ()  # phrases and clauses after the noun
    joined: tuple["Thing", ...] = ()  # the further things of "a man and a woman"


class Action(NamedTuple):
    """A verb with its objects and circumstances, or a state: "be" with an adjective, a noun or a place."""

    verb: str
    objects: tuple[Thing, ...] = ()
    around: tuple["Circumstance", ...] = ()
    quality: str = ""  # the adjective after "be"
    by: Thing | None = None  # who does it, if the sentence is in the passive
    passive: bool = False


class Circumstance(NamedTuple):
    """A preposition with a thing, an adverb (without one), or an action of the thing before it."""

    link: str
    thing: Thing | None = None
    action: Action | None = None


class Scene(NamedTuple):
    """A clause: somebody who does something."""

    who: Thing
    actions: tuple[Action, ...]
    denial: Denial
    """`none`: nobody does it. `not`: the people mentioned do not do it."""
    past: bool


class _UnreadableError(Exception):
    """A word could not be parsed."""


@lru_cache(maxsize=4096)
def read_scenes(text: str) -> tuple[Scene, ...] | str:
    """The scenes of a text, or why it can't be read.

    >>> scene, = read_scenes("A man isn't playing a guitar.")
    >>> scene.who.noun, scene.actions[0].verb, scene.actions[0].objects[0].noun, scene.denial
    ('man', 'play', 'guitar', 'not')
    >>> read_scenes("Only a man is singing.")
    'it has the word "only"'
    """
    tokens = [each for each in analyse(text) if each.text not in ('"', "``", "''")]
    while tokens and tokens[-1].text in (".", "!"):
        tokens.pop()
    if not tokens or tokens[-1].sentence != tokens[0].sentence:
        return "it is not one sentence"
    if len(tokens) > LONGEST:
        return "it is long"
    low = [each.text.lower() for each in tokens]
    if any(each.tag in COMPARED for each in tokens):
        return "it compares"
    if unread := next((word for k, word in enumerate(low) if word in UNREAD and not _is_noun(tokens, k)), ""):
        return f'it has the word "{unread}"'
    try:
        return _Reader(low, [each.tag for each in tokens]).scenes()
    except _UnreadableError as error:
        return str(error)


def _is_noun(tokens: Sequence[Tagged], k: int) -> bool:
    """True if "can" is a thing, or "few" a number: "a can of food", "a few men"."""
    word, before = tokens[k].text.lower(), tokens[k - 1]
    return k > 0 and (
        (word == "can" and before.tag in ("DT", "NN", "JJ"))
        or (word == "few" and before.text.lower() == "a")
        or (word == "each" and k + 1 < len(tokens) and tokens[k + 1].text.lower() == "other")
    )


class _Reader:
    """The words of one text, read from left to right."""

    def __init__(self, low: Sequence[str], tags: Sequence[str]) -> None:
        self.low = [*low, "", "", ""]
        self.tags = [*_mend_tags(low, tags), "", "", ""]
        self.at = 0

    @property
    def word(self) -> str:
        return self.low[self.at]

    @property
    def tag(self) -> str:
        return self.tags[self.at]

    def take(self, *words: str) -> bool:
        """Go on to the next word if this is one of some words, or if none are named."""
        is_there = not words or self.word in words
        self.at += is_there
        return is_there

    def stuck(self) -> _UnreadableError:
        return _UnreadableError(f'the word "{self.word}" could not be parsed')

    def scenes(self) -> tuple[Scene, ...]:
        found = [self._scene()]
        while self.word:
            self.at += self.word == "," and self.low[self.at + 1] == "and"
            if not self.take("and", "while", "as"):
                raise self.stuck()
            found.append(self._scene())
        return tuple(found)

    # --- Clauses. ---

    def _scene(self) -> Scene:
        if self.word == "there" and self.low[self.at + 1] in BE:
            return self._there()
        denial: Denial = "none" if self._is_nobody(self.at) else ""
        if self.word == "no" and not denial:
            self.take()
            denial = "none"
        who = self._things(subject=True)
        if denial and who.joined:
            raise _UnreadableError("it denies several things")
        if not self.word:
            who, actions = _with_last_action(who)
            if denial or not (actions or who.about):
                raise _UnreadableError("it has no verb")
            return Scene(who, tuple(actions), "", past=False)
        past = self.word in PAST
        if self.take(*BE):
            if self.take(*NOT):
                if denial:
                    raise _UnreadableError("it denies twice")
                denial = "not"
            action = self._after_be()
            if action.objects and action.verb == "be" and who.amount in ("one", "bare", "several"):
                raise _UnreadableError("it may be a general statement")
        elif self.word in ("does", "do", "did") and self.low[self.at + 1] in NOT and not denial:
            self.at += 2
            denial = "not"
            action = self._action()
        elif self.tag in ("VBZ", "VBP", "VBD"):
            past = self.tag == "VBD"
            if not past and (who.amount == "bare" or not GENERAL.isdisjoint(wordnet().morphy(self.word, "v"))):
                raise _UnreadableError("it may be a general statement")
            action = self._action()
        elif self.tag == "VBG":
            past, action = False, self._action()
        else:
            raise self.stuck()
        return Scene(who, (action, *self._more_actions()), denial, past)

    def _is_nobody(self, k: int) -> bool:
        return self.low[k] in NOBODY or self.low[k : k + 2] == ["no", "one"]

    def _there(self) -> Scene:
        past = self.low[self.at + 1] in PAST
        self.at += 2
        denial: Denial = "none" if self._is_nobody(self.at) else ""
        if not denial and self.word in NOT and self.low[self.at + 1] not in ("a", "an", "any"):
            raise _UnreadableError("it is unclear what is denied")
        if not denial and self.take("no", *NOT):
            self.take("any")
            denial = "none"
        who = self._things(subject=True)
        if denial and who.joined:
            raise _UnreadableError("it denies several things")
        who, actions = _with_last_action(who)
        return Scene(who, (*actions, *self._more_actions()), denial, past)

    def _more_actions(self) -> list[Action]:
        """Further actions of the same people: "and is singing", "and singing"."""
        actions: list[Action] = []
        while True:
            k = self.at + (self.word == ",")
            if self.low[k] in ("and", "while"):
                k += 1
            elif k == self.at or self.tags[k] != "VBG":
                return actions
            if self.low[k] in BE and self.low[k + 1] not in NOT:
                self.at = k + 1
                actions.append(self._after_be())
            elif self.tags[k] == "VBG" or (self.tags[k] in ("VBZ", "VBP", "VBD") and self.low[k] not in BE):
                self.at = k
                actions.append(self._action())
            else:
                return actions

    def _after_be(self) -> Action:
        adverbs = self._adverbs()
        if self.word == "being" and self.tags[self.at + 1] == "VBN":
            self.take()
            return self._passive(adverbs)
        if self.tag == "VBG":
            return self._action(adverbs)
        if self.tag == "VBN":
            return self._passive(adverbs)
        qualities: list[str] = []
        if self._is_quality(self.at):
            qualities.append(self.word)
            self.take()
        while qualities and self.word == "and" and self._is_quality(self.at + 1):
            qualities.append(self.low[self.at + 1])
            self.at += 2
        objects = (self._things(),) if not qualities and self._starts_thing() else ()
        around = (*adverbs, *self._circumstances())
        if not (qualities or objects or around):
            raise self.stuck()
        return Action("be", objects, around, quality=" and ".join(sorted(qualities)))

    def _is_quality(self, k: int) -> bool:
        return self.tags[k] in ADJECTIVES and not {*self.tags[k + 1 : k + 3]} & NOUNS and not self._long_preposition(k)

    def _passive(self, adverbs: tuple[Circumstance, ...] = ()) -> Action:
        verb = self._verb()
        around = (*adverbs, *self._circumstances())
        doers = [each for each in around if each.link == "by" and each.thing]
        if len(doers) > 1:
            raise _UnreadableError("it is unclear who does it")
        rest = tuple(each for each in around if each not in doers)
        return Action(verb, (), rest, by=doers[0].thing if doers else None, passive=True)

    def _action(self, adverbs: tuple[Circumstance, ...] = ()) -> Action:
        adverbs = (*adverbs, *self._adverbs())
        if self.tag not in VERBS:
            raise self.stuck()
        verb = _verb_lemma(self.word)
        if verb in ATTITUDES:
            raise _UnreadableError("what is thought or wished need not be true")
        if self.tags[self.at + 1] == "VBG" and verb not in POSTURES:  # "stop making soup"
            self.take()
            return Action(verb, (), (*adverbs, Circumstance("to do", None, self._action())))
        verb = self._verb()
        objects: list[Thing] = []
        while self._starts_thing() and len(objects) < 2:
            objects.append(self._things())
            if len(objects) == 1:
                verb = self._with_particle(verb)
        return Action(verb, tuple(objects), (*adverbs, *self._circumstances()))

    def _verb(self) -> str:
        verb = _verb_lemma(self.word)
        self.take()
        return self._with_particle(verb)

    def _with_particle(self, verb: str) -> str:
        following = self.tags[self.at + 1]
        if self.word in PARTICLES and (self.tag == "RP" or following not in {"DT", "PRP$", "CD", *NOUNS, *BEFORE_NOUN}):
            verb = f"{verb} {self.word}"
            self.take()
        return verb

    # --- Circumstances. ---

    def _adverbs(self) -> tuple[Circumstance, ...]:
        found = []
        while self.tag == "RB" and self.word not in NOT and not self._long_preposition(self.at):
            if self.word in HEDGES:
                raise _UnreadableError(f'it has the word "{self.word}"')
            found.append(Circumstance(self.word))
            self.take()
        return tuple(found)

    def _circumstances(self) -> tuple[Circumstance, ...]:
        """Prepositions with their objects, adverbs, and actions of the thing named last."""
        found: list[Circumstance] = []
        while True:
            if one := self._circumstance():
                found.append(one)
            elif adverbs := self._adverbs():
                if self.tag in ("VBG", "VBN") and self.tags[self.at - len(adverbs) - 1] in NOUNS:
                    found.append(self._doing(adverbs))
                else:
                    found += adverbs
            elif self.tag in ("VBG", "VBN") and self.low[self.at - 1] != ",":
                found.append(self._doing())
            elif self.word == "to" and self.tags[self.at + 1] == "VB":
                self.take()
                found.append(Circumstance("to do", None, self._action()))
            elif self._is_relative(self.at + (self.word == ",")):
                comma = self.take(",")
                self.take()
                found.append(Circumstance("who", None, self._after_who()))
                self.at += comma and self.word == ","
            else:
                return tuple(found)

    def _is_relative(self, k: int) -> bool:
        return self.low[k] in ("who", "which", "that") and self.tags[k + 1] in ("VBZ", "VBP", "VBD")

    def _after_who(self) -> Action:
        if not self.take(*BE):
            return self._action()
        if self.word in NOT:
            raise _UnreadableError("it denies a detail")
        return self._after_be()

    def _doing(self, adverbs: tuple[Circumstance, ...] = ()) -> Circumstance:
        self.at += self.word == "being" and self.tags[self.at + 1] == "VBN"
        act = self._passive if self.tag == "VBN" else self._action
        return Circumstance("who", None, act(adverbs))

    def _circumstance(self) -> Circumstance | None:
        size = self._long_preposition(self.at) or int(self.word in PREPOSITIONS | PLACES)
        if not size:
            return None
        link = " ".join(self.low[self.at : self.at + size])
        start, self.at = self.at, self.at + size
        if self._starts_thing():
            return Circumstance(link, self._things())
        if size == 1 and link in PARTICLES | PLACES:
            return Circumstance(link)
        self.at = start
        return None

    def _long_preposition(self, k: int) -> int:
        """The length of the preposition of several words that begins here; 0 if there is none."""
        return next((len(words) for words in LONG_PREPOSITIONS if self.low[k : k + len(words)] == [*words]), 0)

    # --- Things. ---

    def _starts_thing(self) -> bool:
        if self._long_preposition(self.at) or self.word in PLACES:
            return False
        if self.tag in ("VBG", "VBN"):  # "a laughing child", "sliced bread", but "sitting on" is an action
            return self.tags[self.at + 1] in NOUNS and self.tag == "VBN"
        is_determiner = self.tag in {"DT", "PRP$", "CD", "PDT", *NOUNS, *ADJECTIVES}
        return is_determiner or self.word in PERSONS or self.word in PRONOUNS

    def _things(self, *, subject: bool = False) -> Thing:
        def described() -> Thing:
            thing = self._thing()
            return thing._replace(about=(*thing.about, *self._circumstances())) if subject else thing

        first, joined = described(), []
        while self.word in ("and", ",") and self._joins_thing(subject=subject):
            self.at += 1 + (self.word == "," and self.low[self.at + 1] == "and")
            joined.append(described())
        return first._replace(joined=tuple(joined))

    def _joins_thing(self, *, subject: bool) -> bool:
        """True if another thing is joined here, not another clause."""
        start, before = self.at, self.word
        self.at += 1 + (before == "," and self.low[self.at + 1] == "and")
        try:
            if not self._starts_thing():
                return False
            self._thing()
            if before == "," and self.low[start + 1] != "and" and self.word not in (",", "and"):
                return False
            if subject:
                return True
            self._circumstances()
            return self.word not in BE and self.tag not in ("VBZ", "VBP", "VBD", "MD")
        except _UnreadableError:
            return False
        finally:
            self.at = start

    def _thing(self) -> Thing:
        word = self.word
        if self._is_nobody(self.at):
            if self.at and self.low[self.at - 1] not in BE:
                raise _UnreadableError("it denies a detail")
            self.at += 1 + (word == "no")
            return Thing("" if word == "nothing" else "person", "one", many=False)
        if self.low[self.at : self.at + 2] == ["each", "other"]:
            self.at += 2
            return Thing("each other", "the", many=True)
        if self.take(*PERSONS):
            return Thing("" if word in EMPTY else "person", "one", many=False)
        if self.tag != "PRP$" and self.take(*PRONOUNS):
            return Thing(word, "the", many=False)
        amount, determiner = self._determiner()
        kinds = self._kinds()
        if self.tag not in NOUNS and kinds and wordnet().morphy(kinds[-1], "n"):
            self.at -= 1  # taggers take "vegetable" for an adjective, and "in black" has no other noun
            kinds.pop()
        elif self.tag not in NOUNS:
            raise _UnreadableError(f'"{" ".join([determiner, *kinds]).strip() or self.word}" has no noun')
        noun, many = self._noun()
        after_noun = kinds and self.tags[self.at - 2] in NOUNS
        if amount == "one" and many and after_noun and wordnet().morphy(self.low[self.at - 1], "v"):
            self.tags[self.at - 1] = "VBZ"  # "a dog barks"
            self.at -= 2
            kinds.pop()
            noun, many = self._noun()
        if determiner in ("some", "any"):
            amount = "several" if many else "bare"
        elif amount == "one" and many:
            raise _UnreadableError("a determiner does not fit its noun")
        thing = Thing(noun, amount, many, tuple(sorted(kinds)))
        if self.take("of"):
            if not self._starts_thing():
                raise _UnreadableError('the word "of" could not be parsed')
            thing = thing._replace(about=(Circumstance("of", self._thing()),))
        return thing

    def _kinds(self) -> list[str]:
        """The words before a noun that describe it."""
        kinds: list[str] = []
        while not (self.tag in NOUNS and self._is_head()):
            is_joined = self.word in ("and", ",") and kinds and self.tags[self.at - 1] in ADJECTIVES
            is_graded = self.tag == "RB" and self.tags[self.at + 1] in ADJECTIVES
            if not (self.tag in BEFORE_NOUN | NOUNS or (is_joined and self._kind_follows()) or is_graded):
                break
            if self.tag == "RB" and self.word in NOT:
                raise _UnreadableError("it denies a detail")
            if self.word not in ("and", ","):
                kinds.append(self.word)
            self.take()
        return kinds

    def _kind_follows(self) -> bool:
        k = self.at + 1
        return (
            self.tags[k] in BEFORE_NOUN
            and any(self.tags[n] in NOUNS for n in range(k + 1, min(k + 4, len(self.tags))))
            and all(self.tags[n] in BEFORE_NOUN | NOUNS for n in range(k, k + 2) if self.tags[n])
        )

    def _is_head(self) -> bool:
        """True if a noun is the last one of its phrase."""
        following, after = self.tags[self.at + 1 : self.at + 3]
        return following not in NOUNS and not (following in ADJECTIVES and after in NOUNS)

    def _noun(self) -> tuple[str, bool]:
        word, tag = self.word, self.tag
        self.take()
        if self.word in ("'s", "'") and self.tag == "POS":
            raise _UnreadableError("it has an owner")
        if word == "people":
            return "person", True
        if single := _singulars().get(word):
            return single, True
        lemmas = wordnet().morphy(word, "n")
        many = tag in ("NNS", "NNPS") or (word not in lemmas and bool(lemmas))
        return (lemmas[0] if lemmas else word), many

    def _determiner(self) -> tuple[Amount, str]:
        word, tag = self.word, self.tag
        if self.take("a", "an"):
            if self.take("few"):
                return "several", "some"
            if self.word in ("couple", "lot", "number") and self.low[self.at + 1] == "of":
                self.at += 2
                return "several", "some"
            return "one", word
        if self.take("some", "any"):
            return "one", word
        if self.take("the", "this", "that", "these", "those", *OWNERS):
            if self.tag == "CD" and (value := value_of(self.word)):
                self.take()
                return value, word
            return "own" if word in OWNERS else "the", word
        if self.take(*SEVERAL):
            return "many" if word == "many" else "several", word
        if tag == "CD":
            value = value_of(word)
            if value is None:
                raise _UnreadableError(f'the number "{word}" is not read')
            self.take()
            return value, word
        if self.take("another"):
            return "other", word
        if tag in ("DT", "PDT"):
            raise _UnreadableError(f'it has the word "{word}"')
        return "bare", ""


def _mend_tags(low: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Tags, mended where the tagger is often wrong in captions."""
    mended: list[str] = []
    for k, (word, tag) in enumerate(zip(low, tags, strict=True)):
        before, after = mended[-1] if mended else "", tags[k + 1] if k + 1 < len(tags) else ""
        is_verb = word.endswith("ing") and word not in STATES and bool(wordnet().morphy(word, "v"))
        helped = next((each for each in reversed(low[:k]) if each not in NOT and not each.endswith("ly")), "") in BE
        if word in PERSONS or (word == "can" and before in {"DT", "JJ", "NN"}):
            mended.append("NN")
        elif is_verb and helped:
            mended.append("VBG")
        elif is_verb and tag in ("NN", "JJ"):
            mended.append(tag if before in {"DT", "JJ", "PRP$"} or after in NOUNS else "VBG")
        elif tag == "RB" and not wordnet().morphy(word, "r") and wordnet().morphy(word, "n"):
            mended.append("NN")
        else:
            mended.append(tag)
    if low[0] == "there" and "VBG" not in mended:  # "there is no girl in white dancing"
        acts = [k for k, word in enumerate(low) if word.endswith("ing") and word not in STATES and k > 3]
        if acts and wordnet().morphy(low[acts[-1]], "v"):
            mended[acts[-1]] = "VBG"
    return mended


@cache
def _singulars() -> dict[str, str]:
    return {form: noun for noun, forms in table("irregular_plurals").items() for form in forms if form != noun}


def _verb_lemma(word: str) -> str:
    return next(iter(wordnet().morphy(word, "v")), word)


def _with_last_action(who: Thing) -> tuple[Thing, list[Action]]:
    """The action of a thing, if it follows the noun, as in "a man playing a guitar"; otherwise its existence."""
    doing = [each.action for each in who.about if each.action]
    if not doing or who.joined:
        return who, []
    return who._replace(about=tuple(each for each in who.about if not each.action)), doing


def in_active_voice(scene: Scene) -> Scene:
    """The scene with the one who does it as its subject, if it is told in the passive."""
    if len(scene.actions) != 1 or not scene.actions[0].passive:
        return scene
    (action,) = scene.actions
    doer = action.by or Thing("", "one", many=False)
    return scene._replace(who=doer, actions=(Action(action.verb, (scene.who,), action.around),))
