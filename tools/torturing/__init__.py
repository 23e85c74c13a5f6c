"""The ways of `tools/torture.py`."""
