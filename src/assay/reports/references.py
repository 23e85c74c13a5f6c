"""Which models are references: there to compare others with."""

from assay.reports.words import short_name

REFERENCES = {"majority", "hypothesis-words", "overlap", "subsequence", "constituent", "wordnet", "hypothesis-only"}


def is_reference(model: str) -> bool:
    """Whether a model is a reference."""
    return short_name(model) in REFERENCES
