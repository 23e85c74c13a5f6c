"""From stored answers to figures and verdicts: scoring, comparing, gating, examples."""
