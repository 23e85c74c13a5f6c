"""The order of the models of a run: what is tested comes first, references come last."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from assay.bench.ask.names import OWN, ModelName
from assay.core import registry
from assay.core.protocols import is_reference

NOTHING: Mapping[str, object] = MappingProxyType({})


def is_reference_model(name: str, objects: Mapping[str, object] = NOTHING) -> bool:
    """Whether a model is a reference, by its name; `objects` are models that were passed as such.

    >>> is_reference_model("assay:overlap/v1"), is_reference_model("assay:esim/v1"), is_reference_model("hf:overlap")
    (True, False, False)
    """
    return is_reference(objects[name] if name in objects else _registered(name))


def in_order(names: Iterable[str], objects: Mapping[str, object] = NOTHING) -> list[str]:
    """The user's models, then the trained models that come with Assay, then references; otherwise as given.

    >>> in_order(["assay:majority/v1", "assay:esim/v1", "hf:mine"])
    ['hf:mine', 'assay:esim/v1', 'assay:majority/v1']
    """
    return sorted(names, key=lambda name: (is_reference_model(name, objects), _is_shipped(name)))


def _registered(name: str) -> object:
    kind, what, _ = ModelName.parse(name)
    return registry.models.get(what) if kind == OWN else None


def _is_shipped(name: str) -> bool:
    kind, what, _ = ModelName.parse(name)
    return kind == OWN and registry.models.target(what).path.startswith("assay.")
