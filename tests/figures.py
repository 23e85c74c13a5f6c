"""Estimates, manifests and records that tests make by hand."""

from collections.abc import Iterable, Sequence

from assay.core.estimate import Estimate
from assay.core.label import THREE_WAY
from assay.core.manifest import Manifest, Source
from assay.core.run_record import ModelAnswers, RunRecord, RunSpec
from assay.evaluate.verdict import judge_estimates

MODEL = "assay:overlap/v1"


def share(value: float | None = 0.5, /, *, n: int = 40, name: str = "accuracy", **where: str) -> Estimate:
    """A share with an interval of five points on both sides."""
    low, high = (None, None) if value is None else (max(0.0, value - 0.05), min(1.0, value + 0.05))
    place = {"model": MODEL, "suite": "stress", **where}
    return Estimate(name=name, value=value, low=low, high=high, n=n, slice=place)


def figure(name: str, value: float, /, **where: str) -> Estimate:
    """A figure without an interval."""
    return Estimate(name=name, value=value, n=40, slice={"model": MODEL, "suite": "stress", **where})


def swapping(label: str, before: float, after: float, *, spread: float = 0.02, model: str = MODEL) -> list[Estimate]:
    """What is measured of one label when the sides are swapped."""
    where = {"model": model, "suite": "stress", "family": "swap", "label": label}
    drop = before - after
    return [
        Estimate(name="kept", value=after, n=40, slice=where),
        Estimate(name="source", value=before, n=40, slice=where),
        Estimate(name="drop", value=drop, low=drop - spread, high=drop + spread, n=40, slice=where),
        Estimate(name="holm", value=1.0 if abs(drop) < spread else 0.0001, n=40, slice=where),
    ]


def lost(label: str, before: float, after: float, *, p: float = 0.0001, model: str = MODEL) -> list[Estimate]:
    """What is measured of one label of a family, or of all of it."""
    whole = {"model": model, "suite": "stress", "family": "negation"}
    where = {**whole, "label": label} if label else whole
    values = {"accuracy": after, "source": before, "drop": before - after, "holm": p}
    found = [Estimate(name=name, value=value, n=40, slice=where) for name, value in values.items()]
    places = [whole] if where == whole else [whole, where]
    return [*(Estimate(name="consistency", value=0.1, n=40, slice=place) for place in places), *found]


def heuristic(
    name: str, entailment: float, other: float, *, spread: float = 0.05, model: str = MODEL
) -> list[Estimate]:
    """The accuracy where a heuristic holds, and where it does not."""
    where = {"model": model, "suite": "stress", "family": "heuristics", "heuristic": name}
    return [
        Estimate(
            name="accuracy", value=value, low=value - spread, high=value + spread, n=40, slice={**where, "label": label}
        )
        for label, value in (("entailment", entailment), ("non-entailment", other))
    ]


def band(value: float, *, system: str = "trained:x", seeds: int = 2, **where: str) -> Estimate:
    """The mean of several seeds, which differ by ten points."""
    place = {"model": system, "suite": "stress", "seeds": str(seeds), **where}
    return Estimate(name="band", value=value, low=value - 0.1, high=value + 0.1, n=40, slice=place)


def grid(
    *, models: Sequence[str], families: Sequence[str], labels: Sequence[str] = THREE_WAY, n: int = 750
) -> list[Estimate]:
    """The accuracies of models in families, by label too."""
    found = []
    for model in models:
        for family in families:
            found.append(share(n=n, model=model, family=family))
            found += [share(1.0, n=n, model=model, family=family, label=label) for label in labels]
    return found


def manifest(name: str = "bundled", **fields: object) -> Manifest:
    """The manifest of a suite; text of data is as the name is."""
    source = Source(name=name, format="pairs/v1", digest="", rows=3, pairs=2, labels={}, skipped={name: 1})
    values: dict[str, object] = {
        "source": source,
        "recipes": (),
        "seed": 0,
        "storage": "jsonl",
        "cases": 2,
        "counts": {name: {name: 2}},
        "skips": {name: {name: 1}},
        "digest": "",
        "file_digest": "",
        "versions": {},
    }
    return Manifest(**{**values, **fields})  # type: ignore[arg-type]


COUNTS = {"original": {"entailment": 40, "neutral": 40, "contradiction": 40}, "negation": {"neutral": 40}}


def record_of(estimates: Iterable[Estimate], *, suite: Manifest | None = None, name: str = "r") -> RunRecord:
    """The record of a run that measured these, and judged them."""
    found = tuple(estimates)
    manifests = dict.fromkeys([e.slice["suite"] for e in found] or ["stress"], suite or manifest(counts=COUNTS))
    systems = {e.slice["model"] for e in found if e.name == "band"}
    models = [each for each in dict.fromkeys(e.slice["model"] for e in found) if each not in systems]
    return RunRecord(
        id=name,
        created="2026-01-01T00:00:00+00:00",
        spec=RunSpec(suites={}, models=tuple(models)),
        suites=manifests,
        models=tuple(ModelAnswers(model=model, files={}) for model in models),
        estimates=found,
        judgement=judge_estimates(found, {each: manifests[each].counts for each in manifests}),
        versions={"assay": "0"},
    )


def measured(
    value: str, share: float, *, name: str = "genre", family: str = "original", wide: float = 0.02
) -> Estimate:
    where = {"model": "assay:overlap/v1", "suite": "stress", "family": family, name: value}
    return Estimate(name="accuracy", value=share, low=share - wide, high=share + wide, n=400, slice=where)
