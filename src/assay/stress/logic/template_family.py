"""A family's forms: its templates and a user's own, verified one by one, and weighted."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from assay.core.errors import did_you_mean
from assay.core.label import Label
from assay.language.resources.data import load_toml
from assay.stress.logic.fillings import Fillings
from assay.stress.logic.logic_lexicon import (
    EntryError,
    LogicLexicon,
    LogicWords,
    decode_error,
    extend_words,
    locate_error,
    standard_logic_lexicon,
)
from assay.stress.logic.operators import NUMBERS, load_operators
from assay.stress.logic.pair_forms import LOGIC_FAMILIES, LogicTemplate, PairForm, forms_of
from assay.stress.logic.proof.prover import CONTRADICTORY, TRIVIAL, LogicProof, Prover
from assay.stress.logic.sentence_patterns import Piece, WordSlot

TURNS = 400
STEP = 0.3
"""The first step size of the weights."""
EVENNESS = 0.01
"""The cost of drawing a form more or less often than others of its subcase."""
PAIR = 0.5
"""The weight of two neighbouring words of the hypothesis, where one word has 1."""
LEAST = 0.005
"""The smallest weight of a form, as a part of an even one: every form is built."""
DIGITS = 6
"""Weights are rounded, so that they are the same on every machine."""


def find_weights(forms: Sequence[PairForm], labels: Mapping[Label, int]) -> list[float]:
    """The weight of each form within its subcase.

    Among the pairs with a feature, labels should have the wanted shares. Weights go down the slope of the squared
    distance from that, over all features, each by how many pairs have it. The problem is convex: it has one answer.
    """
    names = list(labels)
    wanted = np.array([labels[name] for name in names]) / sum(labels.values())
    excess = np.eye(len(names))[[names.index(form.label) for form in forms if form.label]] - wanted  # (forms, labels)
    subcase_names = dict.fromkeys(form.subcase for form in forms)
    subcases = [np.array([n for n, form in enumerate(forms) if form.subcase == name]) for name in subcase_names]
    has, importance = _find_features(forms)
    even = weight = _shared_weights(np.ones(len(forms)), subcases)
    for turn in range(TURNS):
        off = has @ (weight[:, None] * excess) / (has @ weight)[:, None]  # (features, labels): shares beyond the wanted
        slope = 2 * ((has.T @ (importance * off)) * excess).sum(axis=1) - has.T @ (importance * off**2).sum(axis=1)
        slope += EVENNESS * np.log(weight / even)
        step = STEP / math.sqrt(1 + turn / 50) / max(1.0, float(np.abs(slope).max()) / 3)
        weight = _shared_weights(weight * np.exp(-step * slope), subcases)
    return [round(float(each), DIGITS) for each in weight]


def _find_features(forms: Sequence[PairForm]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The features of forms; features that hold for the same forms count once."""
    features: dict[tuple[object, ...], list[int]] = {}
    for number, form in enumerate(forms):
        for feature in dict.fromkeys(surface_features(form)):
            features.setdefault(feature, []).append(number)
    importance: dict[tuple[int, ...], float] = {}
    for feature, rows in features.items():
        counts = PAIR if feature[0] == "two words" else 1.0
        importance[tuple(rows)] = max(counts, importance.get(tuple(rows), 0.0))
    has = np.zeros((len(importance), len(forms)))
    for row, numbers in enumerate(importance):
        has[row, list(numbers)] = 1
    return (has, np.array([*importance.values()])[:, None])


def surface_features(form: PairForm) -> Iterator[tuple[object, ...]]:
    """Features of a form's pairs that are visible without reading both texts together."""
    premise, hypothesis = _class_words(form.premise), _class_words(form.hypothesis)
    new = len({*hypothesis} - {*premise})
    yield ("any",)
    yield from (("premise", _word_class(word)) for word in premise)
    yield from (("hypothesis", _word_class(word)) for word in hypothesis)
    yield from (("two words", *two) for two in pairwise(map(_word_class, hypothesis)))
    length, difference = len(hypothesis), len(hypothesis) - len(premise)
    yield from (("length", length), ("difference", difference), ("lengths", length, difference))
    share = 10 * (len({*hypothesis}) - new) // len({*hypothesis})
    whole = " ".join(hypothesis[:-1]) in " ".join(premise)
    yield from (("new", new), ("share", share), ("whole", whole), ("overlap", new, share, whole))


def allot_counts(shares: Sequence[float], count: int, most: Sequence[int], *, start: float = 0.5) -> list[int]:
    """Whole numbers in proportion to shares, which add up to `count` and keep within `most`.

    They are counted off along the line of all shares, from `start`, so that neighbours get their part together even if
    each of them is too small for one.

    >>> allot_counts([0.5, 0.3, 0.2], 10, [3, 9, 9]), allot_counts([0.1] * 10, 5, [9] * 10)
    ([3, 4, 3], [1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    """
    counts = [0] * len(shares)
    while (left := count - sum(counts)) > 0:
        free = [n for n, each in enumerate(counts) if each < most[n]]
        if not free:
            break
        total = sum(shares[n] for n in free)
        so_far, passed = 0.0, 0
        for n in free:
            so_far += left * shares[n] / total
            reached = min(left, int(so_far + start + 1e-9))
            counts[n] += min(reached - passed, most[n] - counts[n])
            passed = reached
    return counts


def _shared_weights(weight: NDArray[np.float64], subcases: Sequence[NDArray[np.int_]]) -> NDArray[np.float64]:
    found = weight.copy()
    for rows in subcases:
        even = found[rows].mean()
        kept = np.maximum(found[rows], LEAST * even)
        found[rows] = kept / kept.sum()
    return found


def _class_words(parts: Sequence[Piece]) -> list[str]:
    """The words, with each slot as its class; articles and prepositions that come with it count as words."""
    words: list[str] = []
    for part in (*parts, "."):
        if isinstance(part, WordSlot) and part.kind == "THING" and part.form != ("noun",):
            words.append("a")
        elif isinstance(part, WordSlot) and part.kind == "PLACE":
            words += ["in", "the"]
        words.append(str(part))
    return words


def _word_class(word: str) -> str:
    """A word, or a slot without its number, which can't be seen in a text."""
    return "".join(each for each in word if not each.isdigit())


PLAIN = re.compile(r"(?<![\w.])[A-Z]?[a-z]+(?!\w|\.\w)")
HINT = "docs/how-to/custom-templates.md explains these files."


class FamilyFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The templates of a family that come with Assay."""

    labels: dict[Label, int]
    templates: tuple[LogicTemplate, ...]


class OwnTemplate(LogicTemplate, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's template, for one of the families."""

    family: str


class OwnFile(LogicWords, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's file: words as in lexicon.toml, and templates."""

    templates: tuple[OwnTemplate, ...] = ()

    def words(self) -> LogicWords:
        """The tables of words."""
        return LogicWords(**{name: getattr(self, name) for name in LogicWords.__struct_fields__})


class VerifiedForm(NamedTuple):
    """A form whose label both methods agree on."""

    form: PairForm
    label: Label
    fillings: Fillings
    weight: float
    """Its share of its subcase."""


class LogicFamily(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """The templates of a family, with the words that fill them."""

    name: str
    lexicon: LogicLexicon
    labels: dict[Label, int]
    templates: tuple[LogicTemplate, ...]

    @cached_property
    def prover(self) -> Prover:
        """Proves pairs that are made of these words."""
        return Prover(self.lexicon)

    @cached_property
    def template_ids(self) -> frozenset[str]:
        """The names of its templates."""
        return frozenset(each.id for each in self.templates)

    @cached_property
    def forms(self) -> list[PairForm]:
        """All forms, whether their label is certain or not."""
        return [form for template in self.templates for form in forms_of(template, self.name)]

    @cached_property
    def verified_forms(self) -> list[VerifiedForm]:
        """The forms that both methods give the same label, in the order of the templates."""
        agreed = [form for form, why in self._verdicts if not why]
        shares = find_weights(agreed, self.labels)
        return [
            VerifiedForm(form, form.label, Fillings(form, self.lexicon), weight)
            for form, weight in zip(agreed, shares, strict=True)
            if form.label
        ]

    @cached_property
    def left_out(self) -> Counter[str]:
        """The forms that are not built, by reason."""
        return Counter(why for _, why in self._verdicts if why)

    @cached_property
    def _verdicts(self) -> list[tuple[PairForm, str]]:
        return [(form, self.verdict(form)) for form in self.forms]

    def verdict(self, form: PairForm) -> str:
        """The reason why a form is left out; empty if both methods agree on its label."""
        proof = self.prover(*Fillings(form, self.lexicon).first())
        if proof.label is None:
            return proof.reason
        if form.label is None:
            return "its readings differ"
        return "" if proof.label is form.label else f"natural logic says {form.label}, its worlds {proof.label}"


@cache
def logic_family(name: str, own: str = "", *, file: str = "templates") -> LogicFamily:
    """A family with the words and templates of a user's file; `file` is what errors call it.

    >>> family = logic_family("scope")
    >>> sorted({each.form.subcase for each in family.verified_forms})[:3], family.left_out.total()
    (['none', 'one-in-not', 'one-in-other'], 0)
    """
    ours = load_toml(__file__, f"templates/{name}", FamilyFile)
    family = LogicFamily(name=name, lexicon=standard_logic_lexicon(), labels=ours.labels, templates=ours.templates)
    return _with_own(family, own, file) if own else family


@cache
def own_lexicon(own: str) -> LogicLexicon:
    """The words, with those of a user's file."""
    ours = standard_logic_lexicon()
    return extend_words(ours, msgspec.toml.decode(own, type=OwnFile).words()) if own else ours


def _with_own(base: LogicFamily, text: str, file: str) -> LogicFamily:
    try:
        added = msgspec.toml.decode(text, type=OwnFile)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise decode_error(error, text, name=file, hint=HINT) from error
    try:
        _check_names(added.templates, base)
        lexicon = extend_words(base.lexicon, added.words())
        theirs = tuple(each for each in added.templates if each.family == base.name)
        family = msgspec.structs.replace(base, lexicon=lexicon, templates=(*base.templates, *theirs))
        for template in theirs:
            _check_template(template, family)
    except EntryError as error:
        raise locate_error(error, text, name=file) from error
    return family


def _check_names(templates: Sequence[OwnTemplate], base: LogicFamily) -> None:
    taken = {template.id for template in base.templates}
    for template in templates:
        if template.family not in LOGIC_FAMILIES:
            raise EntryError(
                f"no family {template.family!r}{did_you_mean(template.family, LOGIC_FAMILIES)}",
                entry=template.family,
                hint=f"Families are {', '.join(LOGIC_FAMILIES)}.",
            )
        if template.family == base.name:
            if template.id in taken:
                raise EntryError(
                    f"the id {template.id!r} is taken", entry=template.id, hint="Give the template another id."
                )
            taken.add(template.id)


@cache
def _known_words() -> frozenset[str]:
    """The words of the templates that come with Assay, of all families."""
    texts = (
        text
        for name in LOGIC_FAMILIES
        for each in logic_family(name).templates
        for text in (each.sentence, each.denial, *each.premises, *each.hypotheses, *each.determiners)
    )
    table = load_operators()
    listed = (*table.determiners, *table.pronouns, *table.negations, *table.subordinators)
    return frozenset(word for text in (*texts, *listed, *NUMBERS) for word in PLAIN.findall(text))


def _check_words(template: LogicTemplate, lexicon: LogicLexicon) -> None:
    """Refuse a template with a word that nobody knows; its slots are checked elsewhere."""
    for text in (template.sentence, template.denial, *template.premises, *template.hypotheses):
        for word in PLAIN.findall(text):
            if word not in _known_words() and word not in lexicon.tokens:
                known = _known_words() | lexicon.tokens.keys()
                raise EntryError(
                    f"the template {template.id!r}: the word {word!r} is not known{did_you_mean(word.lower(), known)}",
                    entry=word,
                    hint="Use a slot (ACT1, PERSON, THING ...), or a word of our lexicon or of this file.",
                )


def _check_template(template: LogicTemplate, family: LogicFamily) -> None:
    """Refuse a template that can't be read, contradicts itself, or whose label can't be proven."""
    forms = forms_of(template, family.name)
    _check_words(template, family.lexicon)
    proofs = [(form, family.prover(*Fillings(form, family.lexicon).first())) for form in forms]
    for form, proof in proofs:
        for wrong in _find_errors(form, proof, template):
            raise EntryError(
                f"the template {template.id!r}: {wrong}: {' / '.join(Fillings(form, family.lexicon).first())}",
                entry=template.id,
                hint=HINT,
            )
    if all(form.label is None or proof.label is None for form, proof in proofs):
        raise EntryError(
            f"the template {template.id!r} makes no pair with a certain label: each has readings with different labels",
            entry=template.id,
            hint='Use words with one reading, such as "at least two" for "two".',
        )


def _find_errors(form: PairForm, proof: LogicProof, template: LogicTemplate) -> Iterator[str]:
    if proof in (CONTRADICTORY, TRIVIAL):
        yield proof.reason
    elif proof.label is None and "fragment" in proof.reason:
        yield f"{proof.reason}; check its words and their order"
    elif proof.label and form.label and proof.label is not form.label:
        yield f"it contradicts itself: its marks say {form.label}, its words {proof.label}"
    elif template.label and proof.label and proof.label is not template.label:
        yield f"its label is {proof.label}, not {template.label}"
