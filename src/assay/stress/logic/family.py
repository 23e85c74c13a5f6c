"""A family's forms: its templates with a user's own, proven one by one, and weighted."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from typing import NamedTuple

import msgspec

from assay.core.errors import did_you_mean
from assay.core.label import Label
from assay.language.logic.files import EntryError, located, undecoded
from assay.language.logic.lexicon import Lexicon, Words, extended, standard
from assay.language.logic.polarity import NUMBERS, operators
from assay.stress.logic.balance import weights
from assay.stress.logic.fillings import Fillings
from assay.stress.logic.natural.forms import FAMILIES, Form, Template, forms_of
from assay.stress.logic.proof.prove import CONTRADICTORY, TRIVIAL, Proof, Prover

PLAIN = re.compile(r"(?<![\w.])[A-Z]?[a-z]+(?!\w|\.\w)")
"""Words of a pattern that are no slots."""
HINT = "docs/families/logic.md explains these files."


class FamilyFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The templates of a family that come with Assay."""

    labels: dict[Label, int]
    """How many of its pairs have each label, in proportion."""
    templates: tuple[Template, ...]
    """The templates."""


class OwnTemplate(Template, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's template, for one of the families."""

    family: str
    """The family that it belongs to."""


class OwnFile(Words, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A user's file: words as in lexicon.toml, and templates."""

    templates: tuple[OwnTemplate, ...] = ()

    def words(self) -> Words:
        """The tables of words."""
        return Words(**{name: getattr(self, name) for name in Words.__struct_fields__})


class Settled(NamedTuple):
    """A form whose label both methods agree on."""

    form: Form
    label: Label
    fillings: Fillings
    weight: float
    """Its part of its subcase."""


class LogicFamily(msgspec.Struct, frozen=True, kw_only=True, dict=True, eq=False):
    """The templates of a family, with the words that fill them."""

    name: str
    """The family."""
    lexicon: Lexicon
    """All words."""
    labels: dict[Label, int]
    """How many of its pairs have each label, in proportion."""
    templates: tuple[Template, ...]
    """The templates."""

    @cached_property
    def prover(self) -> Prover:
        """Proves pairs that are made of these words."""
        return Prover(self.lexicon)

    @cached_property
    def template_ids(self) -> frozenset[str]:
        """The names of its templates."""
        return frozenset(each.id for each in self.templates)

    @cached_property
    def forms(self) -> list[Form]:
        """All forms, settled or not."""
        return [form for template in self.templates for form in forms_of(template, self.name)]

    @cached_property
    def settled(self) -> list[Settled]:
        """The forms that both methods give the same label, in the order of the templates."""
        agreed = [form for form, why in self._verdicts if not why]
        shares = weights(agreed, self.labels)
        return [
            Settled(form, form.label, Fillings(form, self.lexicon), weight)
            for form, weight in zip(agreed, shares, strict=True)
            if form.label
        ]

    @cached_property
    def left_out(self) -> Counter[str]:
        """Forms that are not built, by reason."""
        return Counter(why for _, why in self._verdicts if why)

    @cached_property
    def _verdicts(self) -> list[tuple[Form, str]]:
        return [(form, self.verdict(form)) for form in self.forms]

    def verdict(self, form: Form) -> str:
        """Why a form is left out; empty if both methods agree on its label."""
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
    >>> sorted({each.form.subcase for each in family.settled})[:3], family.left_out.total()
    (['none', 'one-in-not', 'one-in-other'], 0)
    """
    text = (files("assay.stress.logic") / "templates" / f"{name}.toml").read_text(encoding="utf-8")
    ours = msgspec.toml.decode(text, type=FamilyFile)
    made = LogicFamily(name=name, lexicon=standard(), labels=ours.labels, templates=ours.templates)
    return _with_own(made, own, file) if own else made


@cache
def own_lexicon(own: str) -> Lexicon:
    """The words, with those of a user's file."""
    return extended(standard(), msgspec.toml.decode(own, type=OwnFile).words()) if own else standard()


def _with_own(base: LogicFamily, text: str, file: str) -> LogicFamily:
    try:
        added = msgspec.toml.decode(text, type=OwnFile)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise undecoded(error, text, name=file, hint=HINT) from error
    try:
        _check_names(added.templates, base)
        lexicon = extended(base.lexicon, added.words())
        theirs = tuple(each for each in added.templates if each.family == base.name)
        made = msgspec.structs.replace(base, lexicon=lexicon, templates=(*base.templates, *theirs))
        for template in theirs:
            _check(template, made)
    except EntryError as error:
        raise located(error, text, name=file) from error
    return made


def _check_names(templates: Sequence[OwnTemplate], base: LogicFamily) -> None:
    taken = {each.id for each in base.templates}
    for each in templates:
        if each.family not in FAMILIES:
            raise EntryError(
                f"no family {each.family!r}{did_you_mean(each.family, FAMILIES)}",
                entry=each.family,
                hint=f"Families are {', '.join(FAMILIES)}.",
            )
        if each.family == base.name:
            if each.id in taken:
                raise EntryError(f"the id {each.id!r} is taken", entry=each.id, hint="Give the template another id.")
            taken.add(each.id)


@cache
def _known_words() -> frozenset[str]:
    """The words of the templates that come with Assay, of all families."""
    texts = (
        text
        for name in FAMILIES
        for each in logic_family(name).templates
        for text in (each.sentence, each.denial, *each.premises, *each.hypotheses, *each.determiners)
    )
    listed = (*operators().determiners, *operators().pronouns, *operators().negations, *operators().subordinators)
    return frozenset(word for text in (*texts, *listed, *NUMBERS) for word in PLAIN.findall(text))


def _check_words(template: Template, lexicon: Lexicon) -> None:
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


def _check(template: Template, family: LogicFamily) -> None:
    """Refuse a template that can't be read, contradicts itself, or whose label can't be proven."""
    forms = forms_of(template, family.name)
    _check_words(template, family.lexicon)
    proofs = [(form, family.prover(*Fillings(form, family.lexicon).first())) for form in forms]
    for form, proof in proofs:
        for wrong in _wrong(form, proof, template):
            raise EntryError(
                f"the template {template.id!r}: {wrong}: {' / '.join(Fillings(form, family.lexicon).first())}",
                entry=template.id,
                hint=HINT,
            )
    if all(form.label is None or proof.label is None for form, proof in proofs):
        raise EntryError(
            f"the template {template.id!r} makes no pair whose label is settled: the readings of each differ",
            entry=template.id,
            hint='Use words with one reading, such as "at least two" for "two".',
        )


def _wrong(form: Form, proof: Proof, template: Template) -> Iterator[str]:
    if proof in (CONTRADICTORY, TRIVIAL):
        yield proof.reason
    elif proof.label is None and "fragment" in proof.reason:
        yield f"{proof.reason}; check its words and their order"
    elif proof.label and form.label and proof.label is not form.label:
        yield f"it contradicts itself: its marks say {form.label}, its words {proof.label}"
    elif template.label and proof.label and proof.label is not template.label:
        yield f"its label is {proof.label}, not {template.label}"
