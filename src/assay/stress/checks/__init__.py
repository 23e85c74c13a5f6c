"""Proofs that labels hold: each sees a case and its provenance only, and shares no code with what built it."""
