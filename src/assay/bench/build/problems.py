"""Corpora of word problems: a family that can do so makes pairs from them, for itself and for all others."""

from collections.abc import Iterable, Sequence

from assay.bench.build.make import Tally
from assay.bench.build.recipes import traits_of, transform_of
from assay.core import registry
from assay.core.case import Recipe
from assay.core.errors import UserError
from assay.core.pair import Pair, Problem
from assay.core.protocols import Splitter, Splitting


class Problems:
    """Splits problems the way a family of the build does; if none of them can, the way a registered one does.

    It is looked up when the first problem is read, because most corpora have none.
    """

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self._recipes = recipes
        self._splitter: Splitter | None = None
        self._family = ""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs made from a problem."""
        if self._splitter is None:
            self._family, self._splitter = self._found()
        return self._splitter(problem)

    def count(self, tally: Tally) -> tuple[str, ...]:
        """Count what was left out, under the family that split the problems, and add its notes."""
        if self._splitter is None:
            return ()
        if self._splitter.skips:
            tally.skips[self._family].update(self._splitter.skips)
        return self._splitter.told()

    def _found(self) -> tuple[str, Splitter]:
        others = (Recipe(transform=name, seed=0) for name in registry.transforms.newest())
        for recipe in (*self._recipes, *others):
            kind = registry.transforms.get(recipe.transform)
            if isinstance(kind, type) and issubclass(kind, Splitting):
                transform = transform_of(recipe)
                assert isinstance(transform, Splitting)
                return traits_of(recipe.transform).family, transform.splitter()
        raise UserError("The corpus holds word problems, and no installed family makes pairs from them.")
