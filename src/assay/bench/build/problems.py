"""Corpora of problems in words: a family that knows how makes pairs of them, for itself and for all others."""

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

    Which one it is, is looked up when the first problem comes: most corpora have none.
    """

    def __init__(self, recipes: Sequence[Recipe]) -> None:
        self._recipes = recipes
        self._splitter: Splitter | None = None
        self._family = ""

    def __call__(self, problem: Problem) -> Iterable[Pair]:
        """The pairs of a problem."""
        if self._splitter is None:
            self._family, self._splitter = self._found()
        return self._splitter(problem)

    def count(self, tally: Tally) -> tuple[str, ...]:
        """Count what was left out under the family that split, and say what is worth knowing about the rest."""
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
        raise UserError("The corpus holds problems, and no family is installed that makes pairs of them.")
