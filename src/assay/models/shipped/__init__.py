"""Where trained models stand that come with Assay: folders that `tools/ship.py` packs, each with how it came about."""

from pathlib import Path

HERE = Path(__file__).parent

NAMES = ("hypothesis-only", "cbow", "infersent", "decomposable-attention", "esim", "minilm")
"""From the simplest to the best."""
