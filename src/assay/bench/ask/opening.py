"""Opening a model for as long as it is asked."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from assay.bench.ask.names import settings_of
from assay.core.protocols import Adapter, Learner, Model, NamesLabels


@contextmanager
def opened(name: str, given: Model | Learner | Adapter | None, names: Mapping[str, str]) -> Iterator[Any]:
    """The model, opened by its name unless it is given; whoever passes an open model closes it.

    `names` are the user's own names for labels, each with ours, which it may answer with.
    """
    made = settings_of(name) if given is None else given
    if names and isinstance(made, NamesLabels):
        made = made.with_names(names)
    model: Any = made.open() if isinstance(made, Adapter) else made
    try:
        yield model
    finally:
        if model is not given and hasattr(model, "close"):
            model.close()
