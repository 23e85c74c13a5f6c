"""The results of measuring: figures, comparisons, gates, examples, and the verdicts on them."""
