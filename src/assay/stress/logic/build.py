"""The transforms of the logic families: pairs from templates become cases, optionally with unrelated sentences."""

from collections import Counter
from collections.abc import Collection, Iterator
from random import Random
from typing import Annotated, ClassVar

import msgspec

from assay.core.edit import Edit, Replacement, Skip
from assay.core.errors import UserError, did_you_mean
from assay.core.label import Label
from assay.core.manifest import Source
from assay.core.pair import Pair
from assay.core.protocols import Check
from assay.core.rng import rng_for
from assay.stress.logic.check import LogicCheck
from assay.stress.logic.logic_lexicon import make_verb
from assay.stress.logic.template_family import LogicFamily, VerifiedForm, allot_counts, logic_family
from assay.stress.template_pairs import Split, TemplatePairs


class LogicPairs(TemplatePairs):
    """N pairs of each subcase of a family, or of some; the same ones each time it is read.

    `templates` is the text of a user's own file.

    >>> corpus = LogicPairs("scope", 4)
    >>> pairs = list(corpus)
    >>> len(pairs), corpus.recipe().transform, pairs[0].group["subcase"]
    (32, 'scope/v1', 'none')
    """

    def __init__(
        self,
        name: str,
        n: int = 1000,
        *,
        split: Split = "evaluation",
        seed: int = 0,
        templates: str = "",
        extra: int = 0,
        subcases: Collection[str] | None = None,
    ) -> None:
        super().__init__(name, n, split=split, seed=seed, options={"templates": templates, "extra": extra})
        self._family = logic_family(name, templates)
        self.subcases = subcases

    def __iter__(self) -> Iterator[Pair]:
        first = 0
        for form, count in self._counted_forms():
            yield from self._draw_pairs(form, count, first)
            first += count

    def summary(self) -> Source:
        """The corpus as a manifest describes it, with the forms that are not built."""
        reasons = sorted(self._family.left_out.items())
        left = (f"{count} forms are left out, each because {why}" for why, count in reasons)
        source = super().summary()
        return msgspec.structs.replace(source, notes=(*source.notes, *left))

    def count_labels(self) -> dict[str, int]:
        """The number of pairs with each label."""
        labels: Counter[Label] = Counter()
        for form, count in self._counted_forms():
            labels[form.label] += count
        return {label.value: labels[label] for label in self._family.labels if labels[label]}

    def _counted_forms(self) -> Iterator[tuple[VerifiedForm, int]]:
        """Every form, and its number of pairs."""
        for subcase, forms in self._choose_forms().items():
            yield from zip(forms, self._count_pairs(subcase, forms), strict=True)

    def _choose_forms(self) -> dict[str, list[VerifiedForm]]:
        """The forms of each subcase."""
        forms_by_subcase: dict[str, list[VerifiedForm]] = {}
        for each in self._family.verified_forms:
            forms_by_subcase.setdefault(each.form.subcase, []).append(each)
        if self.subcases is None:
            return forms_by_subcase
        if unknown := sorted({*self.subcases} - {*forms_by_subcase}):
            raise UserError(f"No subcase {unknown[0]!r}{did_you_mean(unknown[0], forms_by_subcase)}")
        return {name: forms for name, forms in forms_by_subcase.items() if name in self.subcases}

    def _count_pairs(self, subcase: str, forms: list[VerifiedForm]) -> list[int]:
        most = [each.fillings.sizes[self.split] for each in forms]
        self.check_size(subcase, sum(most))
        rng = rng_for(self.seed, transform=self.transform, pair=f"{self.split} {subcase}")
        order = sorted(range(len(forms)), key=lambda n: (forms[n].label, rng.random()))
        counts = allot_counts([forms[n].weight for n in order], self.n, [most[n] for n in order], start=rng.random())
        by_form = dict(zip(order, counts, strict=True))
        return [by_form[n] for n in range(len(forms))]

    def _draw_pairs(self, settled: VerifiedForm, count: int, first: int) -> Iterator[Pair]:
        form = settled.form
        key = f"{rng_for(self.seed, transform=self.transform, pair=f'{self.split} {form.id}').getrandbits(64):x}"
        group = {"subcase": form.subcase, "template": form.template}
        if form.polarity:
            group |= {"polarity": form.polarity, "change": form.change}
        for number, (premise, hypothesis) in enumerate(settled.fillings.draw(count, self.split, key), first):
            yield Pair(
                id=f"{self.name}-{number}", premise=premise, hypothesis=hypothesis, label=settled.label, group=group
            )


OTHER = Skip("no template of the family makes this pair")
TOO_FEW_WORDS = Skip("too few words are left for another unrelated sentence")

EXTRA = ("{name} did not {base}.", "{name} never {past}.", "{name} {past}.", "{name} did not {base} or {other}.")
"""Sentences that have nothing to do with a pair."""


class LogicTransform(msgspec.Struct, frozen=True, kw_only=True):
    """Takes pairs that a template of the family makes."""

    extra: Annotated[int, msgspec.Meta(ge=0)] = 0
    """The number of unrelated sentences, most of them negated, before the premise; a ladder varies it."""
    templates: str = ""
    """The text of your own file of words and templates, so that a suite can be verified without the file."""

    family: ClassVar[str]
    check: ClassVar[type[Check]] = LogicCheck
    distinct: ClassVar[bool] = True
    strength: ClassVar[str] = "extra"

    def generate(self, per_subcase: int, *, seed: int) -> LogicPairs:
        """Pairs of every subcase, `per_subcase` of each."""
        return LogicPairs(self.family, per_subcase, seed=seed, templates=self.templates, extra=self.extra)

    def __call__(self, pair: Pair, rng: Random) -> list[Edit] | Skip:
        if "template" not in pair.group:
            return OTHER
        known = logic_family(self.family, self.templates)
        if pair.group["template"] not in known.template_ids:
            return OTHER
        if not self.extra:
            return [Edit()]
        text = unrelated_sentences(pair, self.extra, rng, known)
        return [Edit(premise=(Replacement(0, "", text),))] if text else TOO_FEW_WORDS


def unrelated_sentences(pair: Pair, count: int, rng: Random, family: LogicFamily) -> str:
    """Sentences without any name or verb of a pair; empty if there are too few words."""
    used = {*pair.premise.replace(".", " ").replace(",", " ").split(), *pair.hypothesis.rstrip(".").split()}
    names = [each for each in family.lexicon.words.names if each not in used]
    acts = [made for each in family.lexicon.words.acts if used.isdisjoint(made := make_verb(each))]
    if len(names) < count or len(acts) < 2 * count:
        return ""
    rng.shuffle(names)
    rng.shuffle(acts)
    text = ""
    for number in range(count):
        act, other = acts[2 * number], acts[2 * number + 1]
        sentence = rng.choice(EXTRA)
        text += sentence.format(name=names[number], base=act.base, past=act.past, other=other.base) + " "
    return text


class Scope(LogicTransform, frozen=True, kw_only=True):
    """Replaces a word inside and outside the scope of negations."""

    family: ClassVar[str] = "scope"


class Monotonicity(LogicTransform, frozen=True, kw_only=True):
    """Replaces or modifies a word under determiners, negation and conditions."""

    family: ClassVar[str] = "monotonicity"
    from_corpus: ClassVar[str] = "monotonicity-corpus/v1"


class Conjunction(LogicTransform, frozen=True, kw_only=True):
    """Drops or adds a part of a conjunction or a disjunction."""

    family: ClassVar[str] = "conjunction"
    from_corpus: ClassVar[str] = "conjunction-corpus/v1"


class Quantifiers(LogicTransform, frozen=True, kw_only=True):
    """Replaces a determiner by another over the same nouns."""

    family: ClassVar[str] = "quantifiers"
    from_corpus: ClassVar[str] = "quantifiers-corpus/v1"


class Comparatives(LogicTransform, frozen=True, kw_only=True):
    """Comparatives, alone and in chains."""

    family: ClassVar[str] = "comparatives"


class Conditionals(LogicTransform, frozen=True, kw_only=True):
    """Valid and invalid inferences from conditions and facts."""

    family: ClassVar[str] = "conditionals"
