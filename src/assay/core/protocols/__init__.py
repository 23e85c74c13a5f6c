"""The hooks of Assay: what you can pass in or register, and what each must be able to do.

A package registers its classes through entry points, in the groups below; a script or a notebook registers them with
`assay.registry`. Assay's own are declared in the same way in its `pyproject.toml`.

    group               what you register   what it is
    assay.transforms    Transform           a family of tests, made from pairs
    assay.checks        Check               proves the labels of the transform of the same name
    assay.models        Model, Learner      a model, called `assay:NAME`
    assay.adapters      Adapter             a kind of model, called `KIND:WHAT`
    assay.formats       Format              what the rows of one kind of file mean

`assay.systems` holds the architectures that `assay train` trains; they need presets, so packages can't add any yet.

Corpora and models that you hold in Python need no registration: `assay.build`, `assay.run` and `assay.score` take
any iterable of pairs, and models as objects or functions. The fakes in `assay.core.fakes` go through these doors too.
"""

from assay.core.protocols.corpora import (
    Corpus,
    Format,
    GeneratedCorpus,
    Row,
    Sample,
)
from assay.core.protocols.models import (
    Adapter,
    Cost,
    CountsTokens,
    Endpoint,
    Foreseeing,
    Learner,
    Model,
    NamesLabels,
    Priced,
    Ready,
    SentenceModel,
    Several,
    TextModel,
    Texts,
    is_reference,
    offers,
    reference,
)
from assay.core.protocols.transforms import (
    Check,
    Excerpting,
    Fidelity,
    Foresighted,
    Generating,
    Sliced,
    Splitter,
    Splitting,
    Traits,
    Transform,
    Varied,
    WordReplacing,
    described,
)

__all__ = [
    "Adapter",
    "Check",
    "Corpus",
    "Cost",
    "CountsTokens",
    "Endpoint",
    "Excerpting",
    "Fidelity",
    "Foreseeing",
    "Foresighted",
    "Format",
    "GeneratedCorpus",
    "Generating",
    "Learner",
    "Model",
    "NamesLabels",
    "Priced",
    "Ready",
    "Row",
    "Sample",
    "SentenceModel",
    "Several",
    "Sliced",
    "Splitter",
    "Splitting",
    "TextModel",
    "Texts",
    "Traits",
    "Transform",
    "Varied",
    "WordReplacing",
    "described",
    "is_reference",
    "offers",
    "reference",
]
