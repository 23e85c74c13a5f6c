"""A straightforward generator of the heuristics' pairs, for `heuristics.py` to compare with.

It does what one writes first: a function for each kind of phrase that draws its words with `random.choice` and returns
words and tree, a list of templates, and a loop that throws away pairs with a repeated word and pairs that were there
before.
"""

import random
from collections.abc import Callable, Iterator

from assay.core.pair import Pair, Parses
from assay.stress.heuristics.grammar import load_grammar

LEXICON = load_grammar().lexicon
NOUNS = LEXICON.words("N")
SINGULAR, PLURAL = LEXICON.words("Ns"), LEXICON.words("Np")
LEMMA = LEXICON.lemmas
VT, VI, VPASS = LEXICON.words("VT"), LEXICON.words("VI"), LEXICON.words("VPASS")
VERBS = VT + VI
IS_VT = frozenset(VT)
PLACES = ("near", "behind", "by", "in front of", "next to")

Phrase = tuple[str, str]
"""Words and tree."""
Sides = tuple[Phrase, Phrase]


def pick(kind: str) -> str:
    return random.choice(LEXICON.words(kind))


def the(noun: str | None = None) -> Phrase:
    noun = noun or random.choice(NOUNS)
    return f"the {noun}", f"(NP (DT the) ({'NNS' if noun in LEMMA else 'NN'} {noun}))"


def transitive(verb: str, thing: Phrase) -> Phrase:
    return f"{verb} {thing[0]}", f"(VP (VBD {verb}) {thing[1]})"


def alone(verb: str) -> Phrase:
    return verb, f"(VP (VBD {verb}))"


def vp() -> Phrase:
    verb = random.choice(VERBS)
    return transitive(verb, the()) if verb in IS_VT else alone(verb)


def clause(subject: Phrase, verb: Phrase) -> Phrase:
    return f"{subject[0]} {verb[0]}", f"(S {subject[1]} {verb[1]})"


def sentence(subject: Phrase, verb: Phrase) -> Phrase:
    return f"{subject[0]} {verb[0]} .", f"(ROOT (S {subject[1]} {verb[1]} (. .)))"


def near(head: Phrase, other: Phrase) -> Phrase:
    place = random.choice(PLACES)
    if place == "in front of":
        tree = f"(PP (IN in) (NP (NP (NN front)) (PP (IN of) (NP {other[1]}))))"
    elif place == "next to":
        tree = f"(ADVP (JJ next) (PP (TO to) {other[1]}))"
    else:
        tree = f"(PP (IN {place}) {other[1]})"
    return f"{head[0]} {place} {other[0]}", f"(NP {head[1]} {tree})"


def who(head: Phrase, inner: Phrase) -> Phrase:
    word = random.choice(("who", "that"))
    wh = "(WP who)" if word == "who" else "(WDT that)"
    return f"{head[0]} {word} {inner[0]}", f"(NP {head[1]} (SBAR (WHNP {wh}) {inner[1]}))"


def subject_relative(head: Phrase, verb: Phrase) -> Phrase:
    return who(head, (verb[0], f"(S {verb[1]})"))


def object_relative(head: Phrase, subject: Phrase, verb: str) -> Phrase:
    return who(head, clause(subject, alone(verb)))


def relative(head: Phrase) -> Phrase:
    verb = random.choice(VERBS)
    if verb not in IS_VT:
        return subject_relative(head, alone(verb))
    return (
        subject_relative(head, transitive(verb, the())) if random.random() < 0.5 else object_relative(head, the(), verb)
    )


def both(first: Phrase, second: Phrase) -> Phrase:
    return f"{first[0]} and {second[0]}", f"(NP {first[1]} (CC and) {second[1]})"


def swap() -> Sides:
    a, b, verb = the(), the(), random.choice(VT)
    return sentence(a, transitive(verb, b)), sentence(b, transitive(verb, a))


def preposition() -> Sides:
    a, b, c, verb = the(), the(), the(), random.choice(VT)
    if random.random() < 0.5:
        premise = sentence(near(a, b), transitive(verb, c))
        x, y = random.choice([(b, a), (c, a), (c, b)])
    else:
        premise = sentence(a, transitive(verb, near(b, c)))
        x, y = random.choice([(b, a), (b, c), (c, a)])
    return premise, sentence(x, transitive(verb, y))


def four_relatives(entailed: bool) -> Sides:
    a, b, c, v, w = the(), the(), the(), random.choice(VT), random.choice(VT)
    kind = random.randrange(4)
    if kind == 0:
        premise = sentence(object_relative(a, b, v), transitive(w, c))
        said = (b, v, a)
    elif kind == 1:
        premise = sentence(subject_relative(a, transitive(v, b)), transitive(w, c))
        said = (a, v, b)
    elif kind == 2:
        premise = sentence(a, transitive(v, subject_relative(b, transitive(w, c))))
        said = (b, w, c)
    else:
        premise = sentence(a, transitive(v, object_relative(b, c, w)))
        said = (c, w, b)
    if not entailed:
        verb = w if kind < 2 else v
        x, y = random.choice([(b, a), (c, a), (c, b)] if kind < 2 else [(b, a), (b, c), (c, a)])
        said = (x, verb, y)
    return premise, sentence(said[0], transitive(said[1], said[2]))


def passive(entailed: bool) -> Sides:
    was, nouns = random.choice((("was", SINGULAR), ("were", PLURAL)))
    a, b, verb = the(random.choice(nouns)), the(), random.choice(VPASS)
    done = f"{was} {verb} by {b[0]}", f"(VP (VBD {was}) (VP (VBN {verb}) (PP (IN by) {b[1]})))"
    x, y = (b, a) if entailed else (a, b)
    return sentence(a, done), sentence(x, transitive(verb, y))


def conjunction(entailed: bool) -> Sides:
    a, b, c, verb = the(), the(), the(), random.choice(VT)
    if random.random() < 0.5:
        premise = sentence(both(a, b), transitive(verb, c))
        x, y = (a, c) if entailed else random.choice([(a, b), (b, a)])
    else:
        premise = sentence(a, transitive(verb, both(b, c)))
        x, y = (a, c) if entailed else random.choice([(b, c), (c, b)])
    return premise, sentence(x, transitive(verb, y))


def around_preposition() -> Sides:
    a, b, c, verb = the(), the(), the(), random.choice(VT)
    return sentence(near(a, b), transitive(verb, c)), sentence(a, transitive(verb, c))


def around_relative() -> Sides:
    a, b, verb = the(), the(), random.choice(VT)
    return sentence(relative(a), transitive(verb, b)), sentence(a, transitive(verb, b))


def np_s() -> Sides:
    a, b, verb = the(), the(), pick("VNPS")
    inner = clause(b, vp())
    return sentence(a, (f"{verb} {inner[0]}", f"(VP (VBD {verb}) (SBAR {inner[1]}))")), sentence(a, transitive(verb, b))


def preposition_on_subject() -> Sides:
    a, b, verb = the(), the(), vp()
    return sentence(near(a, b), verb), sentence(b, verb)


def relative_on_subject() -> Sides:
    a, b, verb = the(), the(), vp()
    return sentence(subject_relative(a, transitive(random.choice(VT), b)), verb), sentence(b, verb)


def participle() -> Sides:
    a, verb, place = the(), pick("PART"), the(pick("LOCB"))
    where = f"in {place[0]}", f"(PP (IN in) {place[1]})"
    described = f"{a[0]} {verb} {where[0]}", f"(NP {a[1]} (VP (VBN {verb}) {where[1]}))"
    if random.random() < 0.6:
        premise = sentence(described, vp())
    else:
        premise = sentence(the(), transitive(random.choice(VT), described))
    return premise, sentence(a, (f"{verb} {where[0]}", f"(VP (VBD {verb}) {where[1]})"))


def np_z() -> Sides:
    word, b, verb = pick("CONJ"), the(), vp()
    fought = random.random() < 1 / 7
    a = the(random.choice(PLURAL)) if fought else the()
    did = "fought" if fought else pick("VNPZ")
    before = clause(a, alone(did))
    premise = (
        f"{word} {before[0]} {b[0]} {verb[0]} .",
        f"(ROOT (S (SBAR (IN {word}) {before[1]}) {b[1]} {verb[1]} (. .)))",
    )
    return premise, sentence(a, transitive(did, b))


def conjunction_subsequence() -> Sides:
    if random.random() < 0.6:
        b, verb = the(), vp()
        return sentence(both(the(), b), verb), sentence(b, verb)
    a, b, done = the(), the(), random.choice(VT)
    return sentence(a, transitive(done, both(b, the()))), sentence(a, transitive(done, b))


def adjective() -> Sides:
    word, noun, verb = pick("ADJ"), random.choice(PLURAL), vp()
    return (
        sentence((f"{word} {noun}", f"(NP (JJ {word}) (NNS {noun}))"), verb),
        sentence((noun, f"(NP (NNS {noun}))"), verb),
    )


def understood() -> Sides:
    a, verb = the(), pick("VU")
    thing = pick(LEXICON.objects[verb])
    tree = " ".join(f"({'NNS' if word in LEMMA else 'NN'} {word})" for word in thing.split())
    return sentence(a, (f"{verb} the {thing}", f"(VP (VBD {verb}) (NP (DT the) {tree}))")), sentence(a, alone(verb))


def relative_on_object() -> Sides:
    a, b, verb = the(), the(), random.choice(VT)
    return sentence(a, transitive(verb, relative(b))), sentence(a, transitive(verb, b))


def preposition_on_object() -> Sides:
    a, b, verb = the(), the(), random.choice(VT)
    return sentence(a, transitive(verb, near(b, the()))), sentence(a, transitive(verb, b))


def two_clauses(words: str, tree: str, first: bool, *, joint: bool = False) -> Sides:
    a, b, v, w = the(), the(), vp(), vp()
    one, two = clause(a, v), clause(b, w)
    if joint:
        premise = f"{one[0]} , {words} {two[0]} .", f"(ROOT (S {one[1]} (, ,) (CC {words}) {two[1]} (. .)))"
    else:
        premise = f"{words} {one[0]} , {two[0]} .", f"(ROOT (S (SBAR {tree} {one[1]}) (, ,) {two[1]} (. .)))"
    return premise, sentence(a, v) if first else sentence(b, w)


CASE = "in case", "(PP (IN in) (NP (NN case)))"
WHETHER = "whether or not", "(IN whether) (CC or) (RB not)"


def word_or(words: tuple[str, ...], chance: float, *others: Phrase) -> Phrase:
    if random.random() < chance:
        word = random.choice(words)
        return word, f"(IN {word})"
    return random.choice(others)


def under_if() -> Sides:
    return two_clauses(*word_or(("if", "unless"), 0.5, WHETHER, CASE), True)


def after_if() -> Sides:
    return two_clauses(*word_or(("if", "unless"), 1), False)


def under_since() -> Sides:
    return two_clauses(*word_or(LEXICON.words("SUBe"), 1), True)


def after_since() -> Sides:
    return two_clauses(*word_or(LEXICON.words("SUBe"), 7 / 9, CASE, WHETHER), False)


def under_verb(kind: str) -> Sides:
    b, verb, said = the(), vp(), pick(kind)
    inner = clause(b, verb)
    return (
        sentence(the(), (f"{said} that {inner[0]}", f"(VP (VBD {said}) (SBAR (IN that) {inner[1]}))")),
        sentence(b, verb),
    )


def adverb(kind: str) -> Sides:
    a, verb = the(), vp()
    word = pick(kind)
    tree = f"(ADVP (RB {word}))"
    if kind == "ADVe" and random.random() < 2 / 7:
        word, tree = random.choice(
            (
                ("without a doubt", "(PP (IN without) (NP (DT a) (NN doubt)))"),
                ("of course", "(PP (IN of) (NP (NN course)))"),
            )
        )
    main = clause(a, verb)
    return (f"{word} {main[0]} .", f"(ROOT (S {tree} {main[1]} (. .)))"), sentence(a, verb)


def joint(word: str) -> Sides:
    return two_clauses(word, "", random.random() < 0.5, joint=True)


MAKERS: list[Callable[[], Sides]] = [
    swap, preposition, lambda: four_relatives(False), lambda: passive(False), lambda: conjunction(False),
    lambda: four_relatives(True), around_preposition, around_relative, lambda: conjunction(True), lambda: passive(True),
    np_s, preposition_on_subject, relative_on_subject, participle, np_z,
    conjunction_subsequence, adjective, understood, relative_on_object, preposition_on_object,
    under_if, after_if, lambda: under_verb("VQn"), lambda: joint("or"), lambda: adverb("ADVn"),
    under_since, after_since, lambda: under_verb("VQe"), lambda: joint("and"), lambda: adverb("ADVe"),
]  # fmt: skip


def repeats(words: str) -> bool:
    found = [LEMMA.get(word, word) for word in words.replace("the ", "").split()]
    return len(set(found)) < len(found)


def binary(tree: str) -> str:
    """Labels off, nodes of one part gone, nodes of several joined from the right."""
    stack: list[list[str]] = [[]]
    for piece in tree.replace(")", " )").split():
        if piece.startswith("("):
            stack.append([])
        elif piece == ")":
            parts = stack.pop()
            while len(parts) > 1:
                parts[-2:] = [f"( {parts[-2]} {parts[-1]} )"]
            stack[-1].append(parts[0])
        else:
            stack[-1].append(piece)
    return stack[0][0]


def capitals(side: Phrase) -> Phrase:
    words, tree = side
    first = words.partition(" ")[0]
    return words[0].upper() + words[1:], tree.replace(f" {first})", f" {first[0].upper()}{first[1:]})", 1)


def straightforward(n: int, seed: int) -> Iterator[Pair]:
    random.seed(seed)
    number = 0
    for subcase, make in zip(load_grammar().subcases, MAKERS, strict=True):
        seen: set[tuple[str, str]] = set()
        while len(seen) < n:
            premise, hypothesis = make()
            if repeats(premise[0]) or (premise[0], hypothesis[0]) in seen:
                continue
            seen.add((premise[0], hypothesis[0]))
            (first, first_tree), (second, second_tree) = capitals(premise), capitals(hypothesis)
            yield Pair(
                id=f"ex{number}",
                premise=first,
                hypothesis=second,
                label=subcase.label,
                group={"heuristic": subcase.heuristic, "subcase": subcase.name},
                parses=Parses(
                    premise=first_tree,
                    hypothesis=second_tree,
                    premise_binary=binary(first_tree),
                    hypothesis_binary=binary(second_tree),
                ),
            )
            number += 1
