"""How classifiers are trained on frozen vectors: SentEval's settings, and its oddities as switches."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from assay.core.errors import UnknownNameError, UserError, did_you_mean
from assay.core.options import converted, misfit

Count = Annotated[int, msgspec.Meta(ge=1)]
Amount = Annotated[float, msgspec.Meta(ge=0)]

SEED = 1111
"""The seed of SentEval."""


class Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """SentEval's default configuration (Conneau and Kiela 2018): logistic regression trained by Adam."""

    folds: Annotated[int, msgspec.Meta(ge=2)] = 10
    """How many folds."""
    batch: Count = 64
    """Rows in a batch."""
    rate: Annotated[float, msgspec.Meta(gt=0)] = 0.001
    """Adam's learning rate."""
    l2: tuple[Amount, ...] = (1e-5, 1e-4, 1e-3, 1e-2)
    """Weight decays to choose from; Adam adds them to the gradient, for the bias as well."""
    passes: Count = 4
    """Passes over the data between two looks at the validation rows."""
    tenacity: Annotated[int, msgspec.Meta(ge=0)] = 5
    """Looks without a gain that are forgiven; one more ends the training."""
    most_passes: Count = 200
    """The most passes; they are counted before each round, so that the last round may end beyond it."""
    held_out: Annotated[float, msgspec.Meta(gt=0, lt=1)] = 0.05
    """The share of the training rows that decides when the last training of a task with folds ends."""
    loss: Literal["sum", "mean"] = "sum"
    """How the losses of a batch become one. SentEval asks for the sum, which PyTorch ignores since version 0.4.1. Adam
    hardly minds, but next to a mean, a weight decay counts for more."""
    forgive: Literal["once", "anew"] = "once"
    """Whether looks without a gain are counted over the whole training, as SentEval does, or anew after each gain."""
    outer_seed: int | None = SEED
    """The seed of the folds of MR, CR, SUBJ and MPQA, which SentEval fixes whatever seed you give; None for yours."""
    related_passes: Count = 50
    """SICK-R: passes between two looks."""
    related_tenacity: Annotated[int, msgspec.Meta(ge=0)] = 3
    """SICK-R: looks without a gain that are forgiven."""
    related_most_passes: Count = 1000
    """SICK-R: the most passes."""


SENTEVAL = Protocol()


def protocol_with(switches: Mapping[str, str]) -> Protocol:
    """SentEval's settings with some of them changed; several weight decays are separated by slashes.

    >>> protocol_with({"folds": "5", "l2": "0.001/0.01"}).l2
    (0.001, 0.01)
    """
    known = {field.name: field.type for field in msgspec.structs.fields(Protocol)}
    said = {}
    for name, value in switches.items():
        if name not in known:
            raise UnknownNameError(f"No switch {name!r}{did_you_mean(name, known)} There are {', '.join(known)}.")
        given = value.split("/") if name == "l2" else None if value == "none" else value
        try:
            said[name] = (
                converted(given, known[name])
                if isinstance(given, str)
                else msgspec.convert(given, known[name], strict=False)
            )
        except msgspec.ValidationError as error:
            raise UserError(f"The switch {name} {misfit(value, known[name], error)}") from error
    return msgspec.structs.replace(SENTEVAL, **said)
