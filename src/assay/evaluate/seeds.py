"""Several seeds of one system: a band, not a point."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from math import comb, fsum, sqrt
from statistics import fmean
from typing import NamedTuple, TypeVar

import msgspec

from assay.core.comparison import Band
from assay.core.estimate import Estimate
from assay.core.registry import split_alias
from assay.core.rng import rng_for

SEED = re.compile(r"@((?:seed)?[0-9]+)$")
VERSION = re.compile(r"/v[0-9]+(?=\?|$)")

MOST_SPLITS = 20_000  # maximum number of splits of the seeds that are tried; if there are more, this many are drawn


def band(values: Sequence[float]) -> Band:
    """The mean, lowest and highest of the values.

    >>> band([0.25, 0.5, 0.75])
    Band(mean=0.5, low=0.25, high=0.75, deviation=0.25, n=3)
    """
    # Rounding must not push the mean past the ends.
    mean = min(max(values), max(min(values), fsum(values) / len(values)))
    squares = fsum((value - mean) ** 2 for value in values)
    deviation = sqrt(squares / (len(values) - 1)) if len(values) > 1 else None
    return Band(mean=mean, low=min(values), high=max(values), deviation=deviation, n=len(values))


def mean_interval(over: Band) -> tuple[float | None, float | None]:
    """The 95% interval of a mean over other training runs on the same cases, by Student's t; None for one training run.

    >>> [round(end, 3) for end in mean_interval(band([0.6, 0.62, 0.64, 0.62]))], mean_interval(band([0.6]))
    ([0.594, 0.646], (None, None))
    """
    from assay.evaluate.intervals import student_95  # it needs numpy, and names of models do not

    if over.deviation is None:
        return None, None
    reach = student_95(over.n - 1) * over.deviation / sqrt(over.n)
    return max(0.0, over.mean - reach), min(1.0, over.mean + reach)


def exchange_p(first: Sequence[float], second: Sequence[float]) -> float:
    """The p of two bands this far apart, if seeds were assigned to systems by chance.

    Three seeds against three can't get below 0.1; four against four reach 0.03.

    >>> exchange_p([0.1, 0.2, 0.3], [0.7, 0.8, 0.9]), round(exchange_p([1, 2, 3, 4], [5, 6, 7, 8]), 4)
    (0.1, 0.0286)
    """
    values = [*first, *second]
    middle = fsum(values) * len(first) / len(values)
    # Splits that only differ by rounding are equal.
    observed = abs(fsum(first) - middle) * (1 - 1e-9) - 1e-12
    splits: Iterable[Sequence[float]]
    if comb(len(values), len(first)) <= MOST_SPLITS:
        splits, extra = combinations(values, len(first)), 0
    else:
        rng = rng_for(0, transform="exchange/v1", pair=" ".join(map(repr, values)))
        splits, extra = (rng.sample(values, len(first)) for _ in range(MOST_SPLITS)), 1
    as_far = [abs(fsum(split) - middle) >= observed for split in splits]
    return (sum(as_far) + extra) / (len(as_far) + extra)


def bands(estimates: Iterable[Estimate], figure: str = "accuracy") -> list[Estimate]:
    """A number of each system over its seeds, slice by slice: mean, lowest and highest, and how many `seeds`.

    The range of accuracies is named `band`; ranges of other metrics keep the metric's name.

    >>> def accuracy(model: str, value: float) -> Estimate:
    ...     return Estimate(name="accuracy", value=value, n=40, slice={"model": model, "family": "negation"})
    >>> [found] = bands([accuracy("x@1", 0.25), accuracy("x@2", 0.75), accuracy("y", 0.5)])
    >>> found.name, found.value, found.low, found.high, found.slice["model"], found.slice["seeds"]
    ('band', 0.5, 0.25, 0.75, 'x', '2')
    """
    found: dict[frozenset[tuple[str, str]], list[Estimate]] = {}
    for each in estimates:
        system, seed = split_seed(each.slice["model"])
        if each.name == figure and each.value is not None and seed is not None:
            found.setdefault(frozenset({**each.slice, "model": system}.items()), []).append(each)
    name, made = "band" if figure == "accuracy" else figure, []
    for first, *others in found.values():
        if others:
            over = band([each.value for each in (first, *others) if each.value is not None])
            where = {**first.slice, "model": split_seed(first.slice["model"]).system, "seeds": str(over.n)}
            made.append(Estimate(name=name, value=over.mean, low=over.low, high=over.high, n=first.n, slice=where))
    return made


S = TypeVar("S", bound=msgspec.Struct)


def merge_seeds(seeds: Sequence[S]) -> S:
    """The same finding for several seeds, merged into one for the system: mean numbers, and the largest p value.

    >>> from assay.core.judgement import Loss
    >>> merge_seeds([Loss(slice={}, drop=0.25, p=0.01), Loss(slice={}, drop=0.75, p=0.02)])
    Loss(slice={}, drop=0.5, before=None, p=0.02)
    """
    merged: dict[str, float] = {}
    for name in seeds[0].__struct_fields__:
        values = [value for each in seeds if isinstance(value := getattr(each, name), float)]
        if values:
            merged[name] = max(values) if name == "p" else fmean(values)
    return msgspec.structs.replace(seeds[0], **merged)


class Seeded(NamedTuple):
    """A model's name, split into system and seed."""

    system: str  # the name without the seed
    seed: str | None


def split_seed(model: str) -> Seeded:
    """A model's system and seed, if it is called `NAME@SEED`; the seed is a number, optionally after the word "seed".

    >>> split_seed("assay:esim@7"), split_seed("assay:esim@seed7").seed, split_seed("openai:m@localhost").seed
    (Seeded(system='assay:esim', seed='7'), 'seed7', None)
    """
    found = SEED.search(model)
    return Seeded(model[: found.start()], found[1]) if found else Seeded(model, None)


def spellings(model: str) -> set[str]:
    """A model's name, with and without its kind and its version, or its alias.

    >>> sorted(spellings("assay:overlap/v1")), sorted(spellings("judge=hf:mine"))
    (['assay:overlap', 'assay:overlap/v1', 'overlap', 'overlap/v1'], ['judge', 'judge=hf:mine'])
    >>> "overlap" in spellings("assay:overlap/v1?windows=max")
    False
    """
    if alias := split_alias(model).alias:
        named = split_seed(model).seed
        return {model, f"{alias}@{named}" if named else alias}
    short = model.removeprefix("assay:").removeprefix("object:")
    system, seed = split_seed(short)
    bare = VERSION.sub("", system) + (f"@{seed}" if seed else "")
    return {model, short, bare, f"assay:{bare}"}


def models_called(name: str, models: Sequence[str]) -> list[str]:
    """The models of this name, or all seeds of the system of this name.

    >>> models_called("esim", ["assay:esim@1", "assay:esim@2", "assay:kim/v1"]), models_called("kim", ["assay:kim/v1"])
    (['assay:esim@1', 'assay:esim@2'], ['assay:kim/v1'])
    """
    exact = [model for model in models if name in spellings(model)]
    return exact or [model for model in models if name in spellings(split_seed(model).system)]


def systems_of(estimates: Iterable[Estimate]) -> dict[str, int]:
    """Systems that were measured with several seeds, and with how many."""
    return {e.slice["model"]: int(e.slice["seeds"]) for e in estimates if e.name == "band"}


def system_of(model: str, systems: Collection[str]) -> str:
    """The system that a model is a seed of; the model itself if it is not a seed.

    >>> system_of("trained:esim@2", ["trained:esim"]), system_of("openai:m@1", [])
    ('trained:esim', 'openai:m@1')
    """
    system = model.rpartition("@")[0]
    return system if system in systems else model
