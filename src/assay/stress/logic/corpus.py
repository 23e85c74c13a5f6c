"""Generated pairs of a logic family as a corpus, so that a suite can be built from them as from any other."""

from collections import Counter
from collections.abc import Collection, Iterator

from assay.core.case import Option, Recipe
from assay.core.chance import rng_for
from assay.core.edit import Skip
from assay.core.errors import UserError, did_you_mean
from assay.core.label import Label
from assay.core.pair import Pair
from assay.core.suite import Source
from assay.stress.heuristics.splits import SPLITS, Split
from assay.stress.logic.balance import allotted
from assay.stress.logic.family import LogicFamily, Settled, logic_family


class LogicPairs:
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
        if split not in SPLITS:
            raise UserError(f"No split {split!r}{did_you_mean(split, SPLITS)} There are {' and '.join(SPLITS)}.")
        if n < 1:
            raise UserError(f"The number of pairs must be 1 or more, not {n}.")
        self.name = name
        self.n = n
        self.split: Split = split
        self.seed = seed
        self.templates = templates
        self.extra = extra
        self.subcases = subcases
        self.problems: list[Skip] = []
        self.notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Pair]:
        first = 0
        for subcase, forms in self._wanted().items():
            for form, count in zip(forms, self._counts(subcase, forms), strict=True):
                yield from self._pairs(form, count, first)
                first += count

    def as_pairs(self, _split: object = None) -> Iterator[Pair]:
        """The pairs; there are no word problems to split."""
        return iter(self)

    def summary(self) -> Source:
        """What a manifest says about it."""
        labels: Counter[Label] = Counter()
        for subcase, forms in self._wanted().items():
            for form, count in zip(forms, self._counts(subcase, forms), strict=True):
                labels[form.label] += count
        reasons = sorted(self._family.left_out.items())
        left = (f"{count} forms are left out, each because {why}" for why, count in reasons)
        return Source(
            name=f"{self.name}, {self.split}, {self.n} per subcase, seed {self.seed}",
            format=self._transform,
            digest="",
            rows=labels.total(),
            pairs=labels.total(),
            labels={label.value: labels[label] for label in self._family.labels if labels[label]},
            skipped={},
            notes=(*self.notes, *left),
        )

    def recipe(self) -> Recipe:
        """The recipe that makes cases from its pairs."""
        options: dict[str, Option] = {}
        if self.templates:
            options["templates"] = self.templates
        if self.extra:
            options["extra"] = self.extra
        return Recipe(transform=self._transform, options=options, seed=self.seed)

    @property
    def _transform(self) -> str:
        return f"{self.name}/v1"

    @property
    def _family(self) -> LogicFamily:
        return logic_family(self.name, self.templates)

    def _wanted(self) -> dict[str, list[Settled]]:
        """The forms of each subcase."""
        found: dict[str, list[Settled]] = {}
        for each in self._family.settled:
            found.setdefault(each.form.subcase, []).append(each)
        if self.subcases is None:
            return found
        if unknown := sorted({*self.subcases} - {*found}):
            raise UserError(f"No subcase {unknown[0]!r}{did_you_mean(unknown[0], found)}")
        return {name: forms for name, forms in found.items() if name in self.subcases}

    def _counts(self, subcase: str, forms: list[Settled]) -> list[int]:
        most = [each.fillings.halves[self.split] for each in forms]
        if self.n > sum(most):
            raise UserError(
                f"{subcase} has {sum(most):,} different pairs in the {self.split} split, but {self.n:,} were requested."
                f"\n  Request at most {sum(most):,} of each subcase (--per-subcase), or add words with --grammar."
            )
        rng = rng_for(self.seed, transform=self._transform, pair=f"{self.split} {subcase}")
        order = sorted(range(len(forms)), key=lambda n: (forms[n].label, rng.random()))
        counts = allotted([forms[n].weight for n in order], self.n, [most[n] for n in order], start=rng.random())
        by_form = dict(zip(order, counts, strict=True))
        return [by_form[n] for n in range(len(forms))]

    def _pairs(self, settled: Settled, count: int, first: int) -> Iterator[Pair]:
        form = settled.form
        key = f"{rng_for(self.seed, transform=self._transform, pair=f'{self.split} {form.id}').getrandbits(64):x}"
        group = {"subcase": form.subcase, "template": form.template}
        if form.polarity:
            group |= {"polarity": form.polarity, "change": form.change}
        for number, (premise, hypothesis) in enumerate(settled.fillings.draw(count, self.split, key), first):
            yield Pair(
                id=f"{self.name}-{number}", premise=premise, hypothesis=hypothesis, label=settled.label, group=group
            )
