"""A prescription: the remedies that fit what a model was diagnosed with, before they are written as a plan."""

from typing import Any

import msgspec

from assay.core.results.diagnosis import Effect, Shortcut


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """A way to train a system that may keep it from a shortcut."""

    name: str
    """What the plan calls the regime."""
    options: dict[str, Any]
    """The options of the regime, as a plan has them."""
    against: tuple[Shortcut, ...]
    """The shortcuts that it is meant to cure."""
    treats: tuple[str, ...]
    """The suites that show what it treats; all others are withheld from it."""
    why: str
    """What it does, in a sentence."""


class Measure(msgspec.Struct, frozen=True, kw_only=True):
    """A suite that shows what remedies do."""

    name: str
    """What the plan calls it."""
    options: dict[str, Any]
    """How it is built, as a plan has it."""
    why: str
    """What it shows, in a sentence."""


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Who is to be cured: the model that was diagnosed, and the system that is trained for it."""

    model: str
    """The model."""
    headline: str
    """What it does, in a sentence without its subject and its full stop."""
    system: str
    """The system."""
    options: dict[str, Any] = {}
    """Its options, as a plan has them."""
    is_own: bool = False
    """Whether the model is itself such a system, trained by Assay."""
    goes_on: bool = False
    """Whether training starts from the weights of the model."""


class Prescription(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that goes into the plan."""

    subject: Subject
    """Who is to be cured."""
    shortcuts: tuple[Effect, ...]
    """The shortcuts that the remedies are against, with figures."""
    incurable: tuple[Effect, ...]
    """Those that no remedy here is against."""
    remedies: tuple[Remedy, ...]
    """The regimes beside the untreated one."""
    measures: tuple[Measure, ...]
    """The suites; the first has real pairs."""
    corpora: dict[str, dict[str, str]]
    """The corpora, as a plan has them."""
    sources: tuple[str, ...]
    """The corpora that are trained on."""
    data: str = ""
    """The folder of data; empty if there is none, and the bundled corpus stands in."""
    vectors: str = ""
    """The file of word vectors in it; empty for those that come with Assay."""

    def withheld(self, remedy: Remedy) -> tuple[str, ...]:
        """The suites that a remedy is a stranger to."""
        return tuple(each.name for each in self.measures[1:] if each.name not in remedy.treats)
