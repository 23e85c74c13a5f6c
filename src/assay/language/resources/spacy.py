"""spaCy's tags and names instead of our own, if the user names a model in $ASSAY_SPACY."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from assay.core.errors import MissingExtraError, UserError


class Entity(NamedTuple):
    """A name that spaCy found."""

    label: str
    """What spaCy calls its kind, such as GPE."""
    first: int
    """Number of its first word."""
    end: int
    """Number after its last word."""


class SpacyPipeline:
    """Tags our own tokens, and finds names in them, so that offsets stay ours."""

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("spacy", needed_for="Tagging with spaCy") from error
        try:
            self._pipeline: Any = spacy.load(model)
        except OSError as error:
            raise UserError(
                f"spaCy has no model {model!r}: {error}\n  Get it with: python -m spacy download {model}"
            ) from error
        self._document: Any = spacy.tokens.Doc
        self.variant = f"spaCy {model} {self._pipeline.meta['version']}"
        assigns = {each for name, _ in self._pipeline.pipeline for each in self._pipeline.get_pipe_meta(name).assigns}
        self.has_tags = "token.tag" in assigns
        """Whether the model has a tagger; if not, ours is used."""
        self.has_names = "doc.ents" in assigns
        """Whether the model looks for names; if not, our own search is used."""

        self.has_parses = "token.dep" in assigns
        """Whether the model has a parser; if not, ours is used."""

    def tag(self, words: Sequence[str]) -> list[str]:
        """One Penn Treebank tag for each word of a sentence."""
        return [token.tag_ for token in self._read(words)]

    def entities(self, words: Sequence[str]) -> list[Entity]:
        """The names among words, of every kind."""
        return [Entity(each.label_, each.start, each.end) for each in self._read(words).ents]

    def parts(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """The first word and the end of each word with all that depends on it."""
        return [(token.left_edge.i, token.right_edge.i + 1) for token in self._read(words)]

    def _read(self, words: Sequence[str]) -> Any:
        document = self._document(self._pipeline.vocab, words=list(words))
        for _, component in self._pipeline.pipeline:
            document = component(document)
        return document
