"""The answers to one pair, the words that carry them, and how edits move them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from assay.core.case import ORIGINAL, Answer, Case
from assay.core.edit import Side, Skip
from assay.core.label import THREE_WAY, Label
from assay.core.pair import Pair
from assay.core.protocols import Texts
from assay.language.text.tokens import Token, words
from assay.run.build.case_builder import BuildStep
from assay.run.build.recipes import EVERYTHING, generates, prepare, recipes_for


class WordWeight(msgspec.Struct, frozen=True, kw_only=True):
    """The weight of a word for an answer, found by leaving it out."""

    side: Side
    start: int
    text: str
    weight: float  # the fall of the answer's probability without the word; 1 or 0 if a model gives no probabilities
    label: Label  # the answer without the word


class Edited(msgspec.Struct, frozen=True, kw_only=True):
    """A case that a family builds from the pair, and the models' answers to it."""

    case: Case  # the case; if the pair came without a label, the label of the case means nothing
    label: Label | None  # the right answer, if it is known
    answers: dict[str, Answer]


class AskedPair(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of models to one pair.

    `print` shows it in a few lines; `msgspec.json.encode` gives all of it.
    """

    premise: str
    hypothesis: str
    label: Label | None  # the right answer, if it was given
    answers: dict[str, Answer]
    words: dict[str, tuple[WordWeight, ...]]
    """The weight of every word, by model, in the order of the texts; empty if it was not requested."""
    edited: tuple[Edited, ...]  # the cases that families build from the pair; empty if they were not requested
    skipped: dict[str, str]  # families that build nothing from the pair, each with the reason
    notes: tuple[str, ...]  # notes for the user about the answers

    def strongest(self, model: str) -> list[WordWeight]:
        """The three words that carry a model's answer most, the strongest first."""
        found = [each for each in self.words.get(model, ()) if each.weight > 0]
        return sorted(found, key=lambda each: -each.weight)[:3]

    def __str__(self) -> str:
        lines = []
        for model, answer in self.answers.items():
            carried = ", ".join(f"{each.text} {each.weight:.2f}" for each in self.strongest(model))
            lines.append(f"{model}: {answer.label}{sureness(answer)}{f'; carried by {carried}' if carried else ''}")
            for each in self.edited:
                moved = each.answers[model]
                lines.append(f"  {each.case.family}: {moved.label}{sureness(moved)}")
        return "\n".join(lines)


def sureness(answer: Answer) -> str:
    """The probability of an answer's own label, after a blank; empty if the model gives none.

    >>> sureness(Answer(label=Label.NEUTRAL, probabilities={Label.NEUTRAL: 0.75}))
    ' 0.75'
    """
    return "" if answer.probabilities is None else f" {answer.probabilities.get(answer.label, 0.0):.2f}"


SIDES: tuple[Side, Side] = ("premise", "hypothesis")


class Ablation(NamedTuple):
    """A pair without one of its words."""

    side: Side
    word: Token
    texts: Texts


def leave_out_words(pair: Texts) -> Iterator[Ablation]:
    """The pair without each of its words in turn; a text is never left without any word.

    >>> [each.texts.hypothesis for each in leave_out_words(Texts("It", "It rains, again."))]
    ['rains, again.', 'It, again.', 'It rains,.']
    """
    for side, text in zip(SIDES, pair, strict=True):
        found = [*words(text)]
        for word in found if len(found) > 1 else ():
            left = remove_word(text, word)
            yield Ablation(side, word, Texts(left, pair.hypothesis) if side == "premise" else Texts(pair.premise, left))


def remove_word(text: str, word: Token) -> str:
    """The text without a word and the blank before it, or the one after it if it is the first.

    >>> remove_word("It rains.", Token("It", 0, 2)), remove_word("It rains.", Token("rains", 3, 8))
    ('rains.', 'It.')
    """
    before, after = text[: word.start], text[word.end :]
    return f"{before[:-1]}{after}" if before.endswith(" ") else f"{before}{after.removeprefix(' ')}"


def weigh_words(whole: Answer, asked: Sequence[Ablation], answers: Sequence[Answer]) -> tuple[WordWeight, ...]:
    """The fall of the answer's probability without each word."""
    return tuple(
        WordWeight(
            side=each.side,
            start=each.word.start,
            text=each.word.text,
            weight=round(_support(whole, whole.label) - _support(answer, whole.label), 6),
            label=answer.label,
        )
        for each, answer in zip(asked, answers, strict=True)
    )


def _support(answer: Answer, label: Label) -> float:
    """The probability of a label; without probabilities, 1 if it is the answer and 0 otherwise."""
    if answer.probabilities is None:
        return float(answer.label is label)
    return answer.probabilities.get(label, 0.0)


NEEDS_LABEL = "needs the label of the pair: give it with --label, or as the right answer in the browser"


class Stressed(NamedTuple):
    """The cases and skips of families for a pair."""

    cases: list[tuple[Case, Label | None]]
    """The cases, in order of the families, each with its right answer if that is known."""
    skipped: dict[str, str]  # families without a case, each with the reason


def stress_pair(pair: Pair, families: Sequence[str], *, is_labelled: bool, seed: int) -> Stressed:
    """The cases that families build from a pair; by default, all families in all their variants.

    A pair without a label is tried with every label: if that changes what a family builds, the family needs one.
    """
    every = recipes_for(families or [EVERYTHING], seed=seed)
    recipes = [each for each in every if each.transform.partition("/")[0] != ORIGINAL]
    made = Stressed([], {})
    prepare([each for each in recipes if not generates(each.transform)])
    for recipe in recipes:
        if generates(recipe.transform):
            made.skipped[recipe.transform.partition("/")[0]] = "made from templates, not from a pair"
            continue
        step = BuildStep(recipe)
        found = step.cases(pair) if is_labelled else _edits_of_any_label(step, pair)
        cases = [each for each in found if isinstance(each, Case)]
        made.cases.extend((case, case.label if is_labelled else case.provenance.edit.label) for case in cases)
        if not cases:
            made.skipped[step.name] = next(
                (each.reason for each in found if isinstance(each, Skip)), "it builds no case from this pair"
            )
    return made


def _edits_of_any_label(step: BuildStep, pair: Pair) -> list[Case | Skip]:
    """The edits of a family that do not depend on the pair's label."""

    def essence(made: Case | Skip) -> object:
        return (made.premise, made.hypothesis, made.provenance.edit) if isinstance(made, Case) else made.reason

    tried = [step.cases(msgspec.structs.replace(pair, label=label)) for label in THREE_WAY]
    first, *others = [[essence(each) for each in found] for found in tried]
    return tried[0] if all(other == first for other in others) else [Skip(NEEDS_LABEL)]
