"""A claim checker that leans on one word."""

from collections.abc import Sequence


def check(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Contradiction where the claim says "not", entailment where all its words are in the evidence, else neutral."""
    return [_one(evidence, claim) for evidence, claim in pairs]


def _one(evidence: str, claim: str) -> str:
    words = set(claim.lower().rstrip(".").split())
    if "not" in words:
        return "contradiction"
    return "entailment" if words <= set(evidence.lower().rstrip(".").split()) else "neutral"
