"""Everything that reads what others wrote, each with good inputs to start from."""

import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import NamedTuple

import click
import msgspec

from assay.cli.build import command as build
from assay.cli.options import _configure as configure
from assay.core import registry
from assay.core.case import Case
from assay.core.errors import BadRecordError
from assay.core.label import Label, LabelReader
from assay.core.pair import Pair
from assay.core.protocols import Row, Texts
from assay.corpora.reader import read
from assay.gate.metric_rules import rule
from assay.language.trees.binary_trees import read_tree
from assay.language.words.categories import load_categories
from assay.models.adapters.cmd import Command, Program
from assay.models.chat.http_client import seconds_asked
from assay.models.chat.prompt import read_prompt
from assay.models.chat.reply import begins_with, first_choice, from_logprobs, from_text
from assay.run.build.case_builder import BuildStep, unproven
from assay.run.build.recipes import for_corpus, recipes_for
from assay.run.predict.answer_files import read_predictions
from assay.run.predict.model_names import ModelName, folder_name, settings_of
from assay.stress.heuristics.grammar import _load_text as load_grammar
from assay.stress.heuristics.grammar import load_grammar as grammar
from assay.stress.logic.template_family import logic_family
from assay.studies.plan.plan_file import built_in_plans, read_plan
from fuzzing import stored
from fuzzing.mutations import changed, changed_as_json

Change = Callable[[bytes, Random, Sequence[bytes]], bytes]


class Target(NamedTuple):
    """A reader of things that others wrote."""

    read: Callable[[bytes, Path], object]
    """Reads an input; the folder is for readers of files. It may raise errors of Assay's own tree, and no other."""
    seeds: Callable[[], list[bytes]]
    """Good inputs."""
    share: int = 1
    """Its part of all inputs: readers that are slow get fewer."""
    change: Change = changed


WORDS = {"entailment": Label.ENTAILMENT, "neutral": Label.NEUTRAL, "not supported": Label.NON_ENTAILMENT}
PAIR = {"id": "a", "premise": "Two dogs are eating 12 big bones.", "hypothesis": "A dog eats.", "label": "neutral"}
TREE = "( ( The dog ) ( barks . ) )"
ROWS: list[dict[str, object]] = [
    PAIR,
    {"gold_label": "neutral", "sentence1": "It rains.", "sentence2": "It is wet.", "pairID": "3", "genre": "fiction",
     "sentence1_binary_parse": TREE, "sentence2_binary_parse": TREE, "sentence1_parse": "(ROOT (S (NP (DT The))))",
     "annotator_labels": ["neutral", "entailment"]},
    {"sentence_A": "It rains.", "sentence_B": "It is wet.", "entailment_judgment": "NEUTRAL", "pair_ID": "1"},
    {"index": "1", "sentence1": "a", "sentence2": "b", "label": "not_entailment"},
    {"question": "If 3 men eat 4 pies, how many?", "options": ["A)12", "B)7"], "correct": "A", "rationale": "3*4"},
    {"claim": "It rains.", "evidence": "It pours.", "label": "SUPPORTED", "group": "g"},
    {"category": "colors", "annotator_labels": ["neutral"], "sentence1": "Red.", "sentence2": "Blue.", "pairID": 1},
]  # fmt: skip


def _as_json(*things: object) -> list[bytes]:
    return [json.dumps(each).encode() for each in things]


def _rows() -> list[bytes]:
    return _as_json(*ROWS)


def _corpora() -> list[bytes]:
    lines = _rows()
    table = [b"premise,hypothesis,label", b'"It rains.","It ""pours"".",neutral', b"a,b,entailment"]
    return [
        b"\n".join(lines[:1] * 3),
        b"\n".join(lines),
        b"\n".join(table),
        b"\n".join(table).replace(b",", b"\t"),
        b"index\tsentence1\tsentence2\tlabel\n0\ta\tb\tneutral\n1\tc\td\tentailment\n",
        b"It rains.\tIt pours.\tentails\nA\tB\tneutral\n",
        b"the 0.1 0.2 0.3\nof 0.4 0.5 0.6\n",
    ]


def _corpus(data: bytes, folder: Path, *, names: Sequence[str]) -> None:
    """A corpus under any of these names, and with either way of treating broken records."""
    choice = len(data)
    path = folder / names[choice % len(names)]
    path.write_bytes(data)
    list(read(path, on_error=("stop", "skip")[choice % 2]).records())


def _row(data: bytes, _: Path) -> None:
    with suppress(ValueError):  # readers of files decide what is JSON
        fields = json.loads(data)
        for each in _formats():
            with suppress(BadRecordError):
                each.record(Row(1, fields if isinstance(fields, dict) else {"0": fields}, "x.jsonl"), LabelReader())


@cache
def _formats() -> list[object]:
    own = [name for name in registry.formats.names() if registry.formats.target(name).source == "nli-assay"]
    return [registry.formats.get(name)() for name in own]


def _label(data: bytes, _: Path) -> None:
    with suppress(BadRecordError):
        LabelReader()(data.decode("utf-8", "replace"))


FAMILIES = (
    *("word-overlap", "negation", "length-mismatch", "antonymy", "numeracy"),
    *("swap", "original", "lexical", "spelling", "burial"),
    *for_corpus(["conjunction", "monotonicity", "quantifiers"]),
)


@cache
def _steps() -> list[BuildStep]:
    return [BuildStep(each) for family in FAMILIES for each in recipes_for([family], seed=0)]


def _pairs() -> list[bytes]:
    return [msgspec.json.encode(each) for each in read("bundled", limit=60)]


def _cases() -> list[bytes]:
    pairs = [msgspec.json.decode(each, type=Pair) for each in _pairs()]
    made = [case for step in _steps() for pair in pairs[:20] for case in step.cases(pair) if isinstance(case, Case)]
    generated = [recipe for name in ("heuristics", "scope", "quantifiers") for recipe in recipes_for([name], seed=0)]
    made += [case for each in generated for case in _generated(each)]
    return [msgspec.json.encode(case) for case in made]


def _generated(recipe: object) -> list[Case]:
    from assay.run.build.recipes import generated_pairs

    step = BuildStep(recipe)  # type: ignore[arg-type]
    pairs = generated_pairs(recipe, 1).as_pairs()  # type: ignore[arg-type]
    return [case for pair in pairs for case in step.cases(pair) if isinstance(case, Case)][:40]


def _pair(data: bytes, _: Path) -> None:
    """A pair that decodes, put through one family."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        pair = msgspec.json.decode(data, type=Pair)
        steps = _steps()
        steps[len(data) % len(steps)].cases(pair)


def _case(data: bytes, _: Path) -> None:
    """A case that decodes, put before its check."""
    with suppress(msgspec.DecodeError, UnicodeDecodeError):
        unproven(msgspec.json.decode(data, type=Case))


def _replies() -> list[bytes]:
    top = [{"token": " neutral", "logprob": -0.1}, {"token": "ent", "logprob": -2.5}]
    tokens = {"content": [{"token": "neutral", "top_logprobs": top}]}
    said = [
        "neutral", "<think>It is not neutral</think> The answer is: **entailment**.", '{"label": "neutral"}',
        "It is neither an entailment nor neutral, so the verdict is not supported",
        "<|channel|>final<|message|>neutral",
    ]  # fmt: skip
    whole = [
        {"choices": [{"message": {"content": text}, "finish_reason": "stop", "logprobs": tokens}], "usage": {}}
        for text in said
    ]
    call = {"tool_calls": [{"function": {"arguments": '{"label": "neutral"}'}}]}
    return _as_json(
        *whole, {"choices": [{"message": call}]}, {"choices": [{"message": {"content": [{"text": "neutral"}]}}]}
    )


def _reply(data: bytes, _: Path) -> None:
    choice = first_choice(data)
    if choice:
        from_logprobs(choice, WORDS)
        from_logprobs(choice, WORDS, only_labels=True)
    text = data.decode("utf-8", "replace")
    from_text(text, WORDS)
    begins_with(text, WORDS)
    seconds_asked(text)


@cache
def _program() -> Program:
    return Program(["x"], Command(what="x", names="SUPPORTS:entailment"))


def _line(data: bytes, _: Path) -> None:
    _program()._read(data, 0, Texts("a premise", "a hypothesis"))


def _lines() -> list[bytes]:
    given = [{"entailment": 0.5, "neutral": 0.5}, {"id": 0, "label": "neutral"}, {"label": "SUPPORTS"}, 0.5, "neutral"]
    return _as_json(*given, {"score": 0.25}, {"probabilities": {"neutral": 1.0}, "label": "neutral"})


def _predictions(data: bytes, folder: Path) -> None:
    path = folder / ("x.jsonl", "x.csv", "x.tsv")[len(data) % 3]
    path.write_bytes(data)
    read_predictions(str(path), reader=LabelReader(), gold={})


def _answers() -> list[bytes]:
    rows = _as_json(
        {"id": "a", "label": "neutral"},
        {"id": "b", "probabilities": {"neutral": 0.5, "entailment": 0.5}},
        {"premise": "It rains.", "hypothesis": "It pours.", "prediction": "neutral", "gold": "neutral"},
        {"id": "c", "predicted_scores": [0.1, 0.2, 0.7], "predicted_label": "neutral"},
        {"id": "d", "score": 0.5},
    )
    return [*rows, b"\n".join(rows[:2]), b"id,label\na,neutral\nb,entailment\n", b"id\tscore\na\t0.5\n"]


def _configuration(data: bytes, folder: Path) -> None:
    path = folder / "x.yaml"
    path.write_bytes(data)
    with suppress(click.ClickException):
        configure(click.Context(build), build.params[0], path)


def _plan(data: bytes, folder: Path) -> None:
    path = folder / "x.yaml"
    path.write_bytes(data)
    read_plan(path)


def _plans() -> list[bytes]:
    return [path.read_bytes() for path in built_in_plans().values()]


def _rule(data: bytes, _: Path) -> None:
    rule(data.decode("utf-8", "replace"))


def _model(data: bytes, _: Path) -> None:
    text = data.decode("utf-8", "replace")
    made = ModelName.parse(text)
    name = folder_name(text)
    assert "/" not in name, f"{made} leaves its folder"
    assert name.strip("."), f"{made} has no folder"
    settings_of(text)


def _grammar(data: bytes, _: Path) -> None:
    grammar(data.decode("utf-8", "replace"))
    load_grammar.cache_clear()


def _category(data: bytes, _: Path) -> None:
    try:
        load_categories(data.decode("utf-8", "replace"))
    finally:
        if load_categories.cache_info().currsize > 100:
            load_categories.cache_clear()


def _logic(data: bytes, _: Path) -> None:
    logic_family.__wrapped__("scope", data.decode("utf-8", "replace"))


def _prompt(data: bytes, folder: Path) -> None:
    path = folder / ("x.toml", "x.txt")[len(data) % 2]
    path.write_bytes(data)
    read_prompt(str(path)).messages(Texts("It rains {hypothesis}.", "It pours."))


def _tree(data: bytes, _: Path) -> None:
    read_tree(data.decode("utf-8", "replace"))


GRAMMARS = [
    b'[nouns]\nwizard = ["wizards", "person"]\n[classes.adverb]\nwords = ["gladly"]\n[phrases]\n',
    b'[[subcases]]\nname = "x"\nheuristic = "subsequence"\nlabel = "entailment"\n',
]
CATEGORIES = [
    b'[tools]\nwhy = "They do different work."\nsets = [["hammer", "saw"], ["pen", "pencil"]]\n',
    b'[colors]\nwhy = "x"\narrows = ["red -> crimson"]\n',
]
LOGIC = [
    b'names = ["Zoe"]\n[people]\nperson = ["wizard"]\n[[templates]]\nid = "x"\nfamily = "scope"\npremise = "a"\n',
]
PROMPTS = [
    b'prompt = "{premise} {hypothesis}"\n[labels]\nyes = "entailment"\nno = "neutral"\n[meanings]\nyes = "x"\n',
    b"Premise: {premise}\nHypothesis: {hypothesis}\n",
]
RULES = [b"heuristics.non-entailment.accuracy>=0.5", b'lexical.category="dr. who".accuracy > 0.5',
         b"claims.false-support<=0.4 at threshold=chosen"]  # fmt: skip
MODELS = [b"assay:overlap", b"hf:some/thing?labels=0:neutral&batch=3", b"judge=openai:NAME@http://localhost:1/v1?template=x",
          b"cmd:./x --y?keep=no", b"python:a.b:c", b"predictions:x.jsonl"]  # fmt: skip
SENTENCES = [b"Every dog that no cat saw barks.\tEvery animal barks.", b"Neither Ann nor 12 men ran.\tAnn ran."]
CONFIGURATIONS = [
    b"family: [negation]\nseed: 3\nout: x\ncolumns: {premise: a}\n",
    b"from: x.csv\nlabels: {a: neutral}\n",
]
TEXTUAL = ("x", "x.jsonl", "x.json", "x.csv", "x.tsv", "x.txt")


def _packed() -> list[bytes]:
    import gzip

    import zstandard

    plain = _corpora()
    return [*map(gzip.compress, plain), *map(zstandard.ZstdCompressor(write_checksum=True).compress, plain)]


TARGETS: dict[str, Target] = {
    "corpora": Target(partial(_corpus, names=TEXTUAL), _corpora, share=4),
    "compressed corpora": Target(partial(_corpus, names=("x.jsonl.gz", "x.zst", "x.jsonl")), _packed, share=2),
    "rows": Target(_row, _rows, share=10, change=changed_as_json),
    "labels": Target(_label, lambda: [b"neutral", b"not_entailment", b"0", b"-"], share=10),
    "trees": Target(_tree, lambda: [TREE.encode()], share=10),
    "pairs": Target(_pair, _pairs, share=1, change=changed_as_json),
    "checks": Target(_case, _cases, share=3, change=changed_as_json),
    "chat replies": Target(_reply, _replies, share=10, change=changed_as_json),
    "program replies": Target(_line, _lines, share=20),
    "files of answers": Target(_predictions, _answers, share=4),
    "configuration": Target(_configuration, lambda: CONFIGURATIONS, share=2),
    "plans": Target(_plan, _plans, share=1),
    "rules": Target(_rule, lambda: RULES, share=10),
    "model names": Target(_model, lambda: MODELS, share=10),
    "grammars": Target(_grammar, lambda: GRAMMARS, share=2),
    "categories": Target(_category, lambda: CATEGORIES, share=2),
    "logic words": Target(_logic, lambda: LOGIC, share=2),
    "prompts": Target(_prompt, lambda: PROMPTS, share=4),
    "runs": Target(stored.run, lambda: [stored.stored().record], share=2, change=changed_as_json),
    "studies": Target(stored.study, lambda: [stored.STUDY], share=2, change=changed_as_json),
    "manifests": Target(stored.manifest, lambda: [stored.stored().manifest], share=2, change=changed_as_json),
    "cases": Target(stored.cases, lambda: [stored.stored().cases]),
    "shards": Target(stored.card, stored.cards, share=2, change=changed_as_json),
    "samples": Target(stored.key, lambda: [stored.stored().key], share=2),
    "people's answers": Target(stored.sheet, lambda: [stored.stored().sheet], share=2),
    "vectors": Target(stored.vectors, lambda: [b"the 0.1 0.2 0.3\nof 0.4 0.5 0.6\n" * 3], share=2),
    "sentences": Target(stored.sentences, lambda: SENTENCES),
}
