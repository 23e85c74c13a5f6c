"""What a language model that judges pairs leans on: the same pairs, asked in ways that should not matter."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from assay.bench.ask.ask import Asking
from assay.bench.ask.names import settings_of
from assay.bench.ask.purse import Purse
from assay.bench.explain.questions import ask_model
from assay.bench.judge.score import pair_as_case
from assay.bench.stages import Stage, quiet
from assay.core.alias import aliased
from assay.core.case import Case
from assay.core.errors import BadInputError, UserError
from assay.core.label import Label
from assay.core.protocols import Cost, Texts
from assay.core.results.leaning import Leaning
from assay.corpora.reading import CorpusReader, read
from assay.evaluate.analyses.leaning import AGAIN, AS_ASKED, BLANK, SWAPPED, Answers, Leanings, Questions
from assay.models.adapters.openai import OpenAI
from assay.models.chat.endpoint import ChatEndpoint
from assay.models.chat.prompt import WORDINGS, Prompt

NOTHING = "N/A"
"""What stands in the place of the premise that is left out."""


class Variant(NamedTuple):
    """One way to ask."""

    name: str
    """Its name in tables."""
    about: str
    """What it changes."""
    prompt: Prompt
    """What is asked."""
    blank: bool = False
    """Whether the premise is left out."""
    again: int = 0
    """How often the same was asked before."""


class _Study(NamedTuple):
    """What is asked, and of whom."""

    model: str
    settings: OpenAI
    variants: list[Variant]
    cases: list[Case]
    source: str

    def endpoint(self, variant: Variant) -> ChatEndpoint:
        return self.settings.open_with(variant.prompt, again=variant.again)

    def asked(self, variant: Variant) -> list[Case]:
        if not variant.blank:
            return self.cases
        return [msgspec.structs.replace(case, premise=NOTHING) for case in self.cases]


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
    study = _prepared(model, source)
    purse = Purse(budget)
    purse.check(model, study.endpoint(study.variants[0]), _total(study))
    how = Asking(cache=cache, purse=purse, tell=tell)
    answers, notes = {}, dict[str, None]()
    progress = stage("Asking the judge", len(study.variants) * len(study.cases))
    for variant in study.variants:
        name = f"{aliased(model).alias or model}, {variant.name}"
        replies = ask_model(name, study.endpoint(variant), study.asked(variant), how)
        answers[variant.name] = Answers(
            [each.label for each in replies.answers], [bool(each.note) for each in replies.answers]
        )
        notes |= dict.fromkeys(replies.notes)
        progress(len(study.cases))
    prompt = study.variants[0].prompt
    return Leaning(
        model=model,
        source=study.source,
        pairs=len(study.cases),
        premises=len({case.premise for case in study.cases}),
        variants={each.name: each.about for each in study.variants},
        estimates=tuple(Leanings(_questions(study), answers).figures()),
        labels=tuple(prompt.words.values()),
        not_measured=_not_measured(prompt),
        notes=tuple(notes),
    )


def judge_cost(model: str, source: str | Path | CorpusReader) -> Cost:
    """What the study costs at most: answers that are cached cost nothing."""
    return _total(_prepared(model, source))


def _total(study: _Study) -> Cost:
    costs = [
        study.endpoint(each).estimate(Texts(case.premise, case.hypothesis) for case in study.asked(each))
        for each in study.variants
    ]
    prices = [cost.price for cost in costs if cost.price is not None]
    lines = [f"{each.name}: {cost.text}" for each, cost in zip(study.variants, costs, strict=True)]
    calls = sum(cost.calls for cost in costs)
    total = f"In all {calls:,} calls{f', about {sum(prices):.6g}' if prices else ''}."
    return Cost(calls, "\n".join([*lines, total]), sum(prices) if prices else None)


def _prepared(model: str, source: str | Path | CorpusReader) -> _Study:
    settings = settings_of(model)
    if not isinstance(settings, OpenAI):
        raise UserError(f"{model} is not asked in words: this study is for openai:MODEL@URL.")
    corpus = source if isinstance(source, CorpusReader) else read(source)
    cases = [pair_as_case(pair) for pair in corpus]
    if not cases:
        raise BadInputError("there is no pair to ask about", where=corpus.name)
    return _Study(model, settings, [*_variants(settings.prompt())], cases, corpus.name)


def _variants(prompt: Prompt) -> Iterator[Variant]:
    yield Variant(AS_ASKED, "your prompt", prompt)
    yield Variant(AGAIN, "the same, once more", prompt, again=1)
    yield Variant(BLANK, f"{NOTHING} in the place of the premise", prompt, blank=True)
    if prompt.has("labels") or prompt.has("meanings"):
        for name, words in _orders(prompt):
            turned = {word: prompt.words[word] for word in words}
            yield Variant(name, f"labels listed as {', '.join(words)}", msgspec.structs.replace(prompt, words=turned))
    if prompt.has("meanings"):
        exchanged = _exchanged(prompt)
        renamed = {word: exchanged.get(label, label) for word, label in prompt.words.items()}
        one, other = (word for word, label in prompt.words.items() if label in exchanged)
        shots = tuple(
            msgspec.structs.replace(each, label={one: other, other: one}.get(each.label, each.label))
            for each in prompt.examples
        )
        swapped = msgspec.structs.replace(prompt, words=renamed, examples=shots)
        yield Variant(SWAPPED, f"{one} and {other} exchange their meanings", swapped)
    for number, text in enumerate(WORDINGS, 2):
        yield Variant(f"wording {number}", "the question in other words", msgspec.structs.replace(prompt, text=text))


def _orders(prompt: Prompt) -> list[tuple[str, list[str]]]:
    """The other orders in which labels are listed: together with the first, each label has each place once."""
    words = [*prompt.words]
    return [(f"order {turn + 1}", words[turn:] + words[:turn]) for turn in range(1, len(words))]


def _exchanged(prompt: Prompt) -> dict[Label, Label]:
    """Entailment and its opposite, which exchange their names."""
    there = [*prompt.words.values()]
    opposite = next(each for each in (Label.CONTRADICTION, Label.NON_ENTAILMENT, Label.NEUTRAL) if each in there)
    first = Label.ENTAILMENT if Label.ENTAILMENT in there else next(each for each in there if each is not opposite)
    return {first: opposite, opposite: first}


def _questions(study: _Study) -> Questions:
    prompt = study.variants[0].prompt
    turned: Sequence[tuple[str, list[str]]] = [(AS_ASKED, [*prompt.words]), *_orders(prompt)]
    return Questions(
        gold=[case.compared_with for case in study.cases],
        premises=[case.premise for case in study.cases],
        labels=[*prompt.words.values()],
        orders={name: [prompt.words[word] for word in words] for name, words in turned},
        wordings=[AS_ASKED, *(each.name for each in study.variants if each.name.startswith("wording"))],
        swapped=_exchanged(prompt),
    )


def _not_measured(prompt: Prompt) -> dict[str, str]:
    missing = {}
    if not (prompt.has("labels") or prompt.has("meanings")):
        missing["order effect"] = "the prompt has neither {labels} nor {meanings}, so their order can't be changed"
    if not prompt.has("meanings"):
        missing["name effect"] = "the prompt has no {meanings}, so names can't be exchanged"
    return missing
