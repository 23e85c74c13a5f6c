"""Verbs that exclude the exchange of subject and object in the same event, by the reason why."""

from assay.language.resources.data import load_words

WORDS = load_words(__file__)
REASONS = ("one_winner", "owning", "fatal", "order")

PARTICIPLES: dict[str, str] = {
    past: participle or past
    for reason in REASONS
    for past, _, participle in (verb.partition("/") for verb in WORDS.ordered(reason))
}
"""The participle of each verb, by its past form."""
REASON_OF = {verb.partition("/")[0]: reason for reason in REASONS for verb in WORDS.ordered(reason)}
"""The reason of each verb, by its past form."""
