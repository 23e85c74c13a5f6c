"""How `assay audit --gold-labels` does on pairs with two negations whose labels come from small worlds.

    python benchmarks/negation_pairs.py

Each sentence form has a meaning, a function of a world and a noun. All worlds with two people, who may own things, be
old and be in the room, decide the label of a pair. Polarity, scope and WordNet have no part in it. The rules were
written while looking at the forms of the first list only.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain, combinations, product
from typing import NamedTuple

from assay.audit.label_audit import derive_labels
from assay.core.label import Label


class Person(NamedTuple):
    """Somebody in a world."""

    owns: frozenset[str]
    old: bool
    inside: bool


class World(NamedTuple):
    """A man and a woman; there are no other people."""

    man: Person
    woman: Person

    def anybody(self, noun: frozenset[str]) -> bool:
        return bool(noun & (self.man.owns | self.woman.owns))


Meaning = Callable[[World, frozenset[str]], bool]
NARROW, BROAD = frozenset({"a"}), frozenset({"a", "b"})
NOUNS = (
    ("guitar", "musical instrument"),
    ("dog", "animal"),
    ("rose", "flower"),
    ("bicycle", "vehicle"),
    ("hammer", "tool"),
)


def owns(world: World, noun: frozenset[str]) -> bool:
    return bool(noun & world.man.owns)


def lacks(world: World, noun: frozenset[str]) -> bool:
    return not owns(world, noun)


FORMS: dict[str, Meaning] = {
    "It is not the case that the man does not own a {}.": owns,
    "It is not true that the man doesn't own a {}.": owns,
    "It is false that the man does not own a {}.": owns,
    "It is a lie that the man does not own a {}.": owns,
    "There is no way that the man does not own a {}.": owns,
    "The statement that the man does not own a {} is false.": owns,
    "The claim that the man does not own a {} is untrue.": owns,
    "It is not a lie that the man owns a {}.": owns,
    "It is not the case that nobody owns a {}.": World.anybody,
    "The man who is not old does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
    "The man not in the room does not own a {}.": lambda w, n: not w.man.inside and lacks(w, n),
    "The man, who is not old, does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
    "The man is not old and he does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
    "The man with no money does not own a {}.": lacks,
    "There is no man who does not own a {}.": owns,
    "Because he is not old, the man does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
}
NEW_FORMS: dict[str, Meaning] = {
    "It isn't so that the man does not own a {}.": owns,
    "It is untrue that no man owns a {}.": owns,
    "The rumor that the man does not own a {} is not true.": owns,
    "The idea that nobody owns a {} is wrong.": World.anybody,
    "It is incorrect that the man does not own a {}.": owns,
    "Nobody who is in the room does not own a {}.": lambda w, n: all(n & p.owns for p in w if p.inside),
    "The man that is not in the room does not own a {}.": lambda w, n: not w.man.inside and lacks(w, n),
    "The man does not own a {} and the woman is not old.": lambda w, n: lacks(w, n) and not w.woman.old,
    "The woman is not in the room, and the man does not own a {}.": lambda w, n: lacks(w, n) and not w.woman.inside,
    "Although he is not old, the man does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
    "The man without a coat does not own a {}.": lacks,
    "The man, not old at all, does not own a {}.": lambda w, n: not w.man.old and lacks(w, n),
    "It is not false that the man owns a {}.": owns,
    "The report that the man owns a {} is not false.": owns,
    "The man is not in the room but he does not own a {}.": lambda w, n: not w.man.inside and lacks(w, n),
    "No person not in the room owns a {}.": lambda w, n: not any(n & p.owns for p in w if not p.inside),
}


def worlds() -> Iterator[World]:
    subsets = chain.from_iterable(combinations(sorted(BROAD), size) for size in range(3))
    people = [Person(frozenset(things), *facts) for things in subsets for facts in product((True, False), repeat=2)]
    return (World(*pair) for pair in product(people, repeat=2))


def label_of(meaning: Meaning, first: frozenset[str], second: frozenset[str]) -> Label:
    found = {meaning(world, second) for world in worlds() if meaning(world, first)}
    if len(found) == 2:
        return Label.NEUTRAL
    return Label.ENTAILMENT if True in found else Label.CONTRADICTION


def main() -> None:
    for title, forms in (("forms that were looked at", FORMS), ("other forms", NEW_FORMS)):
        counts: Counter[str] = Counter()
        for form, meaning in forms.items():
            for narrow, broad in NOUNS:
                for words, things in (((narrow, broad), (NARROW, BROAD)), ((broad, narrow), (BROAD, NARROW))):
                    texts = [form.format(word).replace(" a a", " an a") for word in words]
                    found = derive_labels(*texts).labels
                    counts["pairs"] += 1
                    counts["read"] += bool(found)
                    if found and found != {label_of(meaning, *things)}:
                        counts["wrong"] += 1
                        print(f"  wrong: {texts[0]} -> {texts[1]}: {', '.join(found)}")
        read = counts["read"]
        share = f"{read / counts['pairs']:.0%} read, {1 - counts['wrong'] / max(read, 1):.1%} of them right"
        print(f"{title}: {counts['pairs']} pairs, {share}")


if __name__ == "__main__":
    main()
