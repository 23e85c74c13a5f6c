"""The two ways of `tools/torture.py`: kills and damage."""
