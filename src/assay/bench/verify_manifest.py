"""Checking a manifest against itself and against the cases, whatever its seal says."""

from collections import Counter
from collections.abc import Iterator

import msgspec

from assay.bench.build.make import step_names
from assay.core.case import ORIGINAL, Case
from assay.core.suite import Manifest


class Claims:
    """What the cases of a suite show about the claims of its manifest; cases of one origin come together."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._origins = {msgspec.json.encode(recipe): 0 for recipe in manifest.recipes}
        """How many pairs each recipe made cases from."""
        self._last: dict[bytes, str] = {}

    def see(self, case: Case) -> str:
        """Count a case, and return what is wrong with its recipe, in words."""
        made_by = msgspec.json.encode(case.provenance.recipe)
        if made_by not in self._origins:
            return f"{case.id!r} was made by a recipe that the manifest does not have"
        if self._last.get(made_by) != case.origin:
            self._last[made_by] = case.origin
            self._origins[made_by] += 1
        return ""

    def contradictions(self) -> Iterator[str]:
        """What the manifest says and its cases, or another of its fields, show to be wrong."""
        manifest, source = self._manifest, self._manifest.source
        for seed in sorted({recipe.seed for recipe in manifest.recipes} - {manifest.seed}):
            yield f"the seed is {manifest.seed}, but its recipes have the seed {seed}"
        if source.labels and sum(source.labels.values()) != source.pairs:
            yield f"the source has {source.pairs:,} pairs, but {sum(source.labels.values()):,} by label"
        if source.labels and source.rows != source.pairs + sum(source.skipped.values()):
            yield f"the source has {source.rows:,} records, but its pairs and skips give another number"
        yield from self._unaccounted()
        yield from self._slices()

    def _unaccounted(self) -> Iterator[str]:
        """Every pair gives each recipe a case, or is skipped with a reason."""
        recipes: Counter[str] = Counter()
        made: Counter[str] = Counter()
        for key, name in step_names(self._manifest.recipes).items():
            recipes[name] += 1
            made[name] += self._origins[key]
        for name, count in recipes.items():
            pairs, skipped = count * self._manifest.source.pairs, sum(self._manifest.skips.get(name, {}).values())
            found = made[name] + skipped
            if found < pairs or (name == ORIGINAL and found > pairs) or made[name] > pairs:
                yield f"{name}: {made[name]:,} pairs with cases and {skipped:,} skips, of {pairs:,} pairs"

    def _slices(self) -> Iterator[str]:
        if self._manifest.slices is msgspec.UNSET:
            return
        for family, slices in self._manifest.slices.items():
            labels: Counter[str] = Counter()
            for each in slices.values():
                labels.update(each.cases)
            if labels != Counter(self._manifest.counts.get(family, {})):
                yield f"{family}: the counts of its slices differ from those of the family"
