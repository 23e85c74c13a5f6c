"""Systems over a handful of words, quick to make and to train."""

from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from assay.core.label import THREE_WAY

torch = pytest.importorskip("torch", reason="systems need PyTorch")

from assay.core import registry  # noqa: E402
from assay.core.label import Label  # noqa: E402
from assay.models.systems.system import System, WordSystem  # noqa: E402
from assay.models.systems.vocabulary import Vocabulary  # noqa: E402

WORDS = (
    "a",
    "man",
    "woman",
    "dog",
    "cat",
    "runs",
    "sleeps",
    "in",
    "the",
    "park",
    "house",
    "red",
    "not",
    "never",
    "big",
)
OVER_WORDS = [
    "hypothesis-only",
    "cbow",
    "bilstm",
    "infersent",
    "decomposable-attention",
    "esim",
    "gated-attention",
    "kim",
    "rivercorners",
    "shortcut-stacked",
    "residual-stacked",
    "spinn",
]


def vectors(size: int = 12) -> NDArray[numpy.float32]:
    return numpy.random.default_rng(3).normal(size=(len(WORDS), size)).astype(numpy.float32)


def make(name: str, labels: tuple[Label, ...] = THREE_WAY, **switches: Any) -> WordSystem:
    kind: type[WordSystem] = registry.systems.get(name)
    dropped = {"dropout": 0.0, "word_dropout": 0.0}
    small = {"hidden": 10, "classifier": 10, "lowercase": True, "letter_maps": 6, **dropped, **switches}
    config = kind.Config(**{key: value for key, value in small.items() if key in kind.Config.__struct_fields__})
    torch.manual_seed(1)
    return kind(config, Vocabulary(("rare",), WORDS), vectors(), labels)


def sentences(count: int, *, seed: int) -> list[str]:
    rng = numpy.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, size=rng.integers(2, 9))) for _ in range(count)]


def scores(system: System, premises: list[str], hypotheses: list[str]) -> Any:
    system.eval()
    with torch.no_grad():
        encoded = system.encode(premises, hypotheses)
        return system(*system.batch(encoded, numpy.arange(len(premises))))
