"""Debiasing: checks of its options, and the probabilities of a biased model and a teacher for the training pairs."""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple, get_args

import msgspec
import numpy

from assay.core.errors import BadInputError, BadRecordError, UnknownNameError, UserError, check_known, did_you_mean
from assay.core.label import Label, LabelReader
from assay.core.label_space import TWO_LABELS
from assay.core.pair import Pair, premise_cluster
from assay.core.protocols import Row
from assay.evaluate.case_columns import Bools, Floats, Ints
from assay.language.text.tokens import folded_words
from assay.models.adapters.answer_parsing import softmax
from assay.models.baselines.hypothesis_words import BUCKETS, features
from assay.models.systems.system_card import read_card
from assay.run.diagnose_run import overlap_of
from assay.run.predict.answer_files import EXAMPLES, IDS, column_of, probabilities_of, read_rows
from assay.storage.files import digest, write_whole
from assay.storage.folders import cache_folder
from assay.training.data_map import seed_folder
from assay.training.hyperparameters import NEEDS_NO_BIAS, Method
from assay.training.training_corpus import PairSource, TrainSpec
from assay.version import __version__

FOLDS = 5  # premises are divided into this many folds

Shares = Floats  # (pairs, labels): probabilities
Answer = Callable[[Ints], Shares]  # gives the probabilities of the pairs with these numbers
Learn = Callable[[Ints], Answer]  # learns from the pairs with these numbers, and from no others


def folds_of(premises: Sequence[str], folds: int = FOLDS) -> Ints:
    """(pairs,): the fold of each pair, by the short name of its source premise, as `Pair.cluster` gives it.

    >>> folds_of(["0a", "0b", "0a"]).tolist()
    [0, 1, 0]
    """
    return numpy.array([int(name, 16) % folds for name in premises], dtype=numpy.int64)


def cross_fit(learn: Learn, fold: Ints, *, labels: int) -> Shares:
    """For each fold, the answers of a model that learned from all other folds.

    >>> learn = lambda rows: lambda asked: numpy.tile([1.0 / len(rows), 1 - 1.0 / len(rows)], (len(asked), 1))
    >>> cross_fit(learn, numpy.array([0, 0, 1]), labels=2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.5, 0.5]]
    """
    found = numpy.full((len(fold), labels), 1 / labels)
    for number in numpy.unique(fold):
        others = numpy.flatnonzero(fold != number)
        if len(others):  # with a single fold there is nothing to learn from, and every label is as likely
            own = numpy.flatnonzero(fold == number)
            found[own] = learn(others)(own)
    return found


STRENGTHS = numpy.geomspace(0.01, 2.0, 60)
"""Factors for scores. Naive Bayes counts related features as independent, so it is far too certain."""


class PairFeatures(NamedTuple):
    pair: Ints  # (features of all pairs,): the index of the pair; sorted
    feature: Ints  # (features of all pairs,): the index of the feature
    n: int

    @classmethod
    def of(cls, features: Sequence[tuple[int, ...]], n: int) -> "PairFeatures":
        flat = numpy.fromiter((each for own in features for each in own), dtype=numpy.int64)
        return cls(numpy.repeat(numpy.arange(len(features)), list(map(len, features))), flat, n)


def naive_bayes(seen: PairFeatures, right: Bools, fold: Ints) -> Learn:
    """Learn from pairs, (pairs, labels) of which are right; one of the folds only decides how certain answers are."""
    soft = right / right.sum(1, keepdims=True)  # (pairs, labels): non-entailment counts half for each of two labels

    def learn(rows: Ints) -> Answer:
        held = rows[fold[rows] == fold[rows].max()]
        taught = numpy.setdiff1d(rows, held) if len(held) < len(rows) else rows
        scores = _score_labels(seen, soft, taught)
        strength = _fit_strength(scores[held], right[held]) if len(held) < len(rows) else 1.0
        return lambda asked: softmax(strength * scores[asked])

    return learn


def _score_labels(seen: PairFeatures, soft: Shares, taught: Ints) -> Shares:
    """(pairs, labels): the score of each label given a pair's features, learned from the pairs in `taught`."""
    is_taught = numpy.zeros(len(soft), dtype=bool)
    is_taught[taught] = True
    used = is_taught[seen.pair]
    scores = numpy.tile(numpy.log(soft[taught].sum(0) + 1.0), (len(soft), 1))
    for label in range(soft.shape[1]):
        counts = numpy.bincount(seen.feature[used], soft[seen.pair[used], label], minlength=seen.n) + 1.0
        weights = numpy.log(counts) - numpy.log(counts.sum())
        scores[:, label] += numpy.bincount(seen.pair, weights[seen.feature], minlength=len(soft))
    return scores


def _fit_strength(scores: Shares, right: Bools) -> float:
    losses = [-numpy.log((softmax(each * scores) * right).sum(1) + 1e-12).mean() for each in STRENGTHS]
    return float(STRENGTHS[int(numpy.argmin(losses))])


LEAST = 1e-6  # no label is less probable than this to a biased model


def weigh_by_bias(bias: Shares, right: Bools, shares: Floats, *, focus: float) -> Floats:
    """(pairs,): how often each pair takes part in an epoch, which has as many pairs as before.

    `bias` and `right` are (pairs, labels). `shares`, (pairs,), says how often each pair takes part without a bias. A
    part `focus` of the epoch is drawn in proportion to D(b, prior)^2 (1 - b(y)): how much the bias b knows beyond the
    frequencies of labels, and how wrong it is. Among pairs that look alike to it, those with the label that it expects
    and all others together are then drawn about equally often. The rest of the epoch is drawn as without a bias, so
    that nothing else is forgotten.

    >>> bias = numpy.array([[0.9, 0.1], [0.9, 0.1], [0.5, 0.5], [0.5, 0.5]])
    >>> right = numpy.array([[True, False], [False, True], [True, False], [False, True]])
    >>> weigh_by_bias(bias, right, numpy.ones(4), focus=0.5).round(1).tolist()
    [0.7, 2.3, 0.5, 0.5]
    """
    bounded = numpy.clip(bias, LEAST, 1.0)
    prior = numpy.average(right / right.sum(1, keepdims=True), axis=0, weights=shares)
    known = (bounded * numpy.log(bounded / prior.clip(LEAST))).sum(1)
    weights = shares * known.clip(0) ** 2 * (1 - (bias * right).sum(1)).clip(0)
    if not weights.sum():  # the bias knows nothing, or is never wrong
        return shares
    return numpy.asarray(shares * (1 - focus) + focus * shares.sum() * weights / weights.sum())


FORM = '{"id": "7", "probabilities": {"entailment": 0.7, "neutral": 0.2, "contradiction": 0.1}}'


def bias_from_file(path: str, pairs: Sequence[Pair], labels: tuple[Label, ...]) -> Shares:
    """(pairs, labels): the probabilities of a file, which must have each pair once."""
    ids = Counter(pair.id for pair in pairs)
    if repeated := next((name for name, n in ids.items() if n > 1), None):
        raise BadInputError(
            f"two training pairs have the id {repeated!r}, so a file of probabilities can't tell them apart",
            hint="Write the pairs with --set corpus_out=DIR, which gives each its own id, and train on that file.",
        )
    reader = LabelReader(needed=True)
    places: dict[str, str] = {}
    rows: dict[str, list[float]] = {}
    for where, (name, shares) in read_rows(path, lambda row: _read_probabilities(row, labels, reader)):
        if name in rows:
            raise BadInputError(
                f"the pair {name!r} occurs twice; the first is at {places[name]}",
                where=where,
                hint="Keep one line per pair.",
            )
        places[name], rows[name] = where, shares
    if missing := [pair.id for pair in pairs if pair.id not in rows]:
        raise BadInputError(
            f"no probabilities for {len(missing):,} of {len(pairs):,} training pairs, "
            f"such as {', '.join(map(repr, missing[:EXAMPLES]))}",
            where=path,
            hint=f"Add a line for each, by the id of the pair: {FORM}",
        )
    return numpy.array([rows[pair.id] for pair in pairs]).reshape(len(pairs), len(labels))


def _read_probabilities(row: Row, labels: tuple[Label, ...], reader: LabelReader) -> tuple[str, list[float]]:
    """The pair of a row, and its probabilities in the order of the labels."""
    name = str(column_of(row.fields, IDS, "id"))
    shares = probabilities_of(row.fields, reader)
    if shares is None:
        raise BadRecordError(f"no probabilities for {name!r}", hint=f"A line looks like this: {FORM}")
    if Label.NON_ENTAILMENT in labels:
        merged: dict[Label, float] = {}
        for label, share in shares.items():
            merged[TWO_LABELS.read(label)] = merged.get(TWO_LABELS.read(label), 0.0) + share
        shares = merged
    if set(shares) != set(labels):
        raise BadRecordError(
            f"{len(shares)} probabilities for {name!r}, of {', '.join(shares)}",
            hint=f"This training needs {len(labels)}, of {', '.join(labels)}.",
        )
    whole = sum(shares.values())
    return name, [shares[label] / whole for label in labels]


LAYOUT = "bias-1"


def cached_probabilities(key: Sequence[object], make: Callable[[], Shares], *, shape: tuple[int, int]) -> Shares:
    """Cached probabilities, or new ones; the key must hold everything that decides them."""
    path = cache_folder(LAYOUT) / f"{hashlib.sha256(msgspec.json.encode([__version__, *key])).hexdigest()}.npy"
    try:
        found: Shares = numpy.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):  # missing or damaged
        found = numpy.empty(0)
    if found.shape != shape or not numpy.isfinite(found).all():
        found = make()
        data = BytesIO()
        numpy.save(data, found, allow_pickle=False)
        write_whole(path, data.getvalue())
    return found


HYPOTHESIS, OVERLAP, SHALLOW = "hypothesis", "overlap", "shallow"
KINDS = (HYPOTHESIS, OVERLAP, SHALLOW)

SHALLOW_FOLDS = 2
"""Each fold of a shallow model is a training run of its own, and two are enough: it learns from few pairs."""

MOST_NEW = 6  # hypothesis words that are not in the premise are counted up to this


class BiasFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Performance of a biased model on the training data."""

    accuracy: float  # the fraction of training pairs whose most probable label is right
    certainty: float  # the mean probability of the gold label


class ShallowBias(NamedTuple):
    """A small copy of the system as the biased model."""

    learner: Callable[[], Learn]  # called only if the bias comes from a trained model
    key: object


def refuse_unknown(bias: str) -> None:
    if bias not in KINDS and not Path(bias).is_file():
        raise UnknownNameError(
            f"No bias {bias!r}{did_you_mean(bias, KINDS)} Give --bias {', '.join(KINDS)}, or a file of probabilities."
        )


def bias_of(
    bias: str,
    parts: Sequence[PairSource],
    labels: tuple[Label, ...],
    right: Bools,
    *,
    shallow: ShallowBias,
) -> Shares:
    """(training pairs, labels): probabilities, from models that never saw the premise of the pair."""
    pairs = [pair for part in parts for pair in part.pairs]
    if bias not in KINDS:
        return bias_from_file(bias, pairs, labels)
    premises = source_premises(parts)

    def make() -> Shares:
        if bias == SHALLOW:
            return cross_fit(shallow.learner(), folds_of(premises, SHALLOW_FOLDS), labels=len(labels))
        fold = folds_of(premises)
        return cross_fit(naive_bayes(SEEN[bias](pairs), right, fold), fold, labels=len(labels))

    texts = [(pair.premise, pair.hypothesis, pair.label) for pair in pairs]
    more = shallow.key if bias == SHALLOW else None
    return cached_probabilities([bias, labels, premises, texts, more], make, shape=(len(pairs), len(labels)))


def facts_of(shares: Shares, right: Bools) -> BiasFacts:
    hits = right[numpy.arange(len(right)), shares.argmax(1)]
    return BiasFacts(accuracy=float(hits.mean()), certainty=float((shares * right).sum(1).mean()))


def source_premises(parts: Sequence[PairSource]) -> list[str]:
    """Short names of the premises that pairs come from: that of a swapped pair is now its hypothesis."""
    return [
        part.premises.get(pair.id)
        or (premise_cluster(pair.hypothesis) if pair.group.get("swapped") == "yes" else pair.cluster)
        for part in parts
        for pair in part.pairs
    ]


def _overlap_features(pairs: Sequence[Pair]) -> PairFeatures:
    """One feature per pair, for all that is seen together: shared words, subsequence and constituent."""
    numbers: dict[tuple[int, int, bool, bool], int] = {}
    found = []
    for pair in pairs:
        said, claimed = folded_words(pair.premise), folded_words(pair.hypothesis)
        seen = overlap_of(pair.premise, pair.hypothesis, said=said, claimed=claimed)
        cell = (int(10 * seen.share), min(MOST_NEW, seen.new), seen.in_one_piece, seen.is_phrase)
        found.append((numbers.setdefault(cell, len(numbers)),))
    return PairFeatures.of(found, len(numbers))


SEEN: dict[str, Callable[[Sequence[Pair]], PairFeatures]] = {
    HYPOTHESIS: lambda pairs: PairFeatures.of([features(pair.hypothesis) for pair in pairs], BUCKETS),
    OVERLAP: _overlap_features,
}


def refuse_unusable(spec: TrainSpec, labels: tuple[Label, ...], *, seeds: Sequence[int]) -> None:
    """Stop before any work if the request for debiasing can't be met."""
    if spec.debias is None:
        if spec.bias:
            raise UserError(f"--bias needs a method: --debias {', '.join(get_args(Method))}.")
        if spec.teacher:
            _refuse_teacher(spec.teacher, labels, seeds=seeds)
        return
    check_known(spec.debias, get_args(Method), f"No method {spec.debias!r} of --debias")
    if spec.bias is not None:
        refuse_unknown(spec.bias)
    elif spec.debias not in NEEDS_NO_BIAS:
        raise UserError(
            f"--debias {spec.debias} needs a biased model: --bias hypothesis, --bias overlap, --bias shallow, "
            "or --bias FILE with probabilities."
        )
    if spec.debias != "confreg":
        if spec.teacher:
            raise UserError(
                f"--debias {spec.debias} has no teacher. Use --debias confreg, or no --debias for plain distillation."
            )
    elif spec.teacher is None:
        raise UserError(
            "--debias confreg needs a teacher, which is a system that was trained in the ordinary way.\n"
            "  Train one first, with the same command without --debias and --bias and with another --out, and name its "
            "folder: --set teacher=DIR."
        )
    else:
        _refuse_teacher(spec.teacher, labels, seeds=seeds)


def _refuse_teacher(teacher: str, labels: tuple[Label, ...], *, seeds: Sequence[int]) -> None:
    for seed in seeds:
        folder = seed_folder(teacher, seed)
        theirs = read_card(folder).labels
        if set(theirs) != set(labels):
            raise BadInputError(
                f"this teacher answers {', '.join(theirs)}, and this training run needs {', '.join(labels)}",
                where=str(folder),
                hint="Train both with --two-way, or both without.",
            )


class Guidance(NamedTuple):
    """Probabilities of a biased model and of a teacher for the training pairs."""

    bias: Shares | None = None  # (training pairs, labels): the probabilities of the biased model
    teacher: Shares | None = None  # (training pairs, labels): those of the teacher
    facts: BiasFacts | None = None


def guidance_for(
    spec: TrainSpec,
    parts: Sequence[PairSource],
    labels: tuple[Label, ...],
    right: Bools,
    *,
    seed: int,
    shallow: ShallowBias,
    tell: Callable[[str], None],
) -> Guidance:
    """Probabilities that the method needs; empty without a bias and a teacher."""
    teacher = _teacher_probabilities(seed_folder(spec.teacher, seed), parts, labels) if spec.teacher else None
    if spec.bias is None:
        return Guidance(teacher=teacher)
    bias = bias_of(spec.bias, parts, labels, right, shallow=shallow)
    facts = facts_of(bias, right)
    tell(
        f"The bias alone is right about {100 * facts.accuracy:.1f}% of the {len(right):,} training pairs "
        f"(--bias {spec.bias})."
    )
    return Guidance(bias, teacher, facts)


def _teacher_probabilities(folder: Path, parts: Sequence[PairSource], labels: tuple[Label, ...]) -> Shares:
    from assay.models.systems.system import WEIGHTS, load_system
    from assay.training.loop import predict_shares

    pairs = [pair for part in parts for pair in part.pairs]

    def make() -> Shares:
        system = load_system(folder)
        order = [system.labels.index(label) for label in labels]
        return predict_shares(system, system.encode_pairs(pairs))[:, order].astype(numpy.float64)

    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    return cached_probabilities([digest(folder / WEIGHTS), labels, texts], make, shape=(len(pairs), len(labels)))
