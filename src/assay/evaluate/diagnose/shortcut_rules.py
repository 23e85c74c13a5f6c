"""The shortcuts as rules: for each case, the answer that the shortcut suggests, or silence."""

from collections.abc import Iterator, Sequence
from functools import partial
from math import erfc, sqrt
from typing import NamedTuple

import numpy

from assay.core.estimate import Interval
from assay.core.judgement import Shortcut
from assay.core.label import Label
from assay.core.label_space import LABELS, NO_ANSWER
from assay.evaluate.case_columns import IN_TWO, Bools, Floats, Ints
from assay.evaluate.diagnose.diagnosis_evidence import SILENT, Evidence, HypothesisWordTable, SurfaceColumns
from assay.evaluate.intervals import wilson

FOLDS = 5
"""Premises are divided into this many folds, and word pairs, too. Nothing is learned from cases of the same fold."""

FARTHEST = 40  # lengths beyond this, and differences between them, are not distinguished
NEAR = 0.1  # what an amount tells about its neighbour, as a fraction of the neighbour itself, so that gaps are bridged
NOISE = 3.0  # of many features, one counts by how many standard errors it is farther from chance than this


class WordFeatures(NamedTuple):
    """Features of cases, indexed once for all models."""

    case: Ints  # (entries,) the row of the case
    number: Ints  # (entries,) the index of the feature
    cell: Ints  # (entries,) the folds of premise and word pair
    group: Ints  # (entries,) entries of one feature, premise and word pair
    teaches: Bools  # (entries,) False if nothing is learned from the entry: its family always has the feature
    n: int
    near: Floats | None  # (features, features) the weights between neighbouring amounts; None for other features


def features_of(
    words: HypothesisWordTable,
    premise: Ints,
    changed: Ints,
    *,
    fixed: Bools | None = None,
    are_amounts: bool = False,
    of_pairs: bool = False,
) -> WordFeatures:
    """Index features by the folds of their cases. Features that are word pairs may be learned from the same pair.

    Nothing is learned from the `fixed` entries.
    """
    counts = numpy.bincount(words.number)
    frequent = numpy.flatnonzero(counts >= (1 if are_amounts else 3))  # rarer features teach nothing
    place = numpy.full(len(counts), -1)
    place[frequent] = numpy.arange(len(frequent))
    kept = place[words.number] >= 0
    case, number = words.case[kept], place[words.number[kept]]
    pair_fold = numpy.full(len(case), FOLDS) if of_pairs else numpy.where(changed < 0, FOLDS, changed % FOLDS)[case]
    most = int(changed.max(initial=0)) + 2
    key = (number * (int(premise.max(initial=0)) + 1) + premise[case]) * most + changed[case] + 1
    return WordFeatures(
        case=case,
        number=number,
        cell=premise[case] % FOLDS * (FOLDS + 1) + pair_fold,
        group=numpy.unique(key, return_inverse=True)[1],
        teaches=numpy.ones(len(case), dtype=bool) if fixed is None else ~fixed[kept],
        n=len(frequent),
        near=NEAR ** numpy.abs(frequent[:, None] - frequent) if are_amounts else None,
    )


def answer_surplus(answers: Ints, stratum: Ints, taught: Bools) -> tuple[Floats, Floats]:
    """The surplus of each answer over its share in other cases of the stratum, and its standard deviation.

    Both are (cases, labels), and zero for cases that nothing is learned from.
    """
    given = (answers[:, None] == numpy.arange(len(LABELS))).astype(float)  # (cases, labels)
    strata = int(stratum.max(initial=0)) + 1
    sizes = numpy.bincount(stratum, taught, minlength=strata)
    sums = numpy.stack([numpy.bincount(stratum, each * taught, minlength=strata) for each in given.T], axis=1)
    rates = (sums / numpy.maximum(sizes, 1)[:, None])[stratum]
    return (given - rates) * taught[:, None], numpy.sqrt(rates * (1 - rates)) * taught[:, None]


def suggest_answers(features: WordFeatures, learned: tuple[Floats, Floats]) -> Ints:
    """For each case, the answer that its features raise most, learned from other folds: (cases,).

    Cases without a feature that raises an answer get `SILENT`.
    """
    surplus, spread = learned
    cases, labels = surplus.shape
    case, number, cell, n, teaches = features.case, features.number, features.cell, features.n, features.teaches
    if not n:
        return numpy.full(cases, SILENT)
    shape = (FOLDS, FOLDS + 1, n)
    size = FOLDS * (FOLDS + 1) * n
    place = cell * n + number
    groups = int(features.group.max()) + 1
    place_of_group = numpy.zeros(groups, dtype=numpy.int64)
    place_of_group[features.group] = place
    noise = NOISE if features.near is None and len(case) > cases else 0.0
    scores = numpy.zeros((cases, labels))
    for label in range(labels):
        raised = _sum_elsewhere(numpy.bincount(place, surplus[case, label] * teaches, minlength=size).reshape(shape))
        # Answers to cases of one premise may all be alike.
        together = numpy.bincount(features.group, spread[case, label] * teaches, minlength=groups) ** 2
        variance = _sum_elsewhere(numpy.bincount(place_of_group, together, minlength=size).reshape(shape))
        if features.near is not None:
            raised, variance = raised @ features.near, variance @ features.near**2
        clear = raised / numpy.sqrt(numpy.maximum(variance, 0) + 0.25)
        clear = numpy.sign(clear) * numpy.maximum(numpy.abs(clear) - noise, 0)
        scores[:, label] = numpy.bincount(case, clear.reshape(-1)[place], minlength=cases)
    scores = scores.round(9)  # so that a tie is one on every machine
    return numpy.where(scores.max(axis=1) > 0, scores.argmax(axis=1), SILENT)


def as_words(amount: Ints) -> HypothesisWordTable:
    """A whole number for each case, such as a length, in place of a word; large numbers are merged.

    >>> as_words(numpy.array([7, -3, 99])).number.tolist()
    [47, 37, 80]
    """
    return HypothesisWordTable(numpy.clip(amount, -FARTHEST, FARTHEST) + FARTHEST, numpy.arange(len(amount)))


def _sum_elsewhere(sums: Floats | Ints) -> Floats:
    """(folds, pair folds, features) Sums of the cases that share neither fold; the last pair fold means "no pair"."""
    pairs = sums.sum(axis=0, keepdims=True) - sums
    pairs[:, -1] = 0
    return numpy.asarray(sums.sum(axis=(0, 1)) - sums.sum(axis=1, keepdims=True) - pairs, dtype=numpy.float64)


EVEN = 0.5  # share of either answer if a model guesses between two


class Trials(NamedTuple):
    """Cases paired with an answer that a shortcut may or may not suggest; each field is (trials,)."""

    row: Ints  # the row of the case
    fires: Bools  # True if the shortcut suggests that answer for the case
    given: Bools
    other: Bools  # True if the model gives the other wrong answer; if two answers are right, neither
    holds: Bools
    stratum: Ints  # the stratum: trials are compared only within it, and have the same right answer
    cluster: Ints  # the cluster of the case; cases of one cluster may depend on each other


class AnswerContrast(NamedTuple):
    """The shares of an answer where the shortcut suggests it, and where it does not."""

    n: int  # the number of trials where the shortcut suggests a wrong answer
    clusters: int  # the number of their clusters, or of the compared trials' clusters if that is smaller
    followed: float  # the fraction of these trials in which the model gives the suggested answer
    others: int  # the number of trials where the shortcut does not suggest the answer
    base: float  # the fraction of those in which the model gives it, weighted by the strata of the others
    interval: Interval
    p: float  # the p value of such a shift towards the answer, if the shortcut only correlates with difficulty
    right: float  # the fraction of right answers where the shortcut suggests a wrong one

    @property
    def difference(self) -> float:
        """The share where the shortcut gives the answer, minus the share elsewhere."""
        return self.followed - self.base


class _Part(NamedTuple):
    """Trials whose suggested answer is right, or those in which it is wrong, with each one's contribution."""

    difference: float
    scores: Floats  # (trials,) scores that sum to zero on average if the shortcut makes no difference
    residuals: Floats  # (trials,) influence of each trial on the difference
    cluster: Ints


def compare_trials(trials: Trials, right: Bools, *, with_even: bool = False) -> AnswerContrast | None:
    """Compare trials within strata that have both kinds; None if none has. `right` is by row: (cases,).

    A shortcut moves answers towards its own, where that is wrong and where it is right. Difficulty moves them away
    from the right answer, whichever that is. So two things must be shown: where the answer is wrong, it is given more
    often, and rather than another wrong one; and that is not lost again where the answer is right.

    With `with_even`, strata in which the shortcut always gives the answer are compared with an even chance.
    """
    strata = int(trials.stratum.max(initial=0)) + 1
    fired = numpy.bincount(trials.stratum, trials.fires, minlength=strata)
    silent = numpy.bincount(trials.stratum, ~trials.fires, minlength=strata)
    wrong = _select_trials(trials, ~trials.holds & ((fired > 0) & (silent > 0))[trials.stratum])
    is_alone = trials.fires & (silent == 0)[trials.stratum] if with_even else numpy.zeros(len(trials.row), dtype=bool)
    always = _select_trials(trials, ~trials.holds & is_alone)
    if not len(wrong.row) and not len(always.row):
        return None
    holding = _select_trials(trials, trials.holds & ((fired > 0) & (silent > 0))[trials.stratum])
    leaning = _stratified_part(wrong, always, wrong.given.astype(float) - wrong.other)
    plain = _stratified_part(wrong, always, wrong.given)
    kept = _stratified_part(
        holding, _select_trials(trials, trials.holds & is_alone), holding.given.astype(float) - holding.other
    )
    if leaning is None or plain is None:
        return None
    p = shift_p(float(leaning.scores.sum()), leaning.scores, leaning.cluster)
    if kept is not None:
        sums = numpy.concatenate([plain.residuals, kept.residuals])
        p = max(p, shift_p(plain.difference + kept.difference, sums, numpy.concatenate([plain.cluster, kept.cluster])))
    return _describe_contrast(wrong, always, p, right)


def score_p(scores: Floats, cluster: Ints) -> float:
    """The two-sided p value of a sum of scores with mean zero; scores of one cluster may depend on each other.

    >>> score_p(numpy.array([1.0, -1.0, 1.0, -1.0]), numpy.arange(4))
    1.0
    """
    spread = sqrt(float((numpy.bincount(cluster, scores) ** 2).sum()))
    return erfc(abs(float(scores.sum())) / spread / sqrt(2)) if spread > 0 else 1.0


def shift_p(shift: float, pulls: Floats, cluster: Ints) -> float:
    """The one-sided p value of a shift above zero, from the influence of each trial.

    >>> shift_p(0.0, numpy.array([1.0, -1.0]), numpy.arange(2)), shift_p(1.0, numpy.zeros(2), numpy.arange(2))
    (0.5, 0.0)
    """
    spread = sqrt(float((numpy.bincount(cluster, pulls) ** 2).sum()))
    if spread == 0:
        return 0.0 if shift > 0 else 1.0
    return erfc(shift / spread / sqrt(2)) / 2


def _select_trials(trials: Trials, where: Bools) -> Trials:
    return Trials._make(column[where] for column in trials)


def _stratified_part(trials: Trials, always: Trials, values: Floats | Bools) -> _Part | None:
    """The difference in `values` within strata between trials where the shortcut applies and the others."""
    given, fires = values.astype(float), trials.fires.astype(float)
    strata = int(trials.stratum.max(initial=0)) + 1

    def by_stratum(column: Floats) -> Floats:
        return numpy.asarray(numpy.bincount(trials.stratum, column, minlength=strata), dtype=numpy.float64)

    n, fired = by_stratum(numpy.ones_like(fires)), by_stratum(fires)
    share = (fired / numpy.maximum(n, 1))[trials.stratum]
    mean = (by_stratum(given) / numpy.maximum(n, 1))[trials.stratum]
    where_fired = (by_stratum(given * fires) / numpy.maximum(fired, 1))[trials.stratum]
    where_not = (by_stratum(given * (1 - fires)) / numpy.maximum(n - fired, 1))[trials.stratum]
    rate = always.given.astype(float)
    size = float((share * (1 - share)).sum()) + len(rate)
    if size == 0:
        return None
    scores = numpy.concatenate([(given - mean) * (fires - share), rate - EVEN])
    residuals = (given - numpy.where(trials.fires, where_fired, where_not)) * (fires - share)
    pulls = numpy.concatenate([residuals, rate - rate.mean() if len(rate) else rate])
    cluster = numpy.concatenate([trials.cluster, always.cluster])
    return _Part(float(scores.sum()) / size, scores, pulls / size, cluster)


def _describe_contrast(wrong: Trials, always: Trials, p: float, right: Bools) -> AnswerContrast:
    """The shares and the interval of their difference; shortcuts that always apply are compared with an even chance."""
    strata = int(wrong.stratum.max(initial=0)) + 1
    fires = wrong.fires
    n = numpy.bincount(wrong.stratum, fires, minlength=strata)
    others = numpy.bincount(wrong.stratum, ~fires, minlength=strata)
    said_others = numpy.bincount(wrong.stratum, wrong.given & ~fires, minlength=strata)
    total = int(n.sum()) + len(always.row)
    given = numpy.concatenate([wrong.given[fires], always.given])
    cluster = numpy.concatenate([wrong.cluster[fires], always.cluster])
    followed = float(given.mean())
    first = share_interval(followed, (given - followed) / total, cluster)
    base, second, compared = EVEN, Interval(EVEN, EVEN), len(numpy.unique(cluster))
    if len(wrong.row):
        weight, rate = n / n.sum(), said_others / numpy.maximum(others, 1)
        base = float((weight * rate).sum())
        pulls = (weight / numpy.maximum(others, 1))[wrong.stratum] * (wrong.given - rate[wrong.stratum])
        second = share_interval(base, pulls[~fires], wrong.cluster[~fires])
        compared = compared if len(always.row) else min(compared, len(numpy.unique(wrong.cluster[~fires])))
    rows = numpy.concatenate([wrong.row[fires], always.row])
    down = sqrt((followed - first.low) ** 2 + (second.high - base) ** 2)  # Newcombe's interval, from that of each share
    up = sqrt((first.high - followed) ** 2 + (base - second.low) ** 2)
    return AnswerContrast(
        n=total,
        clusters=compared,
        followed=followed,
        others=int(others.sum()),
        base=base,
        interval=Interval(max(-1.0, followed - base - down), min(1.0, followed - base + up)),
        p=p,
        right=float(right[rows].mean()),
    )


def share_interval(share: float, pulls: Floats, cluster: Ints) -> Interval:
    """Wilson's interval of a share, with the effective number of independent trials.

    `pulls` is each trial's contribution to the deviation of the share.
    """
    sums = numpy.bincount(cluster, pulls)
    clusters = int(numpy.count_nonzero(numpy.bincount(cluster)))
    variance = float((sums**2).sum()) * clusters / max(clusters - 1, 1)
    spread = share * (1 - share)
    n = min(len(pulls), spread / variance) if variance > 0 and spread > 0 else clusters
    return wilson(min(max(share, 0.0), 1.0), max(n, 1.0))


ENTAILMENT, NEUTRAL, CONTRADICTION, NON_ENTAILMENT = range(len(LABELS))  # the codes of the labels
MOST = 0.6  # the fraction of a hypothesis's words in the premise from which most of them are shared
FEW = 0.3  # the share below which few are
STEPS = 20  # shares of words are distinguished in this many steps
PLAIN, ONE_FEATURE, ALL_WORDS, EVERYTHING = range(4)
"""Breadth of a rule. A rule that looks at more has to explain clearly more."""


class ShortcutRule(NamedTuple):
    """A shortcut, or one of its variants."""

    name: Shortcut
    words: str
    says: Ints  # (cases,) the code of its answer, or `SILENT`
    among: Bools  # (cases,) True for the cases that the rule is measured on
    answer: str = ""  # the label that the rule suggests; empty if it varies
    breadth: int = PLAIN

    @property
    def is_learned(self) -> bool:
        """True if the rule is learned from the model's own answers, so that it fits many models a little."""
        return self.breadth > PLAIN or self.name == "order"

    @property
    def key(self) -> tuple[str, str, str]:
        """The identity of the rule within a model."""
        return self.name, self.words, self.answer


class Ground(NamedTuple):
    """Strata and clusters of cases, the same for all models; each is (cases,)."""

    gold: Ints  # the code of the right answer; one of two, where only two are distinguished
    binary: Bools  # True for non-entailment, and for all cases of a family without neutral and contradiction
    stratum: Ints
    """Cases that are compared with each other: of one family and one right answer.

    Copies that keep the label of their source pair are compared with it and with each other, whatever their family,
    because nothing else differs between them.
    """
    cluster: Ints  # cases that may depend on each other: of one premise, or with the same two words changed


def ground_of(evidence: Evidence) -> Ground:
    gold = evidence.right_answers
    copies = evidence.original | (evidence.stays & (evidence.source >= 0) & evidence.claims)
    group = numpy.where(copies, 0, 1 + evidence.family)
    two_way = gold == NON_ENTAILMENT
    three_way = evidence.claims & ((gold == NEUTRAL) | (gold == CONTRADICTION))
    families = numpy.setdiff1d(evidence.family[two_way], evidence.family[three_way])
    binary = two_way | numpy.isin(evidence.family, families)
    gold = numpy.where(binary, IN_TWO[gold], gold)
    _, stratum = numpy.unique((group * 2 + binary) * len(LABELS) + gold, return_inverse=True)
    seen = evidence.surface
    by_pair = seen.changed != SILENT
    cluster = numpy.where(by_pair, int(seen.premise_number.max(initial=0)) + 1 + seen.changed, seen.premise_number)
    return Ground(gold, binary, stratum, numpy.unique(cluster, return_inverse=True)[1])


def fixed_rules(evidence: Evidence) -> list[ShortcutRule]:
    """Rules that are the same for every model, the broader before the narrower."""
    seen, claims = evidence.surface, evidence.claims
    three = [label for label in LABELS[:NON_ENTAILMENT] if (evidence.label[claims] == LABELS.index(label)).any()]
    other = [*three[1:], Label.NON_ENTAILMENT]

    def always(name: Shortcut, words: str, where: Bools, labels: list[Label]) -> Iterator[ShortcutRule]:
        for label in labels:
            yield ShortcutRule(name, words, numpy.where(where, LABELS.index(label), SILENT), claims, label.value)

    most = f"at least {100 * MOST:.0f}% of the hypothesis's words are in the premise"
    many = f"at least {100 * FEW:.0f}% of all words are in both texts"
    few = f"less than {100 * FEW:.0f}% of all words are in both texts"
    rules = [
        *always("overlap", most, seen.overlap >= MOST, three),
        *always("overlap", "all words of the hypothesis are in the premise", seen.overlap == 1.0, three),
        *always("overlap", many, seen.jaccard >= FEW, three),
        *always("subsequence", "the premise contains the hypothesis in one piece", seen.in_one_piece, three[:1]),
        *always("constituent", "the hypothesis is a phrase of the premise", seen.is_phrase, three[:1]),
        *always("few-shared", f"less than {100 * MOST:.0f}% of the words are shared", seen.overlap < MOST, other),
        *always("few-shared", few, seen.jaccard < FEW, other),
        *always("negation", "the hypothesis has a negation word", seen.negated, other),
        *always("number", "the hypothesis has a number", seen.claims_number, [*three, Label.NON_ENTAILMENT]),
        *always("last-word", "both texts have the same last word", seen.same_end, three),
    ]
    if seen.replaced.any():
        words = "something is replaced by something more general or more specific"
        rules += always("replacement", words, seen.replaced, [Label.ENTAILMENT])
        words = "whether something is replaced by something more general, negated or not"
        says = numpy.where(seen.replaced, numpy.where(seen.generalised, ENTAILMENT, NEUTRAL), SILENT)
        rules.append(ShortcutRule("scope", words, says, claims & seen.replaced))
    return rules


class Learnable(NamedTuple):
    """A kind of rule that is learned from a model's answers."""

    name: Shortcut
    what: str
    features: WordFeatures
    breadth: int


def learnable_rules(evidence: Evidence) -> list[Learnable]:
    """Features that may suggest answers, the same for every model."""
    seen = evidence.surface
    premise, hypothesis = seen.premise_words, seen.hypothesis_words
    rows, changed = numpy.arange(len(premise)), numpy.flatnonzero(seen.changed != SILENT)
    amounts: list[tuple[Shortcut, str, Ints]] = [
        ("length", "the length of the hypothesis", hypothesis),
        ("length", "the length of the premise", premise),
        ("length", "the difference in length", hypothesis - premise),
        ("overlap", "the share of the hypothesis's words that are in the premise", _in_steps(seen.overlap)),
        ("overlap", "the share of all words that both texts have", _in_steps(seen.jaccard)),
    ]
    words: list[tuple[Shortcut, str, HypothesisWordTable, int]] = [
        ("first-word", "the first word of the hypothesis", HypothesisWordTable(seen.first_word, rows), ONE_FEATURE),
        ("last-word", "the last word of the hypothesis", HypothesisWordTable(seen.last_word, rows), ONE_FEATURE),
        ("word-pair", "the two changed words", HypothesisWordTable(seen.changed[changed], changed), ONE_FEATURE),
        ("hypothesis", "the wording of the hypothesis", seen.hypothesis, ALL_WORDS),
        ("premise", "the wording of the premise", seen.premise, ALL_WORDS),
        ("unknown", "everything on the surface", _all_features(seen), EVERYTHING),
    ]
    index = partial(features_of, premise=seen.premise_number, changed=seen.changed)
    return [
        *(Learnable(name, what, index(as_words(each), are_amounts=True), ONE_FEATURE) for name, what, each in amounts),
        *(
            Learnable(name, what, index(each, fixed=_are_fixed(each, evidence), of_pairs=name == "word-pair"), breadth)
            for name, what, each, breadth in words
        ),
    ]


FIXED = 0.9  # a word that this fraction of a family's cases have is put there by its edit


def _are_fixed(words: HypothesisWordTable, evidence: Evidence) -> Bools:
    """(entries,) True for the words that the edit of a family puts into its cases: answers only show the family."""
    family = evidence.family[words.case]
    place = family * (int(words.number.max(initial=0)) + 1) + words.number
    is_frequent = numpy.bincount(place)[place] >= FIXED * numpy.bincount(evidence.family)[family]
    return numpy.asarray(is_frequent & ~evidence.original[words.case])


def rules_of(evidence: Evidence, model: int, ground: Ground, learnable: Sequence[Learnable]) -> list[ShortcutRule]:
    """Rules that depend on a model's own answers."""
    answers, found = evidence.answers[model], []
    if (teachers := evidence.claims & evidence.judged[model]).any():
        learned = answer_surplus(answers, ground.stratum, teachers)
        for name, what, features, breadth in learnable:
            words = f"what {what} would suggest, by the model's own answers to other pairs"
            found.append(
                ShortcutRule(name, words, suggest_answers(features, learned), evidence.claims, breadth=breadth)
            )
    if evidence.drops.any():
        swapped = (evidence.source >= 0) & numpy.isin(evidence.family, evidence.family[evidence.drops])
        before = evidence.drops & swapped & (answers[evidence.source] == ENTAILMENT)
        words = "the model answers so before the sides are swapped"
        says = numpy.where(before, ENTAILMENT, SILENT)
        found.append(ShortcutRule("order", words, says, swapped, Label.ENTAILMENT.value))
    return found


def trials_of(rule: ShortcutRule, evidence: Evidence, model: int, *, ground: Ground, known: Ints) -> Trials:
    """Every case that an answer of the rule could apply to, with the model's answers.

    Strata are made of the answer, the cases that are compared with each other, and `known`.
    """
    answers = evidence.answers[model]
    rows = numpy.flatnonzero(rule.among & evidence.judged[model])
    binary, gold = ground.binary[rows], ground.gold[rows]
    given, says = (numpy.where(binary, IN_TWO[each[rows]], each[rows]) for each in (answers, rule.says))
    says = numpy.where(rule.says[rows] == SILENT, SILENT, says)
    stratum = ground.stratum[rows] * (int(known.max(initial=0)) + 1) + known[rows]
    parts = []
    for answer in numpy.unique(says[says != SILENT]):
        possible = ~binary | numpy.isin(answer, (ENTAILMENT, NON_ENTAILMENT))
        third = numpy.where(binary | (answer == NON_ENTAILMENT), -2, NON_ENTAILMENT - gold - answer)
        holds = matches_label(gold, answer)
        everything = Trials(
            row=rows,
            fires=says == answer,
            given=matches_label(given, answer),
            other=(given == third) & ~holds if answer != NON_ENTAILMENT else (given == ENTAILMENT) & holds & ~binary,
            holds=holds,
            stratum=stratum * len(LABELS) + answer,
            cluster=ground.cluster[rows],
        )
        parts.append(Trials._make(column[possible] for column in everything))
    if not parts:
        nothing = numpy.zeros(0, dtype=numpy.int64)
        no = nothing.astype(bool)
        return Trials(nothing, no, no, no, no, nothing, nothing)
    return Trials._make(numpy.concatenate(columns) for columns in zip(*parts, strict=True))


def matches_label(answers: Ints, label: int) -> Bools:
    """True if answers are a label; neutral and contradiction are non-entailment, too."""
    if label == NON_ENTAILMENT:
        return numpy.isin(answers, (NEUTRAL, CONTRADICTION, NON_ENTAILMENT))
    return numpy.asarray(answers == label)


def _all_features(seen: SurfaceColumns) -> HypothesisWordTable:
    """All features that the rules use, with distinct indices."""
    rows = numpy.arange(len(seen.overlap))
    columns = [
        _in_steps(seen.overlap),
        _in_steps(seen.jaccard),
        seen.premise_words,
        seen.hypothesis_words,
        seen.hypothesis_words - seen.premise_words + FARTHEST,
        seen.same_end + 2 * seen.negated + 4 * seen.claims_number,
        seen.in_one_piece + 2 * seen.is_phrase,
    ]
    parts = [
        seen.hypothesis,
        seen.premise,
        *(HypothesisWordTable(numpy.clip(each, 0, 2 * FARTHEST), rows) for each in columns),
    ]
    starts = numpy.cumsum([0, *(int(each.number.max(initial=0)) + 1 for each in parts)])
    numbers = numpy.concatenate([each.number + start for each, start in zip(parts, starts[:-1], strict=True)])
    return HypothesisWordTable(numbers, numpy.concatenate([each.case for each in parts]))


def _in_steps(share: numpy.ndarray) -> Ints:
    return numpy.asarray((share * STEPS).astype(numpy.int64))


CONSTANT = 0.95  # a model that gives one label to this fraction of all cases hardly looks at them


class Lean(NamedTuple):
    """The label that a model prefers, measured as if all labels were right equally often."""

    answer: str
    n: int  # cases: the source pairs, or everything if there are none
    share: float  # the share of answers with this label, if every label were right equally often
    even: float  # the share of cases in which it would be right
    interval: Interval
    p: float  # the p of a score test, clustered by source pair and corrected for the choice of the label
    cases: int  # all labelled cases of the run that the model could judge
    overall: float  # the share of all those cases that get this answer


def find_preferred_label(evidence: Evidence, model: int) -> Lean | None:
    """The label that a model prefers most; None if all cases that it judged have the same label."""
    claims = evidence.claims & evidence.judged[model]
    if len(numpy.unique(evidence.label[claims])) < 2:  # always the same answer may be reading
        return None
    chosen = claims & evidence.original
    chosen = chosen if chosen.any() else claims
    two_way = evidence.label == NON_ENTAILMENT
    three_way = (evidence.label == NEUTRAL) | (evidence.label == CONTRADICTION)
    is_binary = (chosen & two_way).sum() > (chosen & three_way).sum()
    if not is_binary:
        chosen = chosen & ~two_way
    gold, answers = evidence.label[chosen], evidence.answers[model][chosen]
    if is_binary:
        gold, answers = IN_TWO[gold], IN_TWO[answers]
    labels, place = numpy.unique(gold, return_inverse=True)
    sizes = numpy.bincount(place)
    cells = numpy.bincount(place * (NO_ANSWER + 1) + answers, minlength=len(labels) * (NO_ANSWER + 1))
    rates = cells.reshape(len(labels), -1) / sizes[:, None]  # (right answers, answers)
    shares = rates.mean(axis=0)  # (answers,)
    best = int(labels[numpy.argmax(shares[labels].round(9))])
    given = (answers == best).astype(float)
    weight = 1 / (len(labels) * sizes[place])  # (cases,)
    even = 1 / len(labels)
    everything = evidence.answers[model][claims]
    everything = IN_TWO[everything] if LABELS[best] is Label.NON_ENTAILMENT else everything
    return Lean(
        answer=LABELS[best].value,
        n=len(gold),
        share=float(shares[best]),
        even=even,
        interval=share_interval(float(shares[best]), weight * (given - rates[place, best]), evidence.cluster[chosen]),
        p=min(1.0, len(labels) * score_p(weight * (given - even), evidence.cluster[chosen])),
        cases=len(everything),
        overall=float((everything == best).mean()),
    )
