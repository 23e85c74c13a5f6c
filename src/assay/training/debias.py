"""Debiasing: checks of the options, and the answers of a biased model and a teacher to the training pairs."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import numpy

from assay.core.errors import BadInputError, UnknownNameError, UserError, did_you_mean
from assay.core.label import Label
from assay.models.systems.system_card import read_card
from assay.storage.files import digest
from assay.training.bias_model import (
    BiasFacts,
    Rights,
    ShallowBias,
    Shares,
    bias_of,
    cached_probabilities,
    facts_of,
    refuse_unknown,
)
from assay.training.data_changes import PairSource
from assay.training.data_map import seed_folder
from assay.training.hyperparameters import NEEDS_NO_BIAS, Method
from assay.training.training_corpus import TrainSpec


def refuse_unusable(spec: TrainSpec, labels: tuple[Label, ...], *, seeds: Sequence[int]) -> None:
    """Stop before any work if the request for debiasing can't be met."""
    if spec.debias is None:
        for option, given in (("--bias", spec.bias), ("--set teacher", spec.teacher)):
            if given:
                raise UserError(f"{option} needs a method: --debias {', '.join(get_args(Method))}.")
        return
    if spec.debias not in get_args(Method):
        known = get_args(Method)
        raise UnknownNameError(
            f"No method {spec.debias!r} of --debias{did_you_mean(spec.debias, known)} Choose from {', '.join(known)}."
        )
    if spec.bias is not None:
        refuse_unknown(spec.bias)
    elif spec.debias not in NEEDS_NO_BIAS:
        raise UserError(
            f"--debias {spec.debias} needs a biased model: --bias hypothesis, --bias overlap, --bias shallow, "
            "or --bias FILE with probabilities."
        )
    if spec.debias == "confreg":
        _refuse_teacher(spec, labels, seeds=seeds)
    elif spec.teacher:
        raise UserError(f"--set teacher needs --debias confreg; --debias {spec.debias} has no teacher.")


def _refuse_teacher(spec: TrainSpec, labels: tuple[Label, ...], *, seeds: Sequence[int]) -> None:
    if spec.teacher is None:
        raise UserError(
            "--debias confreg needs a teacher, which is a system that was trained in the ordinary way.\n"
            "  Train one first, with the same command without --debias and --bias and with another --out, and name its "
            "folder: --set teacher=DIR."
        )
    for seed in seeds:
        folder = seed_folder(spec.teacher, seed)
        theirs = read_card(folder).labels
        if set(theirs) != set(labels):
            raise BadInputError(
                f"this teacher answers {', '.join(theirs)}, and this training run needs {', '.join(labels)}",
                where=str(folder),
                hint="Train both with --two-way, or both without.",
            )


class Guidance(NamedTuple):
    """Probabilities of a biased model and of a teacher for the training pairs."""

    bias: Shares | None = None
    """(training pairs, labels): the probabilities of the biased model."""
    teacher: Shares | None = None
    """(training pairs, labels): those of the teacher."""
    facts: BiasFacts | None = None


def guidance_for(
    spec: TrainSpec,
    parts: Sequence[PairSource],
    labels: tuple[Label, ...],
    right: Rights,
    *,
    seed: int,
    shallow: ShallowBias,
    tell: Callable[[str], None],
) -> Guidance:
    """Probabilities that the method needs; empty without a bias."""
    if spec.bias is None:
        return Guidance()
    bias = bias_of(spec.bias, parts, labels, right, shallow=shallow)
    facts = facts_of(bias, right)
    tell(
        f"The bias alone is right about {100 * facts.accuracy:.1f}% of the {len(right):,} training pairs "
        f"(--bias {spec.bias})."
    )
    teacher = _teacher_probabilities(seed_folder(spec.teacher, seed), parts, labels) if spec.teacher else None
    return Guidance(bias, teacher, facts)


def _teacher_probabilities(folder: Path, parts: Sequence[PairSource], labels: tuple[Label, ...]) -> Shares:
    """Probabilities of a teacher for the training pairs."""
    from assay.models.systems.system import WEIGHTS, load_system
    from assay.training.loop import predict_shares

    pairs = [pair for part in parts for pair in part.pairs]

    def make() -> Shares:
        system = load_system(folder)
        order = [system.labels.index(label) for label in labels]
        return predict_shares(system, system.encode_pairs(pairs))[:, order].astype(numpy.float64)

    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    return cached_probabilities([digest(folder / WEIGHTS), labels, texts], make, shape=(len(pairs), len(labels)))
