"""What models need before they can be asked."""

from collections.abc import Iterable, Mapping

from assay.bench.ask.names import settings_of
from assay.core.protocols import UsesResources
from assay.language.resources.loaded import refuse_missing


def refuse_unequipped(models: Iterable[str], objects: Mapping[str, object]) -> None:
    """Stop before anything is built or asked if a model needs a resource that is not there."""
    for name in models:
        made = objects.get(name) or settings_of(name)
        if isinstance(made, UsesResources):
            refuse_missing(made.uses, needed_for=f"The model {name}")
