"""Trying a pair: the models' answers, the words that carry them, the cases of each test, and storing the pair."""

import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from starlette.responses import Response

from assay.ask.ask_pair import MODEL, ask
from assay.ask.pair_explanation import AskedPair, Edited, WordWeight
from assay.core.case import Answer
from assay.core.label import THREE_WAY, Label
from assay.evaluate.accuracy import is_right
from assay.reports.formatting import MarkedTexts, mark_edits
from assay.reports.phrases import short_name
from assay.serve.auth import AuthorisedRequest, HttpError, json_response, routes_for
from assay.serve.html_pages import Tab
from assay.serve.served_files import keep_pair, kept_pairs

TAB = Tab("Try", "/try")
STRONG, WEAK = 0.3, 0.05  # from which weights on a word carries an answer, and counts at all
_ONE_AT_A_TIME = threading.Lock()


class Piece(NamedTuple):
    """A piece of a text: a word with its weight, or what is between words."""

    text: str
    kind: str  # strong, weak, against or plain
    title: str


def show(asked: AuthorisedRequest) -> Response:
    premise, hypothesis, label = (asked.query.get(name, "") for name in ("premise", "hypothesis", "label"))
    return _page(asked, premise=premise, hypothesis=hypothesis, label=label)


def ask_models(asked: AuthorisedRequest) -> Response:
    """The form with the answers, or the pair stored."""
    form = asked.form()
    premise, hypothesis = form.get("premise", "").strip(), form.get("hypothesis", "").strip()
    label = form.get("label") or None
    known: dict[str, Any] = {"premise": premise, "hypothesis": hypothesis, "label": label or ""}
    if form.get("do") == "keep":
        if label not in [each.value for each in Label]:
            raise HttpError(422, "A pair is kept with its label.", "Go back, and choose the right answer.")
        keep_pair(asked.site.folder, premise, hypothesis, Label(label))
        return _page(asked, **known, kept=True)
    chosen = [model for model in models_of(asked) if form.get(f"model:{model}")] or models_of(asked)
    stress = form.get("do") == "stress"
    with _ONE_AT_A_TIME:  # models take all processors already
        found = ask(premise, hypothesis, models=chosen, label=label, stress=stress, words=not form.get("no_words"))
    return _page(asked, **known, found=found, chosen=chosen)


def models_of(asked: AuthorisedRequest) -> list[str]:
    """The models that may be run: those that were named at the start."""
    return [*(asked.site.models or (MODEL,))]


def _page(asked: AuthorisedRequest, *, found: AskedPair | None = None, **known: Any) -> Response:
    blank: dict[str, Any] = {"premise": "", "hypothesis": "", "label": "", "chosen": models_of(asked), "kept": False}
    return asked.page(
        "try.html",
        models=models_of(asked),
        named=bool(asked.site.models),
        labels=THREE_WAY,
        found=found,
        words=_words(found) if found else {},
        edits=[_edit(found, each) for each in found.edited] if found else [],
        short_name=short_name,
        right=lambda answer: found is None or found.label is None or is_right(answer.label, found.label),
        mine=len(kept_pairs(asked.site.folder)),
        **(blank | known),
    )


def _words(found: AskedPair) -> dict[str, dict[str, list[Piece]]]:
    """The two texts in pieces, by model and side."""
    sides = {"premise": found.premise, "hypothesis": found.hypothesis}
    return {
        model: {
            side: [*_pieces(text, [each for each in weights if each.side == side], found.answers[model])]
            for side, text in sides.items()
        }
        for model, weights in found.words.items()
    }


def _pieces(text: str, weights: list[WordWeight], answer: Answer) -> Iterator[Piece]:
    position = 0
    for each in weights:
        if each.start > position:
            yield Piece(text[position : each.start], "plain", "")
        position = each.start + len(each.text)
        moved = each.label is not answer.label
        kind = "strong" if moved or each.weight >= STRONG else "weak" if each.weight >= WEAK else "plain"
        kind = "against" if each.weight <= -WEAK and not moved else kind
        told = f"Without it, the answer is {each.label.value}." if moved else f"Without it: {-each.weight:+.2f}."
        yield Piece(each.text, kind, told if kind != "plain" else "")
    if position < len(text):
        yield Piece(text[position:], "plain", "")


def _edit(found: AskedPair, each: Edited) -> tuple[Edited, MarkedTexts, dict[str, bool]]:
    """A case that a family builds from the pair, its texts with the edit, and which models are wrong.

    Without a label, a model is wrong if its answer moves although it should stay. If a case expects something else,
    no model is judged.
    """
    wrong = {
        model: not is_right(answer.label, each.label)
        if each.label is not None
        else answer.label is not found.answers[model].label
        for model, answer in each.answers.items()
        if each.case.expects == "label"
    }
    return each, mark_edits(each.case), wrong


class PairQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A pair to run models on, for programs."""

    premise: str
    hypothesis: str
    models: tuple[str, ...] = ()  # the models to run; by default all that may be run
    label: str | None = None  # the right answer, if it is known
    words: bool = False  # true to find the words that carry the answer
    stress: bool = False  # true to build the cases of each family from the pair


def answer_program(asked: AuthorisedRequest) -> Response:
    """The answers of models to a pair."""
    question = asked.json(PairQuestion)
    allowed = models_of(asked)
    for model in question.models:
        if model not in allowed:
            raise HttpError(403, f"{model} may not be run here.", "Name it when you start the server: --model.")
    chosen = question.models or allowed
    with _ONE_AT_A_TIME:
        found = ask(
            question.premise,
            question.hypothesis,
            models=chosen,
            label=question.label,
            words=question.words,
            stress=question.stress,
        )
    return json_response(found)


ROUTES = [routes_for("/try", show), routes_for("/try", ask_models, methods=("POST",))]
