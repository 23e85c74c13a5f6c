"""Shared parts of the readers of logs: the pair among the fields of a record, and labels in replies."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assay.core.errors import BadRecordError
from assay.core.label import Label
from assay.corpora.formats.pairs import named_columns, usual_column

Record = Mapping[str, Any]
Rows = Iterator[dict[str, Any] | BadRecordError]

IDS = ("id", "pairID", "case", "uid")  # names of the id of a pair
TEST = ("family", "variant")  # the fields in which an exported suite says which test a case belongs to

WORDS = {
    Label.ENTAILMENT: ("true", "yes", "correct", "entailment", "supported"),
    Label.NEUTRAL: ("neither", "maybe", "neutral", "unknown", "inconclusive", "also", "cannot tell"),
    Label.CONTRADICTION: ("false", "no", "incorrect", "contradiction", "refuted", "never"),
}
"""The usual choices of NLI tasks."""

PROMPT = re.compile(
    r"(?:premise|evidence|context|passage|text)\s*:\s*(?P<premise>.+?)\s*\n\s*"
    r"(?:hypothesis|claim|statement|question)\s*:\s*(?P<hypothesis>.+?)\s*(?:\n|$)",
    re.IGNORECASE | re.DOTALL,
)
"""Two texts in a prompt, each after its name."""


def pair_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The id, the two texts and the gold label among the fields of a record, by their usual names.

    A case of an exported suite also has its family and variant.

    >>> pair_fields({"claim": "It is wet.", "evidence": "It rains.", "verdict": "supported", "split": "dev"})
    {'premise': 'It rains.', 'hypothesis': 'It is wet.', 'label': 'supported'}
    """
    columns = tuple(fields)
    identity = next(iter(named_columns(columns, IDS)), "")
    found = {"id": str(fields[identity])} if identity and fields[identity] is not None else {}
    for field in ("premise", "hypothesis", "label"):
        column = usual_column(columns, field).column
        if column and fields[column] is not None:
            found[field] = fields[column]
    if all(isinstance(fields.get(name), str) for name in TEST):
        found |= {name: fields[name] for name in TEST}
    return found


def find_pair(fields: Mapping[str, Any], prompt: str) -> dict[str, Any]:
    """The pair among the fields of a record; texts that are not there are looked for in the prompt."""
    pair = pair_fields(fields)
    return pair if "premise" in pair and "hypothesis" in pair else pair | pair_in_prompt(prompt)


def pair_in_prompt(prompt: str) -> dict[str, str]:
    r"""The last two texts that a prompt names; earlier ones are examples.

    >>> pair_in_prompt("Premise: It rains.\nHypothesis: It is wet.\nTrue or false?")
    {'premise': 'It rains.', 'hypothesis': 'It is wet.'}
    """
    found = [*PROMPT.finditer(prompt)]
    return found[-1].groupdict() if found else {}


def choice_labels(choices: Sequence[str], gold: Iterable[tuple[int, Any]]) -> list[Any]:
    """The label of each choice: the gold label wherever the choice is right, or else the label that its text names.

    >>> choice_labels(["True", "Neither", "False"], [(0, 0), (2, 2)])
    [0, 'neutral', 2]
    >>> choice_labels(["Yes", "No"], [])
    ['entailment', 'non-entailment']
    """
    known: dict[int, list[Any]] = {}
    for index, label in gold:
        if label is not None and label not in known.setdefault(index, []):
            known[index].append(label)
    found = []
    for index, choice in enumerate(choices):
        said = choice.strip().rstrip(".").lower()
        meant = next((each.value for each, words in WORDS.items() if said in words), choice.strip())
        if meant == Label.CONTRADICTION and len(choices) < len(WORDS):
            meant = Label.NON_ENTAILMENT.value
        found.append(known[index][0] if len(known.get(index, [])) == 1 else meant)
    return found


def label_in_reply(reply: str, labels: Iterable[Any]) -> str | None:
    """The label that a free text gives: the only one it names, or the first if it begins with one.

    >>> label_in_reply("The answer is: not_entailment.", ["entailment", "not_entailment"])
    'not_entailment'
    >>> label_in_reply("entailment or neutral", ["entailment", "neutral"]), label_in_reply("It depends.", ["yes", "no"])
    ('entailment', None)
    """
    names = sorted({str(label) for label in labels}, key=len, reverse=True)
    if not names:
        return reply.strip() or None
    found = re.findall(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)", reply, re.IGNORECASE)
    spelled = {name.lower(): name for name in names}
    said = list(dict.fromkeys(spelled[each.lower()] for each in found))
    first = bool(said) and reply.strip().strip("*\"'(").lower().startswith(said[0].lower())
    return said[0] if len(said) == 1 or first else None
