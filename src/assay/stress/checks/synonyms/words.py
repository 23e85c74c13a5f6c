"""Words that tell which sense of a synonym is meant."""

from functools import cache

from assay.language.resources.data import table

ARTEFACT, OBJECT, PLANT, SPOT = 6, 17, 20, 15
SOLID = {ARTEFACT, OBJECT, PLANT, 5, 8}
"""WordNet's files of things that stand in a place: artefacts, natural objects, plants, animals, body parts."""
PERSON = ("person.n.01", "people.n.01")


@cache
def telling(name: str) -> frozenset[str]:
    """The words of one kind of evidence.

    >>> "retina" in telling("eyes")
    True
    """
    return frozenset(table("synonym_evidence")[name])
