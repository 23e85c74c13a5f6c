"""Running models on one pair: their answers, the words that carry them, and edited copies of the pair."""

from collections.abc import Callable, Sequence
from typing import Annotated

import msgspec

from assay.ask.pair_explanation import Ablation, AskedPair, Edited, Stressed, leave_out_words, stress_pair, weigh_words
from assay.core.case import Case
from assay.core.errors import UserError, did_you_mean
from assay.core.label import NAMES, Label
from assay.core.option_fields import SET, OptionInfo, takes_options
from assay.core.pair import Pair
from assay.core.protocols import Texts
from assay.run.measure import pair_as_case
from assay.run.predict.direct_answers import ASKED, predict_cases
from assay.run.predict.model_names import ModelName, Models, resolve_models
from assay.run.predict.predict_options import PredictOptions, Truncate
from assay.run.predict.windows import Windows

MODEL = "assay:minilm"  # the default model: the best one that comes with Assay
MOST_CHARACTERS = 20_000  # longest text, in characters
MOST_WORDS = 400  # maximum number of words of a pair that are left out one by one: each is another question


class AskOptions(msgspec.Struct, frozen=True, kw_only=True):
    premise: str
    hypothesis: str
    models: Annotated[
        Models, OptionInfo("A model to run; may be repeated.", "--model", default=MODEL, many=True, completes="models")
    ] = ()
    label: Annotated[
        str | None, OptionInfo("The right answer, if you know it: entailment, neutral, contradiction.", metavar="LABEL")
    ] = None
    stress: Annotated[bool, OptionInfo("Also run the models on what each family builds from the pair.")] = False
    families: Annotated[
        str | Sequence[str],
        OptionInfo("Build only this family of tests; may be repeated.", "--family", many=True, completes="transforms"),
    ] = ()
    words: Annotated[bool, OptionInfo("no skips the search for the words that carry the answer.", SET)] = True
    truncate: Annotated[
        Truncate, OptionInfo("if a premise is too long for a model, premise cuts off its end, error stops.", SET)
    ] = "error"
    windows: Annotated[
        str,
        OptionInfo("Split a long premise into windows, as `assay run` does: max, min or mean.", metavar="HOW[:WORDS]"),
    ] = ""
    cache: Annotated[bool, OptionInfo("Do not read or write the cache.", "--no-cache")] = True
    seed: Annotated[int, OptionInfo("Seed for everything random.")] = 0


@takes_options(AskOptions, "premise", "hypothesis")
def ask(options: AskOptions, *, tell: Callable[[str], None] = lambda _: None) -> AskedPair:
    """Run models on one pair; no run is stored.

    With `words`, each model also runs on the pair without each of its words, which shows the words that carry its
    answer. With `stress`, it runs on the cases that each family builds from the pair; `families` chooses some of them.
    The `label` of the pair says which answers are right; a few families need it.
    A model is a name such as "hf:NAME", a function or an object, as for `run`.

    >>> found = ask("A cook fries eggs.", "A cook fries two eggs.", models="assay:overlap")
    >>> found.answers["assay:overlap/v1"].label.value
    'entailment'
    """
    label, words = options.label, options.words
    pair = _pair(options.premise, options.hypothesis, label)
    asked = [*_asked_words(pair)] if words else []
    named = [options.families] if isinstance(options.families, str) else [*options.families]
    made = Stressed([], {})
    if options.stress or named:
        made = stress_pair(pair, named, is_labelled=label is not None, seed=options.seed)
    questions = [
        _case(pair, "pair", Texts(pair.premise, pair.hypothesis)),
        *(_case(pair, f"without word {number}", each.texts) for number, each in enumerate(asked, 1)),
        *(case for case, _ in made.cases),
    ]
    bench = resolve_models(options.models or MODEL)
    for name in bench.names:
        if ModelName.parse(name).kind == "predictions":
            raise UserError(f"{name} is a file of answers, so it can't answer a new pair.\n  Name a model that can.")
    windows = Windows.parse(options.windows)
    how = PredictOptions(truncate=options.truncate, windows=windows, cache=options.cache, tell=tell)
    replies = {name: predict_cases(name, bench.objects.get(name), questions, how) for name in bench.names}
    answers = {name: each.answers for name, each in replies.items()}
    return AskedPair(
        premise=pair.premise,
        hypothesis=pair.hypothesis,
        label=None if label is None else pair.label,
        answers={name: each[0] for name, each in answers.items()},
        words={name: weigh_words(each[0], asked, each[1 : 1 + len(asked)]) for name, each in answers.items()}
        if words
        else {},
        edited=tuple(
            Edited(case=case, label=right, answers={name: each[number] for name, each in answers.items()})
            for number, (case, right) in enumerate(made.cases, 1 + len(asked))
        ),
        skipped=made.skipped,
        notes=tuple(dict.fromkeys(note for each in replies.values() for note in each.notes)),
    )


def _pair(premise: str, hypothesis: str, label: str | Label | None) -> Pair:
    for side, text in (("premise", premise), ("hypothesis", hypothesis)):
        if not text.strip():
            raise UserError(f"The {side} is empty.\n  Give both texts: assay ask PREMISE HYPOTHESIS.")
        if len(text) > MOST_CHARACTERS:
            raise UserError(
                f"The {side} has {len(text):,} characters, but at most {MOST_CHARACTERS:,} are allowed.\n"
                "  To test longer texts, put the pair into a file: assay run --from FILE."
            )
    return Pair(id="pair", premise=premise, hypothesis=hypothesis, label=_label(label))


def _label(given: str | Label | None) -> Label:
    """The given label; without one, a placeholder that is never used."""
    if given is None:
        return Label.NEUTRAL
    meant = NAMES.get(str(given).strip().lower())
    if meant is None:
        raise UserError(
            f"{given!r} is not a label{did_you_mean(given, list(NAMES))} Use {', '.join(Label)}.\n"
            "  Leave it out if you don't know it."
        )
    return meant


def _asked_words(pair: Pair) -> list[Ablation]:
    found = [*leave_out_words(Texts(pair.premise, pair.hypothesis))]
    if len(found) > MOST_WORDS:
        raise UserError(
            f"The pair has {len(found):,} words; leaving out each in turn is limited to {MOST_WORDS:,} words.\n"
            "  Skip this step: --set words=no on the command line, words=False in Python."
        )
    return found


def _case(pair: Pair, name: str, texts: Texts) -> Case:
    case = msgspec.structs.replace(pair_as_case(pair), id=name, family=ASKED)
    return msgspec.structs.replace(case, premise=texts.premise, hypothesis=texts.hypothesis)
