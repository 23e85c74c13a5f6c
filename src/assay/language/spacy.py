"""spaCy's tags in the place of our own, where the user has a model and asks for it with $ASSAY_SPACY."""

from collections.abc import Sequence
from typing import Any

from assay.core.errors import MissingExtraError, UserError


class SpacyTagger:
    """Tags our own tokens with a spaCy pipeline, so that offsets stay ours."""

    def __init__(self, model: str) -> None:
        try:
            import spacy
        except ImportError as error:
            raise MissingExtraError("spacy", needed_for="Tagging with spaCy") from error
        try:
            self._pipeline: Any = spacy.load(model)
        except OSError as error:
            raise UserError(
                f"spaCy has no model {model!r}: {error}\n  Bring it with: python -m spacy download {model}"
            ) from error
        self._document: Any = spacy.tokens.Doc
        self.variant = f"spaCy {model} {self._pipeline.meta['version']}"

    def tag(self, words: Sequence[str]) -> list[str]:
        """One Penn Treebank tag a word of a sentence."""
        document = self._document(self._pipeline.vocab, words=list(words))
        for _, component in self._pipeline.pipeline:
            document = component(document)
        return [token.tag_ for token in document]
