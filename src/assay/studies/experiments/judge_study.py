"""Sensitivity of a language model that judges pairs to changes of the prompt that should not matter."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy
from numpy.typing import NDArray

from assay.core.case import Answer, Case
from assay.core.errors import BadInputError, UserError
from assay.core.estimate import Estimate
from assay.core.label import Label
from assay.core.label_space import LabelSpace
from assay.core.protocols import Cost, Texts
from assay.core.registry import split_alias
from assay.corpora.reader import CorpusReader, read
from assay.evaluate.case_columns import Bools, Floats
from assay.evaluate.intervals import Draws, bootstrap, clustered_share
from assay.evaluate.slice_sums import bounded, clustered_estimate
from assay.models.adapters.openai import OpenAI
from assay.models.chat.endpoint import ChatEndpoint
from assay.models.chat.prompt import WORDINGS, Prompt
from assay.reports.formatting import ends, interval, percent
from assay.reports.phrases import short_name
from assay.reports.tables.sheet import Part, Sheet, around, numbers, share, sheet_row, texts
from assay.run.measure import pair_as_case
from assay.run.predict.direct_answers import predict_cases
from assay.run.predict.model_names import settings_of
from assay.run.predict.predict_options import Budget, PredictOptions
from assay.run.workers.pool import Stage, quiet


class Leaning(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of a judge's answers with the prompt, on the same pairs.

    Numbers that could not be measured, because the prompt has no field for what they vary, are left out.
    """

    model: str
    source: str
    pairs: int  # number of pairs in each variant of the prompt
    premises: int  # number of distinct premises; pairs with the same premise are one cluster
    variants: dict[str, str]  # the variants of the question: what each of them changes
    estimates: tuple[Estimate, ...]  # accuracy, unclear replies and answers by label for each variant, and comparisons
    labels: tuple[str, ...]  # the labels that it chooses from, in the order of the prompt
    not_measured: dict[str, str] = {}  # the reasons why numbers could not be measured, by name
    notes: tuple[str, ...] = ()

    def find(self, name: str, **where: str) -> Estimate | None:
        """The number of a name on a slice; None if it was not measured."""
        return next((each for each in self.estimates if each.name == name and each.slice == where), None)


AS_ASKED = "as asked"
AGAIN = "asked again"
BLANK = "no premise"
SWAPPED = "names swapped"


FEWEST_CLUSTERS = 10  # fewer premises than this give no interval by resampling them: it would be too narrow, even empty


NOTHING = "N/A"  # placeholder for a removed premise


class PromptVariant(NamedTuple):
    name: str
    about: str
    prompt: Prompt
    blank: bool = False  # true if the premise is left out
    again: int = 0  # number of earlier requests with the same prompt


class JudgeStudy(NamedTuple):
    model: str
    settings: OpenAI
    variants: list[PromptVariant]  # the ways to ask; the first is the user's prompt
    cases: list[Case]
    source: str

    @property
    def prompt(self) -> Prompt:
        return self.variants[0].prompt

    def endpoint(self, variant: PromptVariant) -> ChatEndpoint:
        return self.settings.open_with(variant.prompt, again=variant.again)

    def cases_for(self, variant: PromptVariant) -> list[Case]:
        if not variant.blank:
            return self.cases
        return [msgspec.structs.replace(case, premise=NOTHING) for case in self.cases]


class Leanings:
    """Numbers about a judge, from its answers to each variant of the question, in the order of the cases."""

    def __init__(self, study: JudgeStudy, answers: Mapping[str, Sequence[Answer]]) -> None:
        self._answers = answers
        self._labels = [*study.prompt.words.values()]
        self._exchanged = _exchange_labels(study.prompt)
        # Variants that list the labels in other orders: each label has each place once.
        self._orders = {
            each.name: [*each.prompt.words.values()]
            for each in study.variants
            if each.name == AS_ASKED or each.name.startswith("order")
        }
        self._wordings = [AS_ASKED, *(each.name for each in study.variants if each.name.startswith("wording"))]
        space = LabelSpace.of(self._labels)
        self._gold = numpy.array([space.read(case.compared_with).value for case in study.cases])
        premises = numpy.array([case.premise for case in study.cases])
        _, self._cluster = numpy.unique(premises, return_inverse=True)

    def figures(self) -> Iterator[Estimate]:
        for variant in self._answers:
            yield self._share("accuracy", self._right(variant), variant=variant)
            unclear = [bool(each.note) for each in self._answers[variant]]  # without a label, it is a fallback
            yield self._share("unclear", numpy.array(unclear), variant=variant)
            for label in self._labels:
                yield self._share("answer", self._says(variant) == label, variant=variant, label=label.value)
        yield self._share("self-agreement", self._same(AS_ASKED, AGAIN))
        if len(self._orders) > 1:
            yield self._share("order-effect", ~self._same(*self._orders))
            yield from self._places()
        if len(self._wordings) > 1:
            yield self._share("prompt-agreement", self._same(*self._wordings))
            yield self._spread()
        if SWAPPED in self._answers:
            yield from self._swap()

    def _places(self) -> Iterator[Estimate]:
        """The share of answers at each position in the list of labels; equal without a position bias."""
        for place in range(len(self._labels)):
            chosen = [self._says(variant) == labels[place] for variant, labels in self._orders.items()]
            hits = numpy.sum(chosen, axis=0)
            yield self._share("place", hits, trials=len(chosen), place=str(place + 1))

    def _swap(self) -> Iterator[Estimate]:
        """Share of answers that follow the name instead of the meaning when two labels exchange their names."""
        before, after = self._says(AS_ASKED), self._says(SWAPPED)
        exchanged = {label.value: other.value for label, other in self._exchanged.items()}
        touched = numpy.isin(before, [*exchanged])
        renamed = numpy.array([exchanged.get(label, label) for label in before.tolist()])
        yield self._share("name-effect", before != after)
        yield self._share("keeps-name", (renamed == after) & touched, trials=touched)

    def _spread(self) -> Estimate:
        """The difference between the best and the worst wording."""
        right = [self._per_cluster(self._right(variant)) for variant in self._wordings]
        sums = numpy.stack([*right, self._per_cluster(numpy.ones(len(self._cluster)))], axis=-1)

        def spread(totals: Floats) -> Floats:
            shares = totals[..., :-1] / totals[..., -1:]
            return numpy.asarray(shares.max(axis=-1, keepdims=True) - shares.min(axis=-1, keepdims=True))

        value = float(spread(sums.sum(axis=0, keepdims=True))[0, 0])
        enough = len(sums) >= FEWEST_CLUSTERS
        interval = bootstrap(sums, spread, Draws("prompt-spread"))[0] if enough else None
        return bounded("prompt-spread", value, interval, len(self._cluster), {})

    def _says(self, variant: str) -> NDArray[numpy.str_]:
        return numpy.array([each.label.value for each in self._answers[variant]])

    def _right(self, variant: str) -> Bools:
        return numpy.asarray(self._says(variant) == self._gold)

    def _same(self, *variants: str) -> Bools:
        first, *others = (self._says(variant) for variant in variants)
        return numpy.asarray(numpy.all([first == other for other in others], axis=0))

    def _per_cluster(self, values: NDArray[numpy.generic]) -> Floats:
        return numpy.asarray(numpy.bincount(self._cluster, weights=values), dtype=numpy.float64)

    def _share(self, name: str, hits: NDArray[numpy.generic], *, trials: int | Bools = 1, **where: str) -> Estimate:
        of_each = numpy.broadcast_to(numpy.asarray(trials, dtype=numpy.int64), hits.shape)
        return clustered_estimate(name, clustered_share(self._per_cluster(hits), self._per_cluster(of_each)), where)


def study_judge(
    model: str,
    source: str | Path | CorpusReader,
    *,
    budget: float | None = None,
    cache: bool = True,
    stage: Stage = quiet,
    tell: Callable[[str], None] = lambda _: None,
) -> Leaning:
    """Ask a judge about the same pairs in ways that should not matter, and measure how its answers move.

    Answers are kept as in `run`, so that the same call continues after an interruption.
    """
    study = _prepare_study(model, source)
    limit = Budget(budget)
    limit.check(model, study.endpoint(study.variants[0]), _total_cost(study))
    how = PredictOptions(cache=cache, budget=limit, tell=tell)
    answers, notes = {}, dict[str, None]()
    progress = stage("Asking the judge", len(study.variants) * len(study.cases))
    for variant in study.variants:
        name = f"{split_alias(model).alias or model}, {variant.name}"
        replies = predict_cases(name, study.endpoint(variant), study.cases_for(variant), how)
        answers[variant.name] = replies.answers
        notes |= dict.fromkeys(replies.notes)
        progress(len(study.cases))
    return Leaning(
        model=model,
        source=study.source,
        pairs=len(study.cases),
        premises=len({case.premise for case in study.cases}),
        variants={each.name: each.about for each in study.variants},
        estimates=tuple(Leanings(study, answers).figures()),
        labels=tuple(study.prompt.words.values()),
        not_measured=_find_missing(study.prompt),
        notes=tuple(notes),
    )


def judge_cost(model: str, source: str | Path | CorpusReader) -> Cost:
    """Upper bound of the study's cost; cached answers cost nothing."""
    return _total_cost(_prepare_study(model, source))


def _total_cost(study: JudgeStudy) -> Cost:
    costs = [
        study.endpoint(each).estimate(Texts(case.premise, case.hypothesis) for case in study.cases_for(each))
        for each in study.variants
    ]
    prices = [cost.price for cost in costs if cost.price is not None]
    lines = [f"{each.name}: {cost.text}" for each, cost in zip(study.variants, costs, strict=True)]
    calls = sum(cost.calls for cost in costs)
    total = f"In all {calls:,} calls{f', about {sum(prices):.6g}' if prices else ''}."
    return Cost(calls, "\n".join([*lines, total]), sum(prices) if prices else None)


def _prepare_study(model: str, source: str | Path | CorpusReader) -> JudgeStudy:
    settings = settings_of(model)
    if not isinstance(settings, OpenAI):
        raise UserError(f"{model} is not a chat model. Name one as openai:MODEL@URL.")
    corpus = source if isinstance(source, CorpusReader) else read(source)
    cases = [pair_as_case(pair) for pair in corpus]
    if not cases:
        raise BadInputError("there is no pair to ask about", where=corpus.name)
    return JudgeStudy(model, settings, [*_prompt_variants(settings.prompt())], cases, corpus.name)


def _prompt_variants(prompt: Prompt) -> Iterator[PromptVariant]:
    yield PromptVariant(AS_ASKED, "your prompt", prompt)
    yield PromptVariant(AGAIN, "the same, once more", prompt, again=1)
    yield PromptVariant(BLANK, f"{NOTHING} in place of the premise", prompt, blank=True)
    if prompt.has("labels") or prompt.has("meanings"):
        words = [*prompt.words]
        for turn in range(1, len(words)):  # together with the first, each label has each place once
            turned = {word: prompt.words[word] for word in words[turn:] + words[:turn]}
            about = f"labels listed as {', '.join(turned)}"
            yield PromptVariant(f"order {turn + 1}", about, msgspec.structs.replace(prompt, words=turned))
    if prompt.has("meanings"):
        exchanged = _exchange_labels(prompt)
        renamed = {word: exchanged.get(label, label) for word, label in prompt.words.items()}
        one, other = (word for word, label in prompt.words.items() if label in exchanged)
        shots = tuple(
            msgspec.structs.replace(each, label={one: other, other: one}.get(each.label, each.label))
            for each in prompt.examples
        )
        swapped = msgspec.structs.replace(prompt, words=renamed, examples=shots)
        yield PromptVariant(SWAPPED, f"{one} and {other} exchange their meanings", swapped)
    for number, text in enumerate(WORDINGS, 2):
        yield PromptVariant(
            f"wording {number}", "the question in other words", msgspec.structs.replace(prompt, text=text)
        )


def _exchange_labels(prompt: Prompt) -> dict[Label, Label]:
    """Entailment and its opposite, which exchange their names."""
    there = [*prompt.words.values()]
    opposite = next(each for each in (Label.CONTRADICTION, Label.NON_ENTAILMENT, Label.NEUTRAL) if each in there)
    first = Label.ENTAILMENT if Label.ENTAILMENT in there else next(each for each in there if each is not opposite)
    return {first: opposite, opposite: first}


def _find_missing(prompt: Prompt) -> dict[str, str]:
    missing = {}
    if not (prompt.has("labels") or prompt.has("meanings")):
        missing["order effect"] = "the prompt has neither {labels} nor {meanings}, so their order can't be changed"
    if not prompt.has("meanings"):
        missing["name effect"] = "the prompt has no {meanings}, so names can't be exchanged"
    return missing


VARIANTS_NOTE = (
    "In %. Unclear: replies without a label, which count as the label that the option `unclear` names. Last "
    "columns: how often each label is the answer."
)
EFFECTS_NOTE = (
    "In % of the pairs; the prompt spread in points. Order effect: the answer is not the same in all orders of "
    "the labels. Name effect: the answer changes when two labels exchange their names; keeps the name: of the answers "
    "with these names, those that keep the name and change the meaning. Same in all wordings and self-agreement: the "
    "same answer to the question in other words, and to the same question asked twice. Disagreement with itself is "
    "noise, which the other numbers contain too; by chance alone, one wording scores above another."
)
EFFECTS = {
    "order-effect": "order effect",
    "name-effect": "name effect",
    "keeps-name": "keeps the name",
    "prompt-spread": "prompt spread",
    "prompt-agreement": "same in all wordings",
    "self-agreement": "self-agreement",
}


def leaning_parts(found: Leaning) -> list[Part]:
    calls = len(found.variants) * found.pairs
    return [
        *leaning_lines(found),
        "",
        f"{found.pairs:,} pairs of {found.source} with {found.premises:,} premises, each asked in "
        f"{len(found.variants)} ways: {calls:,} questions.",
        *(f"note: {note}" for note in found.notes),
        *(f"Not measured: {what}, because {why}." for what, why in found.not_measured.items()),
        "",
        variants_sheet(found),
        "",
        effects_sheet(found),
    ]


def leaning_lines(found: Leaning) -> Iterator[str]:
    name = short_name(found.model)
    chance = 1 / len(found.labels)
    prior = max((_find_estimate(found, "answer", variant=BLANK, label=label) for label in found.labels), key=_value)
    yield (
        f"Label prior: without a premise, {name} says {prior.slice['label']} in {_format_share(prior)} of the cases; "
        f"an unbiased model would choose each label {percent(chance)}% of the time."
    )
    if order := found.find("order-effect"):
        places = [_find_estimate(found, "place", place=str(place + 1)) for place in range(len(found.labels))]
        favourite = max(places, key=_value)
        yield (
            f"Order effect: {_format_share(order)} of the answers are not the same in all orders of the labels; "
            f"label {favourite.slice['place']} of the list is chosen in {_format_share(favourite)}."
        )
    if spread := found.find("prompt-spread"):
        same = _format_share(_find_estimate(found, "prompt-agreement"))
        yield (
            f"Prompt spread: {percent(spread.value)} points of accuracy ({ends(spread.low, spread.high)}) between "
            f"the best and the worst of three wordings; {same} of the answers are the same in all."
        )
    same = _format_share(_find_estimate(found, "self-agreement"))
    yield f"Self-agreement: asked twice, it gives the same answer in {same}. The rest is noise, in all numbers."
    unclear = _find_estimate(found, "unclear", variant=AS_ASKED)
    yield f"Unclear replies: {_format_share(unclear)}, after each was asked for again in stricter words."


def variants_sheet(found: Leaning) -> Sheet:
    rows = []
    for variant, about in found.variants.items():
        accuracy = _find_estimate(found, "accuracy", variant=variant)
        labels = [share(_find_estimate(found, "answer", variant=variant, label=label)) for label in found.labels]
        unclear = share(_find_estimate(found, "unclear", variant=variant))
        rows.append(sheet_row("", variant, share(accuracy), around(accuracy), unclear, *labels, about))
    columns = (*texts("variant"), *numbers("accuracy", "95%", "unclear", *found.labels), *texts("what it changes"))
    return Sheet("variants", "The same pairs, asked in other ways", VARIANTS_NOTE, columns, tuple(rows))


def effects_sheet(found: Leaning) -> Sheet:
    named = [(EFFECTS[each.name], each) for each in found.estimates if each.name in EFFECTS]
    named += [(f"label {each.slice['place']} of the list", each) for each in found.estimates if each.name == "place"]
    rows = tuple(sheet_row("", name, share(each), around(each), f"{each.n:,}") for name, each in named)
    return Sheet(
        "effects", "What influences the judge", EFFECTS_NOTE, (*texts(""), *numbers("share", "95%", "of")), rows
    )


def _find_estimate(found: Leaning, name: str, **where: str) -> Estimate:
    return found.find(name, **where) or Estimate(name=name, value=None, n=0, slice=where)


def _value(estimate: Estimate) -> float:
    return estimate.value or 0.0


def _format_share(estimate: Estimate) -> str:
    return f"{percent(estimate.value)}% ({interval(estimate)})" if estimate.value is not None else "no"
