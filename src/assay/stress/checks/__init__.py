"""Proofs that labels hold: each sees only a case and its provenance; it shares the `language` room with the builder."""
